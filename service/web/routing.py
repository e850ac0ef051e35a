"""Declares routes: authenticates, parses the request by schemas, calls the view and dumps its result."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache, wraps
from typing import Any, NamedTuple, NoReturn, TypeVar, cast

import marshmallow
from flask import Blueprint, Request, Response, current_app, request
from marshmallow import Schema, fields
from webargs import missing
from webargs.flaskparser import FlaskParser, is_json_request
from werkzeug.exceptions import UnsupportedMediaType

from events.messages import Message
from projections.rules.catalogue import LANGUAGES
from service.container import Container
from service.core.errors import InvalidRequest, UnreadableBody
from service.moderation.blocks import has_text_for_others, refuse_blocked
from service.players.identity import ADMIN, Identity, refuse_guest
from service.web import auth, fastpath
from service.web.body_bounds import bound_body, bounds_of, refuse_body
from service.web.json_bodies import decode, encode
from service.web.openapi.deprecation import Deprecated, anchor, use_deprecated

View = TypeVar("View", bound=Callable[..., Any])
EXTENSION = "cabildo"
AUTHORISATION = (401, 403)
LANGUAGE = "language"  # a query parameter of every operation
NOTHING, TEXTS, EVERYTHING = "nothing", "texts for others", "everything"  # refused to a blocked account
NOTHING_ELSE: Mapping[int, type[Schema]] = {}


def container() -> Container:
    """Returns the container of the application that handles this request."""
    return cast(Container, current_app.extensions[EXTENSION])


class StrictParser(FlaskParser):
    """Parses the data of a request; raises errors of the product."""

    def load_json(self, req: Request, schema: Schema) -> Any:
        """Parses the body as JSON; raises for other media types, for ambiguous JSON and for more than is taken."""
        bounds = bounds_of(schema)
        bound_body(bounds.bytes)
        body = req.get_data()
        if not body:
            return missing
        if not is_json_request(req):
            raise UnsupportedMediaType("send application/json")
        return decode(body, bounds.values)


def raise_invalid_request(error: marshmallow.ValidationError, *_where: object, **_more: object) -> NoReturn:
    """Raises InvalidRequest with the faults of each field."""
    raise InvalidRequest(error.normalized_messages()) from error


def load_form(schema: type[Schema], given: Mapping[str, object]) -> Any:
    """Loads the fields of a form by a schema, as its loaded type that the caller names; raises InvalidRequest."""
    try:
        return schema().load(given)
    except marshmallow.ValidationError as error:
        raise InvalidRequest(error.normalized_messages()) from error


PARSER = StrictParser(error_handler=raise_invalid_request)
PLAIN = "text/plain"


class Operation(NamedTuple):
    """A declared operation, as the OpenAPI document describes it."""

    method: str
    rule: str
    view: Callable[..., Any]
    reading: "RequestData"
    answers: Mapping[int, type[Schema] | None]  # the usual one first
    refuses: Sequence[int]
    streams: Sequence[str]
    takes: Sequence[str]
    keyed: bool
    tagged: bool
    paged: bool
    counted: bool
    plain: str | None
    deprecated: Deprecated | None

    @property
    def status(self) -> int:
        """Of the usual answer."""
        return next(iter(self.answers))

    @property
    def parameters(self) -> Mapping[str, bool]:
        """The query parameters of its own, and whether each may be given several times."""
        return _parameters(self.reading.query) if self.reading.query else {}


class Routes:
    """The routes of one subject; `service.web.blueprints.ROUTES` names them all."""

    def __init__(self, name: str, description: str, *, guests: bool = False) -> None:
        self.name = name
        self.guests = guests  # whether guests may do more than read
        self.description = description
        self.operations: list[Operation] = []
        self.blueprint = Blueprint(name, name)

    def on(
        self,
        method: str,
        rule: str,
        *,
        answers: type[Schema] | None = None,
        status: int = 200,
        body: type[Schema] | None = None,
        query: type[Schema] | None = None,
        or_answers: Mapping[int, type[Schema]] = NOTHING_ELSE,
        refuses: Sequence[int] = (),
        scope: str | None = None,
        readers: bool = False,
        streams: Sequence[str] = (),
        takes: Sequence[str] = (),
        plain: str | None = None,
        keyed: bool = False,
        tagged: bool = False,
        paged: bool = False,
        counted: bool = True,
        while_blocked: bool = False,
        deprecated: Deprecated | None = None,
    ) -> Callable[[View], View]:
        """Serve a method and a path; `body` and `query` reach the view as keywords, what it returns is dumped.

        With a scope, the view also gets the `asker`, who has it; with `readers`, an asker or None, for anybody may
        ask. `streams` are media types that may be had instead, `takes` those of a body that the view reads itself.
        `plain` names the field of the body that may be sent alone, as text/plain.
        A blocked account may send what is `while_blocked`, and read, but nothing that asks for the scope `admin`.
        What is `deprecated` says so in every answer, in the document and in the changelog.
        The rest is for the document: `keyed`, an Idempotency-Key is heeded; `tagged`, the answer has an ETag; `paged`,
        it names the next page; `counted`, the limits are for it.
        """

        def declare(view: View) -> View:
            blocked = _refused_to_blocked(method, scope, while_blocked=while_blocked)
            unasked = _defaults(_made(query))
            taken = scope, readers, unasked, bool(takes), blocked, plain, self.guests or method == "GET"
            reading = RequestData(_made(body), _made(query), *taken)
            documents, refused = (
                {status: answers, **or_answers},
                (*refuses, *(AUTHORISATION if scope or readers else ())),
            )
            manner = (streams, takes, keyed, tagged, paged, counted, plain, deprecated)
            operation = Operation(method, rule, view, reading, documents, refused, *manner)
            self.operations.append(operation)
            run = _run(operation, _made(answers))
            self.blueprint.add_url_rule(rule, view.__name__, run, methods=[method])
            return view

        return declare


def operation_id(subject: Routes, operation: Operation) -> str:
    """Returns the name of an operation in the OpenAPI document."""
    return f"{subject.name.replace(' ', '_')}_{operation.view.__name__}"


def _refused_to_blocked(method: str, scope: str | None, *, while_blocked: bool) -> str:
    """Returns what a route refuses to a blocked account: it may read, but not as an administrator."""
    if while_blocked:
        return TEXTS
    return NOTHING if scope is None or (method == "GET" and scope != ADMIN) else EVERYTHING


def _made(schema: type[Schema] | None) -> Schema | None:
    return None if schema is None else schema()


def _defaults(query: Schema | None) -> Mapping[str, Any] | None:
    """Returns the loaded empty query; None without a query or with required parameters."""
    try:
        return None if query is None else cast(Mapping[str, Any], query.load({}))
    except marshmallow.ValidationError:
        return None


class RequestData(NamedTuple):
    """Parses what the view takes of a request."""

    body: Schema | None
    query: Schema | None
    scope: str | None
    readers: bool
    unasked: Mapping[str, Any] | None  # the query when nothing stands in it; None: something must
    own_body: bool  # the view reads the body itself
    refused_to_blocked: str  # NOTHING, TEXTS or EVERYTHING
    plain: str | None  # field of the body that may be sent alone, as text
    guests: bool  # whether guests may ask for it

    def read(self) -> dict[str, Any]:
        """Returns the keywords of the view; authenticates first."""
        read: dict[str, Any] = {}
        if self.scope is not None:
            read["asker"] = auth.require_identity(container().authenticator, self.scope)
            self._admit(read["asker"])
        elif self.readers:
            read["asker"] = auth.reader_identity(container().authenticator)
        if request.query_string:
            refuse_unknown_parameters(_parameters(self.query) if self.query else {})
        if self.body is None and not self.own_body:
            refuse_body()
        if self.query is not None and (request.query_string or self.unasked is None):
            read["query"] = PARSER.parse(self.query, location="query")
        elif self.unasked is not None:
            read["query"] = dict(self.unasked)
        if self.body is not None:
            read["body"] = _body(self.body, self.plain)
            if self.refused_to_blocked == TEXTS and has_text_for_others(read["body"]):
                check_not_blocked(read["asker"])
        return read

    def _admit(self, asker: Identity) -> None:
        """Raises NotAllowed for a guest and AccountBlocked for a blocked account, where the route is not for them."""
        if not self.guests:
            refuse_guest(asker)
        if self.refused_to_blocked == EVERYTHING:
            check_not_blocked(asker)


def check_not_blocked(asker: Identity) -> None:
    """Raises AccountBlocked for a client whose account an administrator has blocked; asks the database each time."""
    here = container()
    with here.stores.pool.connection() as connection:
        refuse_blocked(connection, here.now(), asker.player)


def refuse_unknown_parameters(several: Mapping[str, bool]) -> None:
    """Raises InvalidRequest for a query parameter that is not among these, and for one given twice.

    To drop it would answer another question than the client asked. `several` says which may be given item by item.
    """
    several = {LANGUAGE: False, **several}
    faults: dict[str, list[str]] = {}
    for name, values in request.args.lists():
        if name not in several:
            faults[name] = [Message("Unknown field.")]
        elif len(values) > 1 and not several[name]:
            faults[name] = [Message("is given more than once")]
    if (values := request.args.getlist(LANGUAGE)) and values[0] not in LANGUAGES:
        faults.setdefault(LANGUAGE, [Message("is none of {languages}", languages=", ".join(LANGUAGES))])
    if faults:
        raise InvalidRequest({"query": faults})


@cache
def _parameters(query: Schema) -> Mapping[str, bool]:
    """The names of query parameters, and whether each may be given several times."""
    return {field.data_key or name: isinstance(field, fields.List) for name, field in query.load_fields.items()}


def _body(schema: Schema, plain: str | None) -> Any:
    """Loads the body by the schema; the parser's own way takes three times as long."""
    if plain is not None and request.mimetype == PLAIN:
        given: Any = {plain: _plain_text(schema)}
    else:
        given = PARSER.load_json(request, schema)
    try:
        return fastpath.load_plain(schema, {} if given is missing else given)
    except marshmallow.ValidationError as error:
        raise InvalidRequest({"json": error.normalized_messages()}) from error


def _plain_text(schema: Schema) -> str:
    """Returns a body of plain text; raises UnreadableBody unless it is UTF-8."""
    bound_body(bounds_of(schema).bytes)
    try:
        return request.get_data().decode()
    except UnicodeDecodeError as fault:
        raise UnreadableBody("the text is not UTF-8") from fault


def _run(operation: Operation, answers: Schema | None) -> Callable[..., Response]:
    """Wraps a view for Flask: parses the request and dumps the result."""
    view, reading, status, deprecated = operation.view, operation.reading, operation.status, operation.deprecated
    name = anchor(operation.method, operation.rule)

    @wraps(view)
    def run(**path: Any) -> Response:
        if deprecated is not None:
            use_deprecated(name, deprecated)
        result = view(**path, **reading.read())
        if isinstance(result, Response):
            return result
        body = b"" if answers is None else encode(answers.dump(result))
        return Response(body, status=status, content_type="application/json")

    return run
