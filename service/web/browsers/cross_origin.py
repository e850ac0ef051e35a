"""Which requests pages of other origins may send (CORS): those of the API, with a token in a header and no cookie."""

from collections.abc import Iterable
from functools import partial
from typing import Final

from flask import Flask, Response, request

from service.core.errors import NotAllowed
from service.oauth.documents import DEVICE, METADATA, REVOKE, TOKEN
from service.web.auth import SAFE_METHODS, SESSION_COOKIE
from service.web.routing import Operation, Routes

OPEN_FOLDERS: Final = ("/v1/", "/log/")
OPEN_PATHS: Final = frozenset(("/openapi.json", METADATA))
WITHOUT_TOKEN: Final = frozenset((TOKEN, REVOKE, DEVICE))  # writes that take their secrets in the body
FOR_ANSWERS: Final = frozenset(("/v1/analysis", "/v1/verify"))  # they store nothing and try nobody's password
METHODS: Final = "GET, HEAD, POST, PUT, PATCH, DELETE"
REQUEST_HEADERS: Final = (
    "Accept-Language, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, X-Seat-Of"
)
REMEMBERED: Final = "7200"  # seconds for which a browser keeps the answer to a preflight request
ELSEWHERE: Final = ("cross-site", "same-site")  # values of Sec-Fetch-Site, which scripts cannot set
CREDENTIAL: Final = "authorization"  # a header


def open_to_other_origins(app: Flask, subjects: Iterable[Routes]) -> None:
    """Answers pages of any origin that ask the API without a cookie; refuses their writes that bring no token.

    Writes that need no account are refused to them whatever they bring, for nobody reads the token of such a request:
    any page could use the addresses of its visitors to register accounts and guess passwords.
    """
    home = frozenset(
        _write(operation.method, operation.rule)
        for subject in subjects
        for operation in subject.operations
        if needs_no_account(operation) and operation.rule not in WITHOUT_TOKEN | FOR_ANSWERS
    )
    app.before_request(partial(_refuse_from_elsewhere, home))
    app.after_request(partial(_tell_browser, home))


def needs_no_account(operation: Operation) -> bool:
    """Returns whether an operation is a write that does not ask who the client is."""
    return operation.method not in SAFE_METHODS and operation.reading.scope is None and not operation.reading.readers


def _refuse_from_elsewhere(home: frozenset[str]) -> None:
    """Raises NotAllowed for a write from a page of another origin without a token, and for one of these."""
    elsewhere = request.headers.get("Sec-Fetch-Site") in ELSEWHERE
    if not elsewhere or request.method in SAFE_METHODS or not request.path.startswith(OPEN_FOLDERS):
        return
    if _asked(request.method) in home:
        raise NotAllowed("cross_origin", "only pages of this service may send this")
    if CREDENTIAL not in request.headers:
        raise NotAllowed("cross_origin", "a page of another origin has to send Authorization: Bearer cab_...")


def _tell_browser(home: frozenset[str], response: Response) -> Response:
    """Adds the headers that let a script of another origin read the answer; never to one that a cookie authorised."""
    if not _is_open(request.path) or (CREDENTIAL not in request.headers and SESSION_COOKIE in request.cookies):
        return response
    headers = response.headers
    headers["Access-Control-Allow-Origin"] = "*"
    wanted = request.headers.get("Access-Control-Request-Method") if request.method == "OPTIONS" else None
    if wanted is None:
        headers["Access-Control-Expose-Headers"] = "*"
    elif _asked(wanted) not in home and _may_send(wanted):
        headers["Access-Control-Allow-Methods"] = METHODS
        headers["Access-Control-Allow-Headers"] = REQUEST_HEADERS
        headers["Access-Control-Max-Age"] = REMEMBERED
    else:
        del headers["Access-Control-Allow-Origin"]
    return response


def _is_open(path: str) -> bool:
    return path.startswith(OPEN_FOLDERS) or path in OPEN_PATHS or path in WITHOUT_TOKEN


def _may_send(method: str) -> bool:
    """Returns whether a preflight request announces a read, a token, or a request of OAuth."""
    announced = request.headers.get("Access-Control-Request-Headers", "").lower().replace(" ", "").split(",")
    return method in SAFE_METHODS or CREDENTIAL in announced or request.path in WITHOUT_TOKEN


def _asked(method: str) -> str:
    """Returns the route of the request, with the method that it has or announces."""
    return _write(method, "" if request.url_rule is None else request.url_rule.rule)


def _write(method: str, rule: str) -> str:
    return f"{method} {rule}"
