"""Every game of the corpus is still played as it was, by its facts and by its rules; a change of either is named."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from events.bundle import Bundle
from events.event import Event, received
from projections.audit import verify
from projections.compatibility import FACTS, RULES, differences
from projections.games import GAMES
from tests import corpus
from tests.corpus.freeze import SETTINGS
from tests.projections.bundles import rechained

FILES = sorted(Path(corpus.__file__).parent.glob("*/*.json.gz"))


def events_of(path: Path) -> tuple[Event, ...]:
    return tuple(received(body) for body in Bundle.read(gzip.decompress(path.read_bytes())).events)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_stored_game_is_played_as_it_was(path: Path) -> None:
    assert differences(events_of(path)) == []
    assert verify(gzip.decompress(path.read_bytes()), None).failure is None


def test_every_setting_is_in_the_corpus() -> None:
    assert {path.name.removesuffix(".json.gz") for path in FILES} >= SETTINGS.keys()
    assert {game for game, _, _ in SETTINGS.values()} == GAMES.keys()


def changed(events: tuple[Event, ...], seq: int, **data: Any) -> tuple[Event, ...]:
    bodies = [json.loads(event.body) for event in events]
    bodies[seq - 1]["data"] |= data
    return tuple(received(body) for body in rechained(bodies))


def test_the_first_event_where_game_and_program_part_is_named() -> None:
    events = events_of(FILES[0])
    at = next(event.seq for event in events if event.kind == "moved") + 7
    other_facts = changed(events, at, facts=[])
    assert [(found.by, found.seq) for found in differences(other_facts)] == [(FACTS, at), (RULES, at)]
    other_digest = changed(events, at, digest="00" * 32)
    assert [(found.by, found.seq) for found in differences(other_digest)] == [(FACTS, at), (RULES, at)]
    (found,) = differences(changed(events, at, then=[{"seat": 0, "move": "rest"}]))
    assert (found.by, found.seq) == (RULES, at)


def test_unknown_games_and_rules_are_named() -> None:
    events = events_of(FILES[0])
    assert [found.seq for found in differences(changed(events, 1, game="halma"))] == [1, 1]
    bodies = [{**json.loads(event.body), "rules": "puerto_rico-0"} for event in events]
    (found,) = differences(tuple(received(body) for body in rechained(bodies)))
    assert found.sentence == "the rules puerto_rico-0 are not in this program"
