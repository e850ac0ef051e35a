"""Every game of the corpus is still played as it was, by its facts and by its rules; a change of either is named."""

import gzip
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events.chain import check
from events.event import START, Event, received
from events.kinds import KINDS
from events.log.bundle import Bundle
from projections.games import clocks
from projections.games.chance import ChanceLevel
from projections.rules.registry import GAMES, VERSIONS
from projections.verify.bundle import verify
from projections.verify.checks.changed_rules import check_move
from projections.verify.checks.parted import Parted
from projections.verify.compatibility import FACTS, RULES, differences
from tests import corpus
from tests.corpus.freeze import SETTINGS, TOLD
from tests.support.projections.bundles import rechained

FILES = sorted(Path(corpus.__file__).parent.glob("*/*.json.gz"))


def events_of(path: Path) -> tuple[Event, ...]:
    return tuple(received(body) for body in Bundle.read(gzip.decompress(path.read_bytes())).events)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_stored_game_is_played_as_it_was(path: Path) -> None:
    events = events_of(path)
    assert differences(events) == []
    assert check((event.body for event in events), START, events[0].stream) == events


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_stored_bundle_still_verifies(path: Path) -> None:
    """No log vouches for the games of the corpus, and some of them go on; nothing else is doubted."""
    report = verify(gzip.decompress(path.read_bytes()), None)
    assert (report.failure, report.exit_status) == (None, 1)
    assert {found.reason for found in report.remarks} <= {
        "not_sealed", "not_sealed_first", "unfinished", "draws_unread", "imported", "absent", "intervened", "left",
        "clocks_unstated",
    }  # fmt: skip


CORPUS = {path.name.removesuffix(".json.gz"): path for path in FILES}
NOT_YET = {
    "rules_changed",  # there is one version of the rules; tests/service/games/test_change_rules.py has a second one
    "history_lost",  # written after a loss alone: tests/workers/test_branch.py
}


@cache
def stored() -> tuple[tuple[Event, ...], ...]:
    """Every game of the corpus."""
    return tuple(map(events_of, FILES))


def created() -> list[Mapping[str, Any]]:
    return [events[0].data for events in stored()]


def of_kind(*kinds: str) -> list[Mapping[str, Any]]:
    return [event.data for events in stored() for event in events if event.kind in kinds]


def test_every_row_of_the_corpus_is_frozen() -> None:
    assert CORPUS.keys() == {*SETTINGS, *TOLD}


def test_every_game_number_of_seats_and_version_of_rules_is_in_the_corpus() -> None:
    seats = {(data["game"], data["seats"]) for data in created()}
    assert seats == {(name, number) for name, game in GAMES.items() for number in game.seats}
    versions = {(events[0].data["game"], events[0].rules) for events in stored()}
    assert versions == {(game, version) for game, known in VERSIONS.items() for version in known}


@pytest.mark.parametrize("game", GAMES)
def test_every_value_of_every_option_is_in_the_corpus(game: str) -> None:
    played = [data["options"] for data in created() if data["game"] == game]
    for name, choice in GAMES[game].choices.items():
        taken = [options[name] for options in played]
        values = {value for one in taken for value in one} if choice.several else {*taken}
        assert values == {*choice.values}, name


def test_every_level_of_chance_and_kind_of_clock_is_in_the_corpus() -> None:
    assert {data["level"] for data in created()} == {*ChanceLevel}
    assert {data["clock"]["kind"] for data in created()} == {*clocks.FIELDS}


def test_every_kind_of_event_and_every_ending_is_in_the_corpus() -> None:
    kinds = {event.kind for events in stored() for event in events}
    assert kinds | NOT_YET == {kind.name for kind in KINDS if kind.stream == "game"}
    assert {data["cause"] for data in of_kind("game_ended")} == {"rules", "forfeit"}
    causes = {"early", "cancelled", "agreement", "expired", "maker", "administrator"}
    assert {data["cause"] for data in of_kind("game_aborted")} == causes
    for kind in ("flag_fell", "resigned"):
        assert {data["consequence"] for data in of_kind(kind)} == {"bot", "forfeit"}, kind
    assert any(data["entropy"] is None for data in of_kind("entropy_revealed"))
    assert any("signature" in data for data in of_kind("moved"))
    assert any(data["imported"] for data in created())


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


def otherwise(events: tuple[Event, ...]) -> int | None:
    """The first event that the newest rules would have made otherwise."""
    newest = GAMES[str(events[0].data["game"])].rules
    try:
        check_move(events, events[0].rules, newest, None)
    except Parted as parted:
        return parted.seq
    return None


def test_newer_rules_of_puerto_rico_differ_in_drafts_and_at_the_end() -> None:  # 3.1, 6.1
    folder = Path(corpus.__file__).parent / "0.1.0"
    base, drafted = (events_of(folder / f"puerto_rico_{name}.json.gz") for name in ("3", "4_new_buildings"))
    assert {event.rules for event in (*base, *drafted)} == {"1"}
    over = next(event.seq for event in base if event.kind == "moved" and event.data["turn"] is None)
    assert otherwise(base[: over - 1]) is None
    assert otherwise(base) == over
    assert otherwise(drafted) == next(event.seq for event in drafted if event.kind == "game_started")
