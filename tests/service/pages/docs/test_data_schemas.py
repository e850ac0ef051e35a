"""Every stored sample of a format fits its JSON Schema, and a broken one does not."""

import copy
import gzip
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from deploy.bootstrap import CLIENT
from projections.rules.registry import GAMES
from service.pages.docs.data_schemas import TEXTS
from tests.support.projections.random_games import random_game, written
from tests.support.service.players import Person
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
TESTS = Path(__file__).parents[3]
CORPUS = TESTS / "corpus"
BUNDLES = sorted(CORPUS.glob("*/*.json.gz"))
ARCHIVES = sorted(CORPUS.glob("*/*.zip"))
EVENTS = sorted((TESTS / "events" / "samples").glob("*.json"))
PLAYTHROUGHS = sorted((TESTS / "projections" / "rules").glob("*/playthroughs/*.txt"))
TOLD_GAMES = sorted((TESTS.parent / CLIENT / "cabildo_client" / "testing").glob("*.json"))
REQUESTS = TESTS.parent / "service" / "web" / "openapi" / "requests" / "samples.json"


def validator(name: str, version: str = "v1") -> Draft202012Validator:
    return Draft202012Validator(json.loads(TEXTS[name, version]))


def faults(name: str, document: Any, version: str = "v1") -> list[str]:
    return [fault.message[:200] for fault in validator(name, version).iter_errors(document)]


@pytest.mark.parametrize(("name", "version"), sorted(TEXTS))
def test_a_schema_is_one_and_is_served_at_its_address(client: FlaskClient, name: str, version: str) -> None:
    schema = json.loads(TEXTS[name, version])
    Draft202012Validator.check_schema(schema)
    answer = client.get(f"/schemas/{name}/{version}.json")
    assert (answer.mimetype, json.loads(answer.text)) == ("application/schema+json", schema)
    assert schema["$id"] == f"/schemas/{name}/{version}.json"


def test_there_are_samples_of_every_format() -> None:
    assert (len(BUNDLES) > 40, len(EVENTS) > 70, len(PLAYTHROUGHS) > 8) == (True, True, True)
    assert [file.stem for file in TOLD_GAMES] == ["puerto_rico", "spice_road"]


@pytest.mark.parametrize("file", BUNDLES, ids=lambda file: f"{file.parent.name}-{file.name.partition('.')[0]}")
def test_a_stored_bundle_and_all_its_events_fit(file: Path) -> None:
    stored = json.loads(gzip.decompress(file.read_bytes()))
    assert faults("bundle", stored) == []
    of_events = validator("event")
    misfits = [body for body in stored["events"] if not of_events.is_valid(json.loads(body))]
    assert [(body[:200], faults("event", json.loads(body))) for body in misfits[:3]] == []


def test_the_stored_event_of_every_kind_and_shape_fits() -> None:
    bodies = {file.name: json.loads(json.loads(file.read_text())["body"]) for file in EVENTS}
    assert {name: found for name, body in bodies.items() if (found := faults("event", body))} == {}


@pytest.mark.parametrize("file", PLAYTHROUGHS, ids=lambda file: file.stem)
def test_a_stored_playthrough_fits(file: Path) -> None:
    assert faults("record", file.read_text(encoding="utf-8")) == []


def test_the_records_of_the_sample_requests_fit() -> None:
    samples = json.loads(REQUESTS.read_text())
    assert [faults("record", samples[name]) for name in ("record", "begun")] == [[], []]


@pytest.mark.parametrize("file", TOLD_GAMES, ids=lambda file: file.stem)
def test_the_positions_that_the_client_is_tested_with_fit(file: Path) -> None:
    told = [*told_positions(json.loads(file.read_text()))]
    assert len(told) > 30
    assert [found for one in told if (found := faults(f"position-{one['game'].replace('_', '-')}", one))] == []


def told_positions(value: Any) -> Iterator[Any]:
    """The positions inside a recording."""
    if isinstance(value, dict):
        if {"game", "hides"} <= value.keys():
            yield value
        for held in value.values():
            yield from told_positions(held)
    elif isinstance(value, list):
        for held in value:
            yield from told_positions(held)


def test_the_stored_archives_fit() -> None:
    assert ARCHIVES
    for file in ARCHIVES:
        with zipfile.ZipFile(file) as archive:
            manifest = json.loads(archive.read("archive.json"))
            assert faults("archive", manifest, manifest["format"].rpartition("/")[2]) == []
            for pool in manifest.get("ratings", ()):
                assert faults("ratings", json.loads(archive.read(f"{pool['pool']}.ratings.json"))) == []


