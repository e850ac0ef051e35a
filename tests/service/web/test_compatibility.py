"""The API keeps its promise: no change breaks clients of the last release without being named."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.support.service.openapi_changes import breaking_changes

RELEASED = Path(__file__).parent / "released"
LEGAL = "/v1/games/{game}/legal"


def released() -> Any:
    """Returns the stored document of the last release."""
    newest = max(RELEASED.glob("openapi-*.json"), key=lambda file: [int(part) for part in file.stem[8:].split(".")])
    return json.loads(newest.read_text())


def test_every_breaking_change_is_named(client: FlaskClient) -> None:
    named = [line for line in (RELEASED / "breaking.txt").read_text().splitlines() if not line.startswith("#")]
    assert breaking_changes(released(), client.get("/openapi.json").get_json()) == named


def test_a_document_breaks_nothing_of_itself() -> None:
    assert breaking_changes(released(), released()) == []


def schema(document: Any, name: str) -> Any:
    return document["components"]["schemas"][name]


def without_operation(document: Any) -> None:
    del document["paths"][LEGAL]


def without_parameter(document: Any) -> None:
    get = document["paths"][LEGAL]["get"]
    get["parameters"] = [one for one in get["parameters"] if one.get("name") != "why_not"]


def with_a_required_field(document: Any) -> None:
    schema(document, "NewMove")["required"].append("expected")


def with_a_shorter_text(document: Any) -> None:
    schema(document, "NewMove")["properties"]["move"]["maxLength"] = 5


def with_fewer_values(document: Any) -> None:
    schema(document, "NewGame")["properties"]["visibility"]["enum"].remove("public")


def without_a_field(document: Any) -> None:
    del schema(document, "LegalMovesDocument")["properties"]["decision"]


def with_another_type(document: Any) -> None:
    schema(document, "LegalMovesDocument")["properties"]["version"]["type"] = "string"


def with_null(document: Any) -> None:
    schema(document, "LegalMovesDocument")["properties"]["version"]["type"] = ["integer", "null"]


def with_an_optional_field(document: Any) -> None:
    schema(document, "LegalMovesDocument")["required"].remove("version")


def with_another_scope(document: Any) -> None:
    document["paths"]["/v1/games"]["post"]["security"] = [{"bearer": ["admin"]}]


def for_clients_with_a_token(document: Any) -> None:
    document["paths"][LEGAL]["get"]["security"].remove({})


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (without_operation, f"GET {LEGAL}: is gone"),
        (without_parameter, f"GET {LEGAL}: parameter why_not: is gone"),
        (with_a_required_field, "POST /v1/games/{game}/moves: body.expected: is required"),
        (with_a_shorter_text, "POST /v1/games/{game}/moves: body.move: maxLength is 5"),
        (with_fewer_values, "POST /v1/games: body.visibility: public is refused"),
        (without_a_field, f"GET {LEGAL}: answer 200.decision: is gone"),
        (with_another_type, f"GET {LEGAL}: answer 200.version: may be string"),
        (with_null, f"GET {LEGAL}: answer 200.version: may be null"),
        (with_an_optional_field, f"GET {LEGAL}: answer 200.version: may be left out"),
        (with_another_scope, "POST /v1/games: security: takes ['admin']"),
        (for_clients_with_a_token, f"GET {LEGAL}: security: anonymous clients are refused"),
    ],
    ids=lambda value: value.__name__ if callable(value) else "",
)
def test_a_change_that_breaks_clients_is_named(change: Any, named: str) -> None:
    document = copy.deepcopy(released())
    change(document)
    assert named in breaking_changes(released(), document)


def test_additions_break_nobody() -> None:
    document = copy.deepcopy(released())
    document["paths"]["/v1/more"] = document["paths"]["/v1/me"]
    schema(document, "LegalMovesDocument")["properties"]["more"] = {"type": "string"}
    schema(document, "NewMove")["properties"]["more"] = {"type": "string"}
    document["paths"][LEGAL]["get"]["parameters"].append({"name": "more", "in": "query", "schema": {}})
    assert breaking_changes(released(), document) == []
