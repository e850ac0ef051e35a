"""Objects in objects, 200 deep: every way in for JSON refuses them with a typed problem, and none ends in a fault."""

import json
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from flask.testing import FlaskClient

from projections.games.execute_move import set_up
from projections.games.what_if import AnalysisDraws, Start, analyse
from projections.rules.errors import ImpossiblePosition
from projections.rules.registry import GAMES
from tests.support.service.players import Person, somebody

LEVELS = (200, 50_000)
SUPPOSED = {  # by a view, or not read at this decision
    *("viewer", "phase", "point_deck", "merchant_deck", "point_deck_count", "merchant_deck_count")
}
WRITING = ("POST", "PUT", "PATCH", "DELETE")


def deep(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


def fields_of(document: dict[str, Any], operation: dict[str, Any]) -> list[str]:
    """The names of the fields that a body may have."""
    content = operation.get("requestBody", {}).get("content", {}).get("application/json")
    if content is None:
        return []
    schema = content["schema"]
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return sorted(schema.get("properties", {}))


def ways_in(client: FlaskClient) -> Iterator[tuple[str, str, str]]:
    """Every method and path that takes a JSON body, with each field of it; an empty one stands for the whole body."""
    document = client.get("/openapi.json").get_json()
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            if method.upper() in WRITING and "requestBody" in operation:
                for field in ("", *fields_of(document, operation)):
                    yield method.upper(), path, field


def addressed(path: str) -> str:
    """A path with something in each of its places."""
    said = path
    for place in [part[1:-1] for part in path.split("/") if part.startswith("{")]:
        number = place in ("round", "stage", "entrant", "chapter", "table", "seat", "number")
        said = said.replace(f"{{{place}}}", "1" if number else str(uuid4()))
    return said


@pytest.mark.parametrize("levels", LEVELS)
def test_every_way_in_for_json_refuses_deep_objects(client: FlaskClient, levels: int) -> None:
    person = somebody(client)
    found = list(ways_in(client))
    assert len(found) > 60
    for method, path, field in found if levels == LEVELS[0] else [way for way in found if not way[2]]:
        body = deep(levels) if not field else f'{{"{field}":{deep(levels)}}}'
        answered = client.open(
            addressed(path),
            method=method,
            data=body,
            headers={"Authorization": f"Bearer {person.token}", "Content-Type": "application/json"},
        )
        way = (method, path, field, answered.status_code)
        if path == "/v1/verify" and answered.status_code == 200:
            assert answered.get_json()["verdict"] == "invalid", way
            continue
        assert 400 <= answered.status_code < 500, way
        assert answered.content_type.startswith("application/problem+json"), way
        if answered.status_code == 429:
            person = Person(client, f"fresh {uuid4().hex[:12]}")


@pytest.mark.parametrize("name", GAMES)
def test_a_position_with_deep_objects_is_impossible(name: str) -> None:
    game = GAMES[name]
    position, _ = set_up(game, game.read_options({}, 2), 2, AnalysisDraws(None).dealer)
    for document in (game.document(position), game.view(position, 0), {**game.view(position, 0), "hides": ["players"]}):
        for field in document.keys() - SUPPOSED:
            spoilt = {**json.loads(json.dumps(document)), field: json.loads(deep(LEVELS[0]))}
            with pytest.raises(ImpossiblePosition):
                analyse(game, Start(spoilt), [], AnalysisDraws(None), "en")
