"""Tells every failure of a request as an RFC 9457 problem: our refusals, those of HTTP, and what nobody foresaw."""

import json
from collections.abc import Mapping
from http import HTTPStatus

import structlog
from flask import Flask, Response, has_request_context
from werkzeug.exceptions import HTTPException, InternalServerError

from events.errors import CabildoError
from projections.rules.errors import IllegalMove
from service.core.errors import InvalidRequest, StoreUnavailable
from service.core.logs import REQUEST
from service.core.stores import POSTGRESQL_AWAY, REDIS_AWAY
from service.i18n import messages
from service.i18n.titles import title
from service.web import responses
from service.web.problem_types import MEDIA_TYPE, TYPES_AT, Problem, problem_of, type_name

KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate", "Location", "Content-Range", "Accept")
RESERVED = frozenset(("type", "title", "status", "detail", "instance", "request_id"))
log = structlog.get_logger("service.web.error_handlers")


def answer(problem: Problem, detail: str, extensions: Mapping[str, object] | None = None) -> Response:
    """A response that tells a problem."""
    language = reader_language()
    document: dict[str, object] = {
        "type": TYPES_AT + problem.name,
        "title": messages.told(title(problem, language), language),
        "status": problem.status,
        "detail": messages.told(detail, language),
    }
    if has_request_context() and (request := REQUEST.get(None)) is not None:
        document["request_id"] = request
    document.update((name, value) for name, value in (extensions or {}).items() if name not in RESERVED)
    body = json.dumps(document, default=plain, ensure_ascii=False)
    return Response(body, status=problem.status, content_type=MEDIA_TYPE)


def reader_language() -> str:
    """The language of who asked; English outside a request."""
    return responses.language() if has_request_context() else responses.LANGUAGES[0]


def plain(value: object) -> object:
    """Data of an error as JSON has it: bytes in hex, everything else by its text."""
    return value.hex() if isinstance(value, bytes) else str(value)


def tell_refusal(error: CabildoError) -> Response:
    """Our own errors: their sentence, and their data beside it."""
    problem = problem_of(error)
    if problem.status == HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("service fault", problem=problem.name, exc_info=error)
    extensions = {name: value for name, value in vars(error).items() if not name.startswith("_")}
    language = reader_language()
    detail = messages.refusal(error, language)
    if isinstance(error, IllegalMove):
        extensions["sentence"] = detail
    if isinstance(error, InvalidRequest):
        extensions["errors"] = messages.faults(error.errors, language)
    response = answer(problem, detail, extensions)
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE:
        response.headers["Retry-After"] = "2"
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="cabildo"'
    return response


def tell_http(error: HTTPException) -> Response:
    """What HTTP itself refuses: 404, 405, 413, 415 and their like."""
    original = error.get_response()
    status = original.status_code
    if status < HTTPStatus.BAD_REQUEST:  # a redirection is no problem
        return Response(status=status, headers={"Location": original.headers["Location"]})
    response = answer(Problem(type_name(status), status, HTTPStatus(status).phrase), error.description or "")
    for header in KEPT_HEADERS:
        if header in original.headers:
            response.headers[header] = original.headers[header]
    return response


def tell_unexpected(error: Exception) -> Response:
    """A fault of ours: the whole of it in the log, nothing of it to the client."""
    log.error("unexpected failure", exc_info=error)
    return tell_http(InternalServerError("the fault is ours; quote the request id when you report it"))


def tell_postgresql_away(error: Exception) -> Response:
    """PostgreSQL is gone for the moment."""
    log.warning("postgresql does not answer", reason=str(error))
    return tell_refusal(StoreUnavailable("postgresql"))


def tell_redis_away(error: Exception) -> Response:
    """Redis is gone for the moment, and this operation cannot do without."""
    log.warning("redis does not answer", reason=str(error))
    return tell_refusal(StoreUnavailable("redis"))


def tell_all(app: Flask) -> None:
    """Let the application answer every failure with a problem."""
    app.register_error_handler(CabildoError, tell_refusal)
    app.register_error_handler(HTTPException, tell_http)
    app.register_error_handler(Exception, tell_unexpected)
    away = ((POSTGRESQL_AWAY, tell_postgresql_away), (REDIS_AWAY, tell_redis_away))
    for kind, tell in ((kind, tell) for kinds, tell in away for kind in kinds):
        app.register_error_handler(kind, tell)
