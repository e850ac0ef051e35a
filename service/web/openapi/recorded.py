"""The recorded examples of the API: real requests and answers of every operation."""

import json
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, NotRequired, TypedDict
from urllib.parse import quote, urlencode

FORM: Final = "application/x-www-form-urlencoded"
EXAMPLES_FILE: Final = Path(__file__).with_name("examples.json")


class RecordedAnswer(TypedDict, total=False):
    """An answer in one media type."""

    summary: str  # of an answer that is not whole
    value: Any


class RecordedRequest(TypedDict):
    """A request that succeeded."""

    path: str
    query: Mapping[str, str]
    body: Any
    status: int


class RecordedExample(TypedDict):
    """A request and its answers by media type; the answers of other requests by status, too."""

    request: RecordedRequest
    answers: Mapping[str, RecordedAnswer]
    others: NotRequired[Mapping[str, Mapping[str, RecordedAnswer]]]


EXAMPLES: Final[Mapping[str, RecordedExample]] = json.loads(EXAMPLES_FILE.read_text(encoding="utf-8"))
NAME: Final = "recorded"


def add_examples(document: Mapping[str, Any]) -> None:
    """Adds to an OpenAPI document what was recorded: each operation's request, also as a line of curl, and answers."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            example = EXAMPLES.get(f"{method.upper()} {path}")
            if example is not None:
                _add(operation, method.upper(), example)


def _add(operation: dict[str, Any], method: str, example: RecordedExample) -> None:
    request = example["request"]
    taken = operation.get("requestBody", {}).get("content", {})
    kind = next(iter(taken), "")
    if request["body"] is not None and kind:
        taken[kind]["examples"] = {NAME: {"value": request["body"]}}
    is_private = {} not in operation.get("security", [{}])
    operation["x-codeSamples"] = [{"lang": "curl", "source": curl(method, request, kind, is_private=is_private)}]
    for status, answers in answers_by_status(example).items():
        content = operation["responses"][status].get("content", {})
        for media_type, answer in answers.items():
            if media_type in content:
                content[media_type]["examples"] = {NAME: answer}


def answers_by_status(example: RecordedExample) -> Mapping[str, Mapping[str, RecordedAnswer]]:
    """Returns the recorded answers by status and media type, the usual status first."""
    usual, others = str(example["request"]["status"]), example.get("others", {})
    return {usual: {**example["answers"], **others.get(usual, {})}, **{s: o for s, o in others.items() if s != usual}}


def curl(method: str, request: RecordedRequest, kind: str, *, is_private: bool) -> str:
    """Returns a request as a command; a body in one line."""
    query = urlencode(request["query"])
    address = quote(f"$URL{request['path']}{'?' if query else ''}{query}", safe="$/:?&=")
    parts = ["curl"] if method == "GET" else [f"curl -X {method}"]
    parts.append(f'"{address}"')
    if is_private:
        parts.append('-H "Authorization: Bearer $TOKEN"')
    if request["body"] is not None:
        sent = urlencode(request["body"]) if kind == FORM else json.dumps(request["body"], ensure_ascii=False)
        parts += ([] if kind == FORM else [f'-H "Content-Type: {kind}"']) + [f"-d {shlex.quote(sent)}"]
    return " \\\n  ".join(parts)
