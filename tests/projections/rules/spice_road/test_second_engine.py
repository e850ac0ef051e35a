"""The second engine and the product play the same games of Spice Road: moves, positions and results are equal.

`CABILDO_RANDOM_GAMES` says how many games are played for each number of players.
"""

import os
import random
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

from events.json_types import Json
from projections.games.execute_move import enact, set_up
from projections.games.imports.checker import ImportChecker, lay_out
from projections.games.imports.transcript import parse as read_record
from projections.rules.dealer import RandomDealer
from projections.rules.errors import IllegalMove, UnreadableMove
from projections.rules.spice_road.state.position import Position
from tests.support.projections.perturbed_moves import perturb
from tests.support.spice_road.second_engine import DEFAULTS, Engine, meaning
from tests.support.spice_road.tables import GAME

GAMES: Final = int(os.environ.get("CABILDO_RANDOM_GAMES", "6"))
LONGEST: Final = 1_500  # moves; no rule ends a game without claims
PERTURBED: Final = 2  # texts for each decision
OTHERS: Final[Mapping[str, Json]] = {
    "first_player": 1, "min_upgrade_steps": 1, "coin_taking": "optional", "empty_rest": "allow", "cube_scoring": "all",
    "hand_visibility": "owner_only",
}  # fmt: skip


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_both_engines_play_the_same_games(seats: int) -> None:
    finished = 0
    for seed in range(GAMES):
        source = random.Random(f"second {seats} {seed}")
        given = {name: value for name, value in OTHERS.items() if seed and source.random() < 0.5}
        finished += play_on(given, seats, source)
    assert finished


def play_on(given: Mapping[str, Json], seats: int, source: random.Random) -> bool:
    """A random game with a taste for claims, compared before and after every move; says whether it ended."""
    dealer = RandomDealer(source)
    position, deed = set_up(GAME, GAME.read_options(dict(given), seats), seats, dealer)
    engine = Engine(seats, given, deed.drew)
    for _ in range(LONGEST):
        agree(engine, position)
        if engine.turn is None:
            agree_on_the_result(engine, position)
            return True
        moves = GAME.legal(position)
        listed = [GAME.notation(move) for move in moves]
        assert {meaning(move) for move in listed} == engine.moves()
        assert len(moves) == len(engine.moves())
        tries = [*(move for move in listed if move.startswith("claim")), GAME.notation(moves.sample(source))]
        agree_on_perturbed_moves(engine, position, tries[0], source)
        played = enact(GAME, position, tries[0], dealer)
        engine.enter(played.seat, played.move, played.deed.drew)
    return False


def agree(engine: Engine, position: Position) -> None:
    """The same table, in the same turn."""
    document: dict[str, Any] = dict(GAME.document(position))
    for player in document["players"]:
        player |= {zone: sorted(player[zone]) for zone in ("hand", "played")}
    mine = engine.document()
    assert mine == {name: document[name] for name in mine}
    assert engine.turn == GAME.actor(position)


def agree_on_perturbed_moves(engine: Engine, position: Position, move: str, source: random.Random) -> None:
    """Both engines judge a legal move with one fault alike."""
    for text in islice(perturb(move, source), PERTURBED):
        try:
            made = enact(GAME, GAME.copy(position), text, RandomDealer(source)).move
        except (IllegalMove, UnreadableMove):
            assert not engine.allows(text), text
        else:
            assert engine.allows(made), text


def agree_on_the_result(engine: Engine, position: Position) -> None:
    outcome = GAME.outcome(position)
    assert outcome is not None
    every_cube = engine.options["cube_scoring"] == "all"
    assert list(outcome.points) == [player.score(every_cube=every_cube) for player in engine.players]
    assert list(outcome.places) == engine.places()


FOLDER: Final = Path(__file__).parent / "playthroughs"


@pytest.mark.parametrize("record", sorted(FOLDER.glob("*.txt")), ids=lambda record: record.stem)
def test_the_second_engine_follows_every_recorded_game(record: Path) -> None:
    transcript = read_record(record.read_text("utf-8"))
    table = lay_out(GAME, transcript)
    engine, scribe = Engine(len(table.seats), table.options, table.deed.drew), ImportChecker(GAME, table.position)
    for entry in scribe.enter(transcript.lines):
        engine.enter(entry.played.seat, entry.played.move, entry.played.deed.drew)
        agree(engine, scribe.position)
    agree_on_the_result(engine, scribe.position)


def test_every_option_of_the_reference_is_played_with_another_value() -> None:
    assert OTHERS.keys() == DEFAULTS.keys() == GAME.choices.keys()
    assert all(OTHERS[name] != DEFAULTS[name] for name in OTHERS)
