"""The OpenAPI document, and a self-hosted page to read and try the API."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from flask import Blueprint, Response, json, render_template

from service.web.idempotency import HEADER
from service.web.problem_types import PROBLEMS
from service.web.routing import Routes

METHODS = ("get", "post", "put", "patch", "delete")
EXAMPLES = {"string": "", "integer": 0, "number": 0, "boolean": False, "null": None}
Document = Mapping[str, Any]


class DocumentedOperation(NamedTuple):
    """An operation as the page shows it."""

    key: str
    method: str
    path: str
    summary: str
    description: str
    parameters: list[Document]
    body: Any
    responses: list[tuple[str, str]]


def pages(subjects: tuple[Routes, ...]) -> Blueprint:
    """Returns the document and the pages for these routes."""
    blueprint = Blueprint("docs", __name__)

    def document() -> Document:
        from service.web.openapi import specification  # imported on use: slow to load, and few processes serve it

        return specification.document(subjects)

    @blueprint.get("/openapi.json")
    def openapi_json() -> Response:
        return Response(json.dumps(document(), indent=2, sort_keys=False), mimetype="application/json")

    @blueprint.get("/docs")
    def docs() -> str:
        specified = document()
        return render_template("docs.html", info=specified["info"], groups=groups(specified))

    @blueprint.get("/problems")
    def problems() -> str:
        reasons = sorted((problem, (error.__doc__ or "").strip()) for error, problem in PROBLEMS.items())
        return render_template("problems.html", reasons=reasons)

    return blueprint


def groups(document: Document) -> list[tuple[Document, list[DocumentedOperation]]]:
    """Returns the operations of an OpenAPI document by tag."""
    tagged: dict[str, list[DocumentedOperation]] = {}
    for tag, operation in _operations(document):
        tagged.setdefault(tag, []).append(operation)
    return [(tag, tagged[tag["name"]]) for tag in document.get("tags", ()) if tag["name"] in tagged]


def _operations(document: Document) -> Iterator[tuple[str, DocumentedOperation]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                yield item[method]["tags"][0], _operation(document, path, method, item)


def _operation(document: Document, path: str, method: str, item: Document) -> DocumentedOperation:
    found = item[method]
    parameters = [_resolved(document, one) for one in (*item.get("parameters", ()), *found.get("parameters", ()))]
    content = found.get("requestBody", {}).get("content", {}).get("application/json")
    return DocumentedOperation(
        key=f"{method}{path}".replace("/", "-").strip("-"),
        method=method.upper(),
        path=path,
        summary=found.get("summary", ""),
        description=found.get("description", ""),
        parameters=[one for one in parameters if one["in"] != "header" or one["name"] == HEADER],
        body=example(document, content["schema"]) if content else None,
        responses=[
            (status, _resolved(document, answer)["description"]) for status, answer in found["responses"].items()
        ],
    )


def example(document: Document, schema: Document, depth: int = 0) -> Any:
    """Returns an example value for a schema."""
    schema = _resolved(document, schema)
    given = next((schema[name] for name in ("example", "default", "const") if name in schema), None)
    if given is not None:
        return given
    if "enum" in schema:
        return schema["enum"][0]
    kind = schema.get("type", "object")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "array":
        return [example(document, schema["items"], depth + 1)] if "items" in schema and depth < 3 else []
    if kind != "object":
        return EXAMPLES[kind]
    fields = schema.get("properties", {}) if depth < 3 else {}
    return {name: example(document, field, depth + 1) for name, field in fields.items() if not field.get("readOnly")}


def _resolved(document: Document, value: Document) -> Document:
    """Returns the value that a `$ref` points to."""
    if "$ref" not in value:
        return value
    target: Any = document
    for step in value["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return _resolved(document, target)
