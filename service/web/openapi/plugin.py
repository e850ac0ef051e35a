"""Adds headers, security and common errors to the operations of the OpenAPI document.

A plugin of apispec derives them from the declaration of each route.
"""

from collections.abc import Iterator, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from apispec import APISpec, BasePlugin

from projections.rules.catalogue import LANGUAGES
from service.oauth.documents import AUTHORIZE, DEVICE, TOKEN
from service.web import auth, idempotency
from service.web.openapi.recorded import FORM
from service.web.routing import LANGUAGE, PLAIN, Operation

Document = dict[str, Any]
ABOUT: Final = f"""\
Bearer tokens (`Authorization: Bearer cab_...`) say who asks; `security` names the scope that an operation needs.
Everything refused is an RFC 9457 problem; a client decides by its `type`, which is stable: `/problems` lists them all.
A POST that got no answer, or 503, is repeated with its `Idempotency-Key`. Labels, titles and details are in the
language of `Accept-Language` ({", ".join(LANGUAGES)}). Every answer tells what is left of the limit, and after
429 and 503 `Retry-After` says how long to wait.
"""
WHOLE_NUMBER: Final = {"type": "integer", "minimum": 0}
TEXT: Final = {"type": "string"}
EVENT_STREAM: Final = "text/event-stream"
SURROGATES: Final = r"\ud800-\udfff"  # in no text that could be sent


def _header(description: str, schema: Document = TEXT, *, always: bool = False) -> Document:
    return {"description": description, "schema": schema, "required": always}


SCOPES: Final = {  # of tokens for programs of others; never `admin`
    "read": "see what the player sees",
    "play": "play, and send messages",
    "annotate": "write studies and order analyses",
    "host": "hold tournaments",
}
HEADERS: Final[Mapping[str, Document]] = {  # of answers
    "X-Request-Id": _header("names the request in the log of the service; quote it when you report a fault"),
    "RateLimit-Policy": _header('how much may be asked in so many seconds, as "minute";q=12000;w=60'),
    "RateLimit-Cost": _header("what this request cost of the limit", WHOLE_NUMBER),
    "RateLimit": _header('how much is left, and for how many seconds, as "minute";r=11997;t=48'),
    "Retry-After": _header("how many seconds to wait", WHOLE_NUMBER, always=True),
    "WWW-Authenticate": _header("how to say who asks", always=True),
    "ETag": _header("names this state of the document, for If-None-Match; a live stream has none"),
    "Content-Language": _header("of the words in it, if they are in the reader's language"),
    "Deprecation": _header("since when something that the request used is deprecated (RFC 9745)"),
    "Sunset": _header("until when it is taken (RFC 8594); `Link` with rel=deprecation tells what to use"),
    "Link": _header('the next page, as </v1/games?after=...>; rel="next"; absent on the last one'),
}
COUNTED: Final = ("RateLimit-Policy", "RateLimit", "RateLimit-Cost")
EVERYWHERE: Final = ("X-Request-Id", "Content-Language", "Deprecation", "Sunset")
REFUSED_WITH: Final[Mapping[str, Sequence[str]]] = {  # phrase of a status -> headers besides
    HTTPStatus.UNAUTHORIZED.phrase: ("WWW-Authenticate",),
    HTTPStatus.TOO_MANY_REQUESTS.phrase: ("Retry-After",),
    HTTPStatus.SERVICE_UNAVAILABLE.phrase: ("Retry-After",),
    HTTPStatus.NOT_MODIFIED.phrase: ("ETag",),
}
PARAMETERS: Final[Mapping[str, Document]] = {  # headers of requests, and the query parameter that all have
    idempotency.HEADER: {
        "description": "names the request, so that repeating it does nothing twice and gets the same answer",
        "schema": {"type": "string", "minLength": 1, "maxLength": idempotency.LONGEST_KEY},
    },
    LANGUAGE: {"description": "goes before Accept-Language", "schema": {"type": "string", "enum": [*LANGUAGES]}},
    "Accept-Language": {"description": f"the language of words: {', '.join(LANGUAGES)}", "schema": TEXT},
    "If-None-Match": {"description": "ETags of what the reader has; 304 when it is still so", "schema": TEXT},
    "Last-Event-ID": {"description": "of a stream: the last number that arrived, as `after`", "schema": TEXT},
}
BEARER: Final = {"type": "http", "scheme": "bearer", "bearerFormat": "cab_..."}
SESSION: Final = {
    "type": "apiKey",
    "in": "cookie",
    "name": auth.SESSION_COOKIE,
    "description": f"of a browser; what changes something repeats the session's `csrf` in {auth.CSRF_HEADER}",
}


