"""Whole recorded games with known scores, item by item; a file dropped into the folder is a test."""

from pathlib import Path
from typing import Any

import pytest

from projections.games.imports.checker import ImportChecker, lay_out
from projections.games.imports.transcript import Transcript, parse, write
from projections.rules.puerto_rico.state.position import Position
from tests.support.puerto_rico import reference_scorer
from tests.support.puerto_rico.scenes import GAME

FOLDER = Path(__file__).parent / "playthroughs"
RECORDS = sorted(FOLDER.glob("*.txt"))
ITEMS = ("vp_chips", "vp_noted", "buildings", "bonuses", "nobles")


def numbers(transcript: Transcript, name: str) -> list[int]:
    """Returns the value of a header for each seat."""
    value = transcript.value(name)
    assert value is not None, f"the record does not tell {name}"
    return [int(number) for number in value.split()]


def played(transcript: Transcript) -> tuple[Position, Position]:
    """The end of a game by its rules, and by its facts alone."""
    position = lay_out(GAME, transcript).position
    by_facts = GAME.copy(position)
    for entry in ImportChecker(GAME, position).enter(transcript.lines):
        for fact in entry.played.deed.facts:
            GAME.apply(by_facts, GAME.decode(fact))
    return position, by_facts


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_recorded_game_ends_with_its_known_score(record: Path) -> None:
    transcript = parse(record.read_text("utf-8"))
    position, by_facts = played(transcript)
    assert by_facts == position
    outcome = GAME.outcome(position)
    assert outcome is not None
    assert list(outcome.points) == numbers(transcript, "points")
    assert list(outcome.tie_break) == numbers(transcript, "tie_break")
    assert list(outcome.places) == numbers(transcript, "places")
    scores: Any = GAME.scores(position)
    for item in ITEMS:
        assert [score["items"][item] for score in scores] == numbers(transcript, item)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_second_scorer_agrees(record: Path) -> None:
    transcript = parse(record.read_text("utf-8"))
    players: Any = GAME.document(played(transcript)[0])["players"]
    points = [reference_scorer.total(player) for player in players]
    ties = [reference_scorer.tie_break(player) for player in players]
    assert points == numbers(transcript, "points")
    assert ties == numbers(transcript, "tie_break")
    assert reference_scorer.places(list(zip(points, ties, strict=True))) == numbers(transcript, "places")


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_the_items_of_a_record_add_up(record: Path) -> None:
    transcript = parse(record.read_text("utf-8"))
    items = [numbers(transcript, item) for item in ITEMS]
    assert [sum(items) for items in zip(*items, strict=True)] == numbers(transcript, "points")


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_record_is_in_canonical_spelling(record: Path) -> None:
    text = record.read_text("utf-8")
    transcript = parse(text)
    assert write(transcript) == text
    moves = [line.move for line in transcript.lines]
    assert [GAME.notation(GAME.parse(move)) for move in moves] == moves


def test_every_player_count_and_both_expansions_have_a_record() -> None:
    laid = [lay_out(GAME, parse(record.read_text("utf-8"))) for record in RECORDS]
    assert {len(table.seats) for table in laid} == {2, 3, 4, 5}
    assert [] in [table.options["expansions"] for table in laid]
    assert ["new_buildings", "nobles"] in [table.options["expansions"] for table in laid]
