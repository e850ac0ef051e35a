"""Whole recorded games with known scores; a file dropped into the folder is a test."""

from pathlib import Path

import pytest

from projections.games.imports.checker import ImportChecker, lay_out
from projections.games.imports.transcript import parse, write
from projections.rules.spice_road.state.position import Position
from tests.support.spice_road.tables import GAME

FOLDER = Path(__file__).parent / "playthroughs"
RECORDS = sorted(FOLDER.glob("*.txt"))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_recorded_game_ends_with_its_known_score(record: Path) -> None:
    transcript = parse(record.read_text("utf-8"))
    assert transcript.value("game") == GAME.name
    position = lay_out(GAME, transcript).position
    by_facts = GAME.copy(position)
    for entry in ImportChecker(GAME, position).enter(transcript.lines):
        for fact in entry.played.deed.facts:
            GAME.apply(by_facts, GAME.decode(fact))
    assert by_facts == position
    assert ended(position) == (transcript.value("points"), transcript.value("places"))


def ended(position: Position) -> tuple[str, str]:
    """Returns points and places of a record."""
    outcome = GAME.outcome(position)
    assert outcome is not None
    return " ".join(map(str, outcome.points)), " ".join(map(str, outcome.places))


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_a_record_is_in_canonical_spelling(record: Path) -> None:
    text = record.read_text("utf-8")
    transcript = parse(text)
    assert write(transcript) == text
    assert [GAME.notation(GAME.parse(line.move)) for line in transcript.lines] == [
        line.move for line in transcript.lines
    ]


def test_there_are_records() -> None:
    assert len(RECORDS) >= 2