OAUTH: Final = {
    "type": "oauth2",
    "description": (
        "for programs of others: authorisation code with PKCE (S256), or a device code (RFC 8628). Clients are public; "
        "their tokens are sent as bearer tokens"
    ),
    "flows": {
        "authorizationCode": {"authorizationUrl": AUTHORIZE, "tokenUrl": TOKEN, "refreshUrl": TOKEN, "scopes": SCOPES},
        "x-deviceAuthorization": {  # a flow of its own in OpenAPI 3.2
            "deviceAuthorizationUrl": DEVICE,
            "tokenUrl": TOKEN,
            "refreshUrl": TOKEN,
            "scopes": SCOPES,
        },
    },
}


class OpenApiPlugin(BasePlugin):
    """Adds to each operation what follows from its declaration."""

    def __init__(self, operations: Mapping[str, Operation]) -> None:
        self._operations = operations

    def init_spec(self, spec: APISpec) -> None:
        """Declares headers, parameters and security schemes as components."""
        for name, header in HEADERS.items():
            spec.components.header(name, header)
        for name, parameter in PARAMETERS.items():
            spec.components.parameter(name, "query" if name == LANGUAGE else "header", {"name": name, **parameter})
        spec.components.security_scheme("bearer", BEARER)
        spec.components.security_scheme("oauth2", OAUTH)
        spec.components.security_scheme("session", SESSION)

    def response_helper(self, response: Document, **_more: Any) -> Document:
        """Returns the headers of an error response."""
        return {"headers": _named((*EVERYWHERE, *COUNTED, *REFUSED_WITH.get(response["description"], ())))}

    def operation_helper(self, *_unnamed: Any, **given: Any) -> None:
        """Completes the operations of a path."""
        for described in given["operations"].values():
            _write(self._operations[described["operationId"]], described)


def _write(operation: Operation, described: Document) -> None:
    described.setdefault("parameters", []).extend(_request_headers(operation))
    if security := _security(operation):
        described["security"] = security
    if (row := operation.deprecated) is not None:
        described["deprecated"] = True
        told = f"Deprecated since {row.since}, may be refused from {row.sunset}: {row.meaning}."
        described["description"] = f"{described.get('description', '')}\n\n{told}".strip()
    if operation.takes:
        content: Document = {media_type: {"schema": {}} for media_type in operation.takes}
        described["requestBody"] = {"content": content}
        if FORM in operation.takes:  # without one there is nothing to read; an empty file is judged
            described["requestBody"]["required"] = True
    if operation.plain is not None:
        described["requestBody"]["content"][PLAIN] = {"schema": TEXT}
    responses = described["responses"]
    for refusal in _error_statuses(operation):
        responses.setdefault(refusal.value, refusal.name)
    for status in operation.answers:
        responses[status]["headers"] = _named(_response_headers(operation))
    for media_type in operation.streams:
        responses[operation.status].setdefault("content", {})[media_type] = {"schema": TEXT}


def _security(operation: Operation) -> list[Document]:
    """Returns the security requirements; empty for public operations."""
    scope, readers = operation.reading.scope, operation.reading.readers
    scopes = ["read"] if readers else [scope] if scope else []
    named: list[Document] = [{"bearer": scopes}, {"session": []}] if scopes else []
    if named and {*scopes} <= {*SCOPES}:
        named.insert(1, {"oauth2": scopes})
    return [*named, {}] if readers else named


def _request_headers(operation: Operation) -> Iterator[str]:
    """Yields the request headers that the operation reads."""
    yield "Accept-Language"
    if LANGUAGE not in operation.parameters:
        yield LANGUAGE
    if operation.keyed:
        yield idempotency.HEADER
    if operation.tagged:
        yield "If-None-Match"
    if EVENT_STREAM in operation.streams:
        yield "Last-Event-ID"


def _response_headers(operation: Operation) -> Iterator[str]:
    """Yields the headers of a successful response."""
    yield from EVERYWHERE
    if operation.counted:
        yield from COUNTED
    if operation.tagged:
        yield "ETag"
    if operation.paged:
        yield "Link"


def _error_statuses(operation: Operation) -> Iterator[HTTPStatus]:
    """Yields the error statuses that follow from the declaration."""
    yield HTTPStatus.SERVICE_UNAVAILABLE
    yield HTTPStatus.UNPROCESSABLE_ENTITY
    if operation.counted:
        yield HTTPStatus.TOO_MANY_REQUESTS
    if operation.tagged:
        yield HTTPStatus.NOT_MODIFIED
    if operation.reading.body or operation.takes:
        yield from (HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNSUPPORTED_MEDIA_TYPE)


def by_ecma(_converter: object, _field: object, ret: Document, **_more: Any) -> Document:
    """The pattern of a text as the readers of the document understand it: they know no other end than $."""
    return {"pattern": ret["pattern"].replace("\\Z", "$").replace(SURROGATES, "")} if "pattern" in ret else {}


def without_empty_default(_converter: object, field: Any, ret: Document, **_more: Any) -> Document:
    """Of what may be left out but not be null, null is no default."""
    if field.load_default is None and not field.allow_none:
        ret.pop("default", None)
    return {}


TIDIED: Final = (by_ecma, without_empty_default)


def _named(headers: Iterator[str] | Sequence[str]) -> Document:
    return {name: name for name in headers}