def positions(name: str) -> Iterator[Any]:
    """Positions of a random game, whole and as a seat sees them."""
    game = GAMES[name]
    for seed, seats in ((1, 2), (2, 4)):
        for longest in (4, 60, 2_000):
            board = random_game(game, seats, seed, longest).position
            whole: Any = {**game.document(board), "viewer": "all", "hides": []}  # as the service shows it
            yield from (game.document(board), whole, game.view(board, 0), game.view(board, None))


@pytest.mark.parametrize("name", GAMES)
def test_positions_fit(name: str) -> None:
    for position in positions(name):
        assert faults(f"position-{name.replace('_', '-')}", json.loads(json.dumps(position))) == []


def test_what_the_service_hands_out_now_fits(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    for name in GAMES:
        text = written(random_game(GAMES[name], 2, seed=3, longest=30))
        game = anna.post("/v1/games/import", {"record": text})["id"]
        assert faults("record", client.get(f"/v1/games/{game}/record", headers={"Accept": "text/plain"}).text) == []
        assert faults("bundle", json.loads(client.get(f"/v1/games/{game}/bundle").text)) == []
        for at in ("", "?at=3"):
            position = anna.ask("GET", f"/v1/games/{game}/position{at}").get_json()
            assert faults(f"position-{name.replace('_', '-')}", position) == []


def test_a_dump_fits(client: FlaskClient, tmp_path: Path) -> None:
    birgir = Person(client, "Birgir")
    answer = birgir.ask("GET", "/v1/me/export")
    assert answer.status_code == 200, answer.text
    (tmp_path / "dump.zip").write_bytes(answer.data)
    with zipfile.ZipFile(tmp_path / "dump.zip") as dump:
        assert faults("export", json.loads(dump.read("export.json"))) == []


def bundle() -> Any:
    return json.loads(gzip.decompress(BUNDLES[0].read_bytes()))


def board(name: str) -> Any:
    return json.loads(json.dumps(GAMES[name].document(random_game(GAMES[name], 2, 1, 5).position)))


MANIFEST = {
    "format": "cabildo/archive/v1",
    "games": [{"stream": "0" * 8 + "-0000-7000-8000-" + "0" * 12, "hash": "0" * 64}],
}
RECORD = "game: spice_road\nseats: Anna, Birgir\n\nplay create_2\n"
BREAKS: dict[str, tuple[str, Callable[[], Any], Callable[[Any], Any]]] = {
    "a bundle without proof": ("bundle", bundle, lambda one: one.pop("proof")),
    "a bundle with another field": ("bundle", bundle, lambda one: one.update(more=1)),
    "a bundle without events": ("bundle", bundle, lambda one: one["events"].clear()),
    "a bundle of another format": ("bundle", bundle, lambda one: one.update(format="cabildo/bundle/v2")),
    "an event without salt": ("event", lambda: json.loads(bundle()["events"][0]), lambda one: one.pop("salt")),
    "an event with number 0": ("event", lambda: json.loads(bundle()["events"][0]), lambda one: one.update(seq=0)),
    "an archive with a short hash": ("archive", lambda: MANIFEST, lambda one: one["games"][0].update(hash="00")),
    "a board without players": ("position-spice-road", lambda: board("spice_road"), lambda one: one.pop("players")),
    "a board with text for coins": (
        "position-spice-road",
        lambda: board("spice_road"),
        lambda one: one.update(gold="1"),
    ),
    "a board of the other game": ("position-puerto-rico", lambda: board("spice_road"), lambda one: None),
    "a board with another field": ("position-puerto-rico", lambda: board("puerto_rico"), lambda one: one.update(x=1)),
}


@pytest.mark.parametrize("what", BREAKS)
def test_a_broken_sample_is_found(what: str) -> None:
    name, make, breaks = BREAKS[what]
    document = copy.deepcopy(make())
    breaks(document)
    assert faults(name, document)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "seats: Anna, Birgir\nplay create_2\n",
        RECORD.replace("spice_road", "chess"),
        RECORD + "play ] x\n",
        RECORD[:-1],
    ],
)
def test_a_broken_record_is_found(text: str) -> None:
    assert faults("record", RECORD) == []
    assert faults("record", text)
