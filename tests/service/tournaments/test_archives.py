"""V12: the archive of a tournament proves itself to a stranger, and what was changed in it is named."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from click.testing import CliRunner
from flask import Flask

from deploy.cli import main
from events.chain import link
from events.event import START, Event, EventDraft, received
from events.json_types import JsonObject
from events.log.bundle import Bundle
from projections.verify.archive import pack, unpack, verify_archive
from projections.verify.bundle import INVALID, NOT_CHECKED, PASSED, UNDECIDED, UNDECIDED_EXIT, verify
from projections.verify.checks.case import Contents
from tests.service.conftest import Environ
from tests.support.service.players import answer, problem
from tests.support.service.tournament_fixture import Hall

SWISS = {"format": "swiss", "rounds": 2, "sizes": [4, 3], "advance": {"total": 3}}
FINAL = {"format": "pods", "rounds": 1, "sizes": [3], "byes": False}
Files = dict[UUID, bytes]


@pytest.fixture(scope="module")
def hall(app: Flask) -> Hall:
    """Eight bots with the same deal at every table, two rounds of Swiss and a final of three."""
    hall = Hall(app, [SWISS, FINAL], bots="random", duplicate=True, chance=None).open(bots=8)
    assert problem(answer(hall.client.get(f"{hall.path}/archive"), 409)) == "not_at_this_stage"
    for rounds in (2, 1):
        hall.direct("stages")
        for _ in range(rounds):
            hall.round()
        hall.direct("stages/current/closing")
    hall.direct("closing")
    return hall


@pytest.fixture(scope="module")
def archive(hall: Hall) -> Files:
    """The bundles of its archive."""
    return dict(unpack(hall.client.get(f"{hall.path}/archive").data).games)


@pytest.fixture
def stream(hall: Hall) -> UUID:
    """Which of the bundles is the tournament's own."""
    return UUID(hall.id)


def judged(files: Files, stream: UUID) -> tuple[str, str]:
    """Returns the status of V12 for an archive, and the reason when it failed."""
    found = verify(files[stream], None, stream, Contents(files))  # the games are verified once, with the whole archive
    (v12,) = [check.status for check in found.answers if check.code == "V12"]
    return v12, found.failure.reason if found.failure else ""


def told_anew(data: bytes, change: Callable[[list[Event]], Sequence[tuple[Event, JsonObject]]]) -> bytes:
    """A bundle with changed events in a new chain."""
    bundle = Bundle.read(data)
    rows = change([received(body) for body in bundle.events])
    drafts = [EventDraft(event.kind, data, event.actor, event.at, event.rules) for event, data in rows]
    return Bundle(bundle.stream, tuple(event.body for event in link(bundle.stream, START, drafts))).encode()


