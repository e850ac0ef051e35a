"""Builds the OpenAPI document of the declared routes, on the first request for it."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any

from flask import Flask
from flask_smorest import Api, Blueprint
from marshmallow import INCLUDE, Schema, fields

from events.errors import CabildoError, StaleVersion
from projections.rules.catalogue import LANGUAGES
from service.core.errors import (
    InvalidRequest,
    NotThere,
    ScopeMissing,
    StoreUnavailable,
    Unauthenticated,
    UnreadableBody,
)
from service.version import VERSION
from service.web.openapi.plugin import ABOUT, TIDIED, OpenApiPlugin
from service.web.openapi.problem_members import add_problem_schemas
from service.web.openapi.recorded import add_examples
from service.web.problem_types import MEDIA_TYPE, PROBLEMS, TYPE_PREFIX, type_name
from service.web.routing import Operation, Routes, operation_id

USUAL: Mapping[int, type[CabildoError]] = {  # status -> the error that stands for it in examples
    400: UnreadableBody,
    401: Unauthenticated,
    403: ScopeMissing,
    404: NotThere,
    409: StaleVersion,
    422: InvalidRequest,
    503: StoreUnavailable,
}
IN_LANGUAGE = {"description": f"in the language of Accept-Language: {', '.join(LANGUAGES)}"}
SETTINGS = {"API_TITLE": "Cabildo", "API_VERSION": VERSION, "OPENAPI_VERSION": "3.1.0"}
SPEC = {"info": {"description": ABOUT}}


class ProblemDocument(Schema):
    """An RFC 9457 problem; more members tell the data of the reason; schemas `Problem_...` name them."""

    type = fields.String(required=True, metadata={"description": "stable, one per reason"})
    title = fields.String(required=True, metadata=IN_LANGUAGE)
    status = fields.Integer(required=True)
    detail = fields.String(required=True, metadata=IN_LANGUAGE)
    request_id = fields.String(metadata={"description": "quote it when you report a fault"})

    class Meta:
        unknown = INCLUDE


@cache
def document(subjects: tuple[Routes, ...]) -> Mapping[str, Any]:
    """Returns the OpenAPI document of these routes."""
    app = Flask("openapi")  # answers nothing: smorest describes what is registered with an application
    app.config.update(SETTINGS)
    operations = {operation_id(subject, one): one for subject in subjects for one in subject.operations}
    api = Api(spec_kwargs={"extra_plugins": [OpenApiPlugin(operations)], **SPEC})
    api.ERROR_SCHEMA = ProblemDocument
    api.DEFAULT_RESPONSE_CONTENT_TYPE = MEDIA_TYPE  # while the error responses are documented
    api.init_app(app)
    api.DEFAULT_RESPONSE_CONTENT_TYPE = "application/json"
    for tidied in TIDIED:
        api.ma_plugin.converter.add_attribute_function(tidied)
    for subject in subjects:
        api.register_blueprint(_described(subject))
    described: dict[str, Any] = api.spec.to_dict()
    for name, response in described["components"]["responses"].items():
        if MEDIA_TYPE in response.get("content", {}):
            response["content"][MEDIA_TYPE]["example"] = _problem_example(name)
    add_problem_schemas(described)
    add_examples(described)
    return described


def _problem_example(name: str) -> dict[str, Any]:
    """Returns a problem with the status of this name."""
    status = HTTPStatus[name].value if name in HTTPStatus.__members__ else HTTPStatus.INTERNAL_SERVER_ERROR.value
    problem = PROBLEMS.get(USUAL[status]) if status in USUAL else None
    kind = type_name(status) if problem is None else problem.name
    title = HTTPStatus(status).phrase if problem is None else problem.title
    told = {"type": TYPE_PREFIX + kind, "title": title, "status": status, "detail": title}
    return {**told, "request_id": "11a8dc8a0aed00002eb4000000000012"}


def _described(subject: Routes) -> Any:
    blueprint = Blueprint(subject.name, subject.name, description=subject.description)
    for operation in subject.operations:
        view = operation.view
        for decorate in (*_responses(blueprint, operation), *_arguments(blueprint, operation)):
            view = decorate(view)
        view = blueprint.doc(operationId=operation_id(subject, operation))(view)
        blueprint.route(operation.rule, methods=[operation.method])(view)
    return blueprint


def _responses(blueprint: Any, operation: Operation) -> Iterator[Callable[..., Any]]:
    """Yields decorators that document the responses."""
    (status, usual), *others = operation.answers.items()
    yield blueprint.response(status, usual)
    for other, schema in others:
        yield blueprint.alt_response(other, schema=schema, success=True)
    for refused in operation.refuses:
        yield blueprint.alt_response(refused, HTTPStatus(refused).name)


def _arguments(blueprint: Any, operation: Operation) -> Iterator[Callable[..., Any]]:
    """Yields decorators that document the body and the query."""
    body, query = operation.reading.body, operation.reading.query
    if body is not None:
        needed = any(field.required for field in body.fields.values())
        yield blueprint.arguments(body, location="json", required=needed)
    if query is not None:
        yield blueprint.arguments(query, location="query")
