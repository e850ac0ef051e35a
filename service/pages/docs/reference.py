"""The operations of the OpenAPI document, as the reference shows them."""

import json
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, NamedTuple

from service.web.idempotency import HEADER
from service.web.openapi.deprecation import Deprecated, anchor
from service.web.openapi.recorded import EXAMPLES, RecordedExample, answers_by_status
from service.web.openapi.trials import TRIALS, FormTrial
from service.web.routing import Operation, Routes, operation_id

Document = Mapping[str, Any]
METHODS: Final = ("get", "post", "put", "patch", "delete")
OPEN: Final = "$"  # before the name of a value that is found or made


class ShownAnswer(NamedTuple):
    """A recorded answer in one media type."""

    status: str
    media_type: str
    summary: str
    text: str


class DocumentedOperation(NamedTuple):
    """An operation as its page shows it."""

    key: str  # the anchor
    method: str
    path: str
    summary: str
    description: str
    scopes: tuple[str, ...]
    parameters: tuple[Document, ...]
    trial: FormTrial
    body: str  # that the form begins with
    media_type: str  # of the body; empty without one
    request: str  # recorded, as a command
    status: int  # of the recorded request
    answers: tuple[ShownAnswer, ...]
    responses: tuple[tuple[str, str], ...]
    deprecated: Deprecated | None
    ended_at: str  # its anchor in the changelog

    @property
    def is_open(self) -> bool:
        """Whether the form leaves values to be found or made."""
        return bool(self.trial.get("needs")) or OPEN in self.body

    def filled(self, parameter: Document) -> str:
        """Returns the value that a parameter's field begins with."""
        name, place = parameter["name"], parameter["in"]
        given = {"path": self.trial.get("path", {}), "query": self.trial.get("query", {})}.get(place, {})
        made = f"{OPEN}{name}" if place == "path" and self.trial.get("needs") else ""
        return given.get(name, made)


class Subject(NamedTuple):
    """The operations of a subject, on a page of their own."""

    name: str
    slug: str
    description: str
    operations: tuple[DocumentedOperation, ...]


@cache
def subjects(routes: tuple[Routes, ...]) -> Mapping[str, Subject]:
    """Returns the subjects of the API by the name of their page."""
    from service.web.openapi import specification  # imported on use: slow to load, and few processes serve it

    document = specification.document(routes)
    tagged: dict[str, list[DocumentedOperation]] = {tag["name"]: [] for tag in document.get("tags", ())}
    declared = {operation_id(subject, one): one for subject in routes for one in subject.operations}
    for tag, operation in _operations(document, declared):
        tagged[tag].append(operation)
    found = [
        Subject(tag["name"].replace("_", " "), slug(tag["name"]), tag["description"], tuple(tagged[tag["name"]]))
        for tag in document.get("tags", ())
    ]
    return {subject.slug: subject for subject in found if subject.operations}


def slug(name: str) -> str:
    """Returns the name of a subject's page."""
    return name.replace(" ", "-").replace("_", "-")


def _operations(document: Document, declared: Mapping[str, Operation]) -> Iterator[tuple[str, DocumentedOperation]]:
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                found = item[method]
                yield found["tags"][0], _operation(document, path, method, item, declared[found["operationId"]])


def _operation(document: Document, path: str, method: str, item: Document, declared: Operation) -> DocumentedOperation:
    found = item[method]
    parameters = [_resolved(document, one) for one in (*item.get("parameters", ()), *found.get("parameters", ()))]
    name = f"{method.upper()} {path}"
    trial, example = TRIALS.get(name, {}), EXAMPLES.get(name)
    return DocumentedOperation(
        key=found["operationId"],
        method=method.upper(),
        path=path,
        summary=found.get("summary", ""),
        description=found.get("description", ""),
        scopes=tuple(scope for need in found.get("security", ()) for scope in need.get("bearer", ())),
        parameters=tuple(one for one in parameters if one["in"] != "header" or one["name"] == HEADER),
        trial=trial,
        body=_json(trial["body"]) if "body" in trial else "",
        media_type=next(iter(found.get("requestBody", {}).get("content", {})), ""),
        request=next((sample["source"] for sample in found.get("x-codeSamples", ())), ""),
        status=example["request"]["status"] if example else 0,
        answers=_answers(example),
        responses=tuple(
            (status, _resolved(document, answer)["description"]) for status, answer in found["responses"].items()
        ),
        deprecated=declared.deprecated,
        ended_at=anchor(declared.method, declared.rule),
    )


def _answers(example: RecordedExample | None) -> tuple[ShownAnswer, ...]:
    return tuple(
        ShownAnswer(status, media_type, answer.get("summary", ""), _text(answer["value"]))
        for status, answers in (answers_by_status(example) if example else {}).items()
        for media_type, answer in answers.items()
    )


def _text(value: Any) -> str:
    return value if isinstance(value, str) else _json(value)


def _json(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _resolved(document: Document, value: Document) -> Document:
    """Returns the value that a `$ref` points to."""
    if "$ref" not in value:
        return value
    target: Any = document
    for step in value["$ref"].removeprefix("#/").split("/"):
        target = target[step]
    return _resolved(document, target)
