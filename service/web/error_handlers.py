"""Answers every error of a request with an RFC 9457 problem: errors of the product, of HTTP, and unexpected ones."""

import json
from collections.abc import Mapping
from http import HTTPStatus

import psycopg
import structlog
from flask import Flask, Response, has_request_context
from psycopg.errors import ReadOnlySqlTransaction
from werkzeug.exceptions import HTTPException, InternalServerError

from events.errors import CabildoError, StoreReadOnly
from events.store.write_errors import is_broken
from projections.rules.catalogue import ENGLISH
from projections.rules.errors import IllegalMove, UnreadableMove
from service.core.errors import InvalidRequest, StoreUnavailable
from service.core.logs import REQUEST
from service.core.stores import POSTGRESQL_AWAY, REDIS_AWAY
from service.i18n import messages
from service.rulebook.addresses import address_of_refusal
from service.web import responses
from service.web.error_excerpts import LONGEST_VALUE, clipped, first_faults, shortened
from service.web.problem_types import MEDIA_TYPE, TYPE_PREFIX, Problem, problem_of, type_name

KEPT_HEADERS = ("Allow", "Retry-After", "WWW-Authenticate", "Location", "Content-Range", "Accept")
RESERVED = frozenset(("type", "title", "status", "detail", "instance", "request_id"))
log = structlog.get_logger("service.web.error_handlers")


def problem_response(problem: Problem, detail: str, extensions: Mapping[str, object] | None = None) -> Response:
    """Returns the response of a problem."""
    language = problem_language()
    document: dict[str, object] = {
        "type": TYPE_PREFIX + problem.name,
        "title": messages.translate(problem.title, language),
        "status": problem.status,
        "detail": shortened(messages.translate(detail, language), LONGEST_VALUE),
    }
    if has_request_context() and (request := REQUEST.get(None)) is not None:
        document["request_id"] = request
    document.update((name, clipped(value)) for name, value in (extensions or {}).items() if name not in RESERVED)
    body = json.dumps(document, default=json_value, ensure_ascii=False)
    return Response(body, status=problem.status, content_type=MEDIA_TYPE)


def problem_language() -> str:
    """Returns the language of the client; English outside a request."""
    return responses.request_language() if has_request_context() else ENGLISH


def json_value(value: object) -> object:
    """Returns a value of an error for JSON: bytes in hex, other values as text."""
    return value.hex() if isinstance(value, bytes) else str(value)


def handle_cabildo_error(error: CabildoError) -> Response:
    """Answers an error of the product with its sentence and its data."""
    problem = problem_of(error)
    if problem.status == HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("service fault", problem=problem.name, exc_info=error)
    extensions = {name: value for name, value in vars(error).items() if not name.startswith("_")}
    if isinstance(error, IllegalMove | UnreadableMove) and error.game is None:
        del extensions["game"]
    language = problem_language()
    detail = messages.error_sentence(error, language)
    if isinstance(error, IllegalMove):
        extensions["sentence"] = detail
    if (page := address_of_refusal(error, language)) is not None:
        extensions["rule_page"] = page
    if isinstance(error, InvalidRequest):
        faults, more = first_faults(error.errors)
        extensions["errors"] = messages.translate_faults(faults or {}, language)
        if more:
            extensions["more_errors"] = more
    response = problem_response(problem, detail, extensions)
    if problem.status == HTTPStatus.SERVICE_UNAVAILABLE or "retry_after" in extensions:
        response.headers["Retry-After"] = str(extensions.get("retry_after", 2))
    if problem.status == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = 'Bearer realm="cabildo"'
    return response


def handle_http_error(error: HTTPException) -> Response:
    """Answers errors of HTTP: 404, 405, 413, 415 and the like."""
    original = error.get_response()
    status = original.status_code
    if status < HTTPStatus.BAD_REQUEST:  # a redirection is no problem
        return Response(status=status, headers={"Location": original.headers["Location"]})
    response = problem_response(Problem(type_name(status), status, HTTPStatus(status).phrase), error.description or "")
    for header in KEPT_HEADERS:
        if header in original.headers:
            response.headers[header] = original.headers[header]
    return response


def handle_unexpected_error(error: Exception) -> Response:
    """Logs an unexpected error in full and returns a 500 without its details."""
    if isinstance(error, psycopg.DatabaseError) and is_broken(error):
        return handle_postgresql_away(error)  # a server of a cluster was lost
    log.error("unexpected failure", exc_info=error)
    return handle_http_error(InternalServerError("the service failed; quote the request id when you report it"))


def handle_postgresql_away(error: Exception) -> Response:
    """Answers 503 while PostgreSQL is unavailable."""
    log.warning("postgresql does not answer", reason=str(error))
    return handle_cabildo_error(StoreUnavailable("postgresql"))


def handle_read_only(_error: Exception) -> Response:
    """Answers 503 to a write while the database is read-only."""
    return handle_cabildo_error(StoreReadOnly())


def handle_redis_away(error: Exception) -> Response:
    """Answers 503 when an operation needs Redis and it is unavailable."""
    log.warning("redis does not answer", reason=str(error))
    return handle_cabildo_error(StoreUnavailable("redis"))


def register_error_handlers(app: Flask) -> None:
    """Registers the handlers with the application."""
    app.register_error_handler(CabildoError, handle_cabildo_error)
    app.register_error_handler(HTTPException, handle_http_error)
    app.register_error_handler(Exception, handle_unexpected_error)
    app.register_error_handler(ReadOnlySqlTransaction, handle_read_only)
    away = ((POSTGRESQL_AWAY, handle_postgresql_away), (REDIS_AWAY, handle_redis_away))
    for kind, tell in ((kind, tell) for kinds, tell in away for kind in kinds):
        app.register_error_handler(kind, tell)