def changed(kind: str, nth: int, **fields: Any) -> Callable[[list[Event]], Sequence[tuple[Event, JsonObject]]]:
    """The n-th event of a kind with other data."""

    def change(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
        target = [event.seq for event in events if event.kind == kind][nth]
        return [(event, {**event.data, **fields} if event.seq == target else event.data) for event in events]

    return change


def turned(kind: str, field: str) -> Callable[[list[Event]], Sequence[tuple[Event, JsonObject]]]:
    """Returns events of a kind with one of their lists reversed, which always differs."""

    def change(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
        given: list[Any] = [event.data.get(field) for event in events]
        return [
            (event, {**event.data, field: was[::-1]} if event.kind == kind else event.data)
            for event, was in zip(events, given, strict=True)
        ]

    return change


def test_the_last_standings_are_those_of_the_whole_event(hall: Hall) -> None:
    standings, rounds = hall.read("standings"), hall.read("rounds")["rounds"]
    assert standings["version"] == hall.read()["version"] == hall.read("events", limit=500)["events"][-1]["seq"]
    assert min(line["rank"] for line in standings["lines"]) == 1
    assert {table["result"] is not None for one in rounds for table in one["tables"]} == {True}


def test_the_archive_of_a_tournament_is_found_right_by_a_stranger(archive: Files, stream: UUID) -> None:
    report = verify_archive(pack(archive.items()), None)
    assert report.verdict != INVALID, report
    assert len(report.games) == 1 + 2 + 2 + 1  # the tournament, two rounds of two tables, the final
    assert judged(archive, stream) == (PASSED, "")


def test_the_operator_writes_the_same_archive_and_a_stranger_verifies_it(
    hall: Hall, archive: Files, environ: Environ, tmp_path: Path
) -> None:
    file = tmp_path / "open.zip"
    runner = CliRunner(env=environ)
    wrote = runner.invoke(main, ["--data-dir", environ["CABILDO_DATA_DIR"], "archive", str(file), hall.id])
    assert (wrote.exit_code, f"{len(archive)} games" in wrote.output) == (0, True), wrote.output
    told = runner.invoke(main, ["verify", str(file)])
    assert told.exit_code == 1, told.output  # nothing of it is sealed yet, and chance is of level 0
    assert re.search("V12 .* recomputed the same\\? +passed +1/1", told.output)
    assert re.search(f"V7 .* passed +{len(archive) - 1}/{len(archive) - 1}", told.output)


def test_a_tournament_without_its_games_says_that_results_are_its_word(archive: Files, stream: UUID) -> None:
    report = verify_archive(pack([(stream, archive[stream])]), None)
    assert judged({stream: archive[stream]}, stream)[1] == "missing_game"
    assert report.verdict == INVALID


def test_a_game_that_is_left_out_or_slipped_in_is_named(archive: Files, stream: UUID) -> None:
    game = next(name for name in archive if name != stream)
    without = {name: data for name, data in archive.items() if name != game}
    assert judged(without, stream) == ("failed", "missing_game")
    other = UUID(int=5)
    bundle = Bundle.read(archive[game])
    drafts = [EventDraft(e.kind, e.data, e.actor, e.at, e.rules) for e in map(received, bundle.events)]
    slipped = Bundle(other, tuple(event.body for event in link(other, START, drafts))).encode()
    assert judged({**archive, other: slipped}, stream) == ("failed", "extra_game")


def said_by(kind: str, nth: int, actor: str) -> Callable[[list[Event]], Sequence[tuple[Event, JsonObject]]]:
    """Returns the n-th event of a kind with another actor."""

    def change(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
        target = [event.seq for event in events if event.kind == kind][nth]
        return [(event._replace(actor=actor) if event.seq == target else event, event.data) for event in events]

    return change


def ruled_by(nth: int, rules: str) -> Callable[[list[Event]], Sequence[tuple[Event, JsonObject]]]:
    """The events from the n-th on as if another version of the rules had computed them."""

    def change(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
        return [(event if event.seq < nth else event._replace(rules=rules), event.data) for event in events]

    return change


def swapped(one: str, other: str) -> Callable[[list[Event]], Sequence[tuple[Event, JsonObject]]]:
    """The first events of two kinds in each other's place."""

    def change(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
        first, second = (next(event for event in events if event.kind == kind) for kind in (one, other))
        places = {first.seq: second, second.seq: first}
        return [(placed, placed.data) for event in events for placed in [places.get(event.seq, event)]]

    return change


FORGERIES = {
    "another pairing": (turned("round_paired", "tables"), "pairing"),
    "another seed": (changed("round_paired", 0, seed="ab" * 32), "pairing"),
    "somebody kept away": (changed("round_paired", 0, present=[1, 2, 3, 4]), "pairing"),
    "other inputs": (changed("round_paired", 1, inputs=1), "pairing"),
    "a result that changes nothing else": (changed("result_recorded", 0, ends=["boredom"]), "other_result"),
    "another end": (changed("result_recorded", 0, head="ab" * 32), "other_end"),
    "other finalists": (turned("stage_closed", "advancing"), "standings"),
    "another deal": (changed("round_closed", 0, deal_seed="ab" * 32), "deal"),
    "other regulations": (changed("tournament_published", 0, regulations="ab" * 32), "regulations"),
    "another commitment": (changed("tournament_published", 0, commitment="ab" * 32), "seed"),
    "a second host": (said_by("round_published", 0, "somebody-else"), "author"),
    "an entrant twice": (changed("entered", 1, entrant=1), "entrant"),
    "an attempt left out": (changed("round_paired", 0, attempt=2), "attempt"),
    "a round twice": (changed("round_paired", 1, round=1), "attempt"),
    "a round that starts before it is declared": (swapped("games_declared", "round_started"), "order"),
    "rules of another day": (ruled_by(3, "tournaments/1"), "rules_changed"),
    "rules that nobody knows": (ruled_by(5, "tournaments/0"), "rules_unknown"),
    "another game": (changed("games_declared", 0, games=[]), "games"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_what_was_changed_is_named(name: str, archive: Files, stream: UUID) -> None:
    change, reason = FORGERIES[name]
    assert judged({**archive, stream: told_anew(archive[stream], change)}, stream) == ("failed", reason)


def test_a_tournament_under_unknown_rules_is_not_decided(archive: Files, stream: UUID) -> None:
    forged = told_anew(archive[stream], ruled_by(1, "tournaments/0"))
    report = verify_archive(pack({**archive, stream: forged}.items()), None)
    assert judged({**archive, stream: forged}, stream) == (NOT_CHECKED, "")
    assert (report.verdict, report.exit_status) == (UNDECIDED, UNDECIDED_EXIT)


def test_a_tournament_apart_from_its_games_is_not_decided(archive: Files, stream: UUID) -> None:
    report = verify(archive[stream], None)
    assert (report.verdict, report.exit_status) == (UNDECIDED, UNDECIDED_EXIT)
    assert "games_apart" in {found.reason for found in report.remarks}


@pytest.mark.parametrize("nth", range(5))
def test_a_changed_result_is_met_in_the_game_or_in_what_follows_from_it(nth: int, archive: Files, stream: UUID) -> None:
    def change(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
        (*_, result) = [event for event in events if event.kind == "result_recorded"][: nth + 1]
        places: Any = result.data["places"]
        turned = {**result.data, "places": [1 + len(places) - place for place in places]}
        return [(event, turned if event.seq == result.seq else event.data) for event in events]

    status, reason = judged({**archive, stream: told_anew(archive[stream], change)}, stream)
    assert (status, reason in ("pairing", "standings", "other_result")) == ("failed", True)


def test_tables_of_a_round_were_dealt_alike_and_rounds_were_not(archive: Files, stream: UUID) -> None:
    dealt: dict[str, set[str]] = {}
    for data in (data for name, data in archive.items() if name != stream):
        events = [received(body) for body in Bundle.read(data).events]
        started = next(event for event in events if event.kind == "game_started")
        dealt.setdefault(str(events[0].data["deal"]), set()).add(str(started.data["drew"]))
    assert [len(draws) for draws in dealt.values()] == [1, 1, 1]  # two rounds of two tables, and the final
    assert len(set.union(*dealt.values())) == 3
