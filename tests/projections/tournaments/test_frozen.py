"""Archives of tournaments in the corpus verify for ever, and cover every format and way to seat."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from events.event import Event, received
from events.log.bundle import Bundle
from projections.tournaments.record import KNOWN_RULES
from projections.verify.archive import unpack, verify_archive
from projections.verify.checks.case import Contents
from tests import corpus
from tests.corpus.tournament_stories import TOURNAMENTS

FILES = sorted(Path(corpus.__file__).parent.glob("*/*.zip"))


@cache
def contents(path: Path) -> Contents:
    return unpack(path.read_bytes())


def tournament(path: Path) -> tuple[Event, ...]:
    """The tournament's own events in an archive."""
    for data in contents(path).games.values():
        events = tuple(received(body) for body in Bundle.read(data).events)
        if events[0].kind == "tournament_declared":
            return events
    raise AssertionError(path)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_frozen_tournament_verifies(path: Path) -> None:
    report = verify_archive(path.read_bytes(), None)
    assert report.refused is None
    assert [game.failure for _, game in report.games] == [None] * len(report.games)
    answers = [answer for _, game in report.games for answer in game.answers if answer.code == "V12"]
    assert "passed" in {answer.status for answer in answers}


def stages() -> Iterator[dict[str, Any]]:
    for path in FILES:
        data: Any = tournament(path)[0].data
        yield from data["regulations"]["stages"]


def test_every_tournament_of_the_corpus_is_frozen() -> None:
    assert {path.name.removesuffix(".zip") for path in FILES} == TOURNAMENTS.keys()


def test_the_corpus_has_every_way_to_seat_and_a_rated_tournament() -> None:
    assert {stage["seats"] for stage in stages()} == {"balanced", "bids", "choice", "random"}
    assert {stage["format"] for stage in stages()} >= {"swiss", "round_robin", "pods", "knock_out"}
    assert any(contents(path).ratings for path in FILES)


def test_the_corpus_has_every_version_of_the_rules_and_a_correction() -> None:
    events = [event for path in FILES for event in tournament(path)]
    assert {event.rules for event in events} == {*KNOWN_RULES}
    assert "tournament_corrected" in {event.kind for event in events}
