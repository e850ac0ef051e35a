"""The scripts of the guided games: declared draws and moves, played by the rules once and kept as boards."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from projections.games.execute_move import MoveResult, enact, set_up
from projections.rules.dealer import DeclaredDealer
from projections.rules.protocol import AnyGame, Board
from projections.rules.registry import GAMES
from service.core.errors import NotThere

FOLDER: Final = Path(__file__).parent
LEARNER: Final = 0  # the seat of the reader


class Played(NamedTuple):
    """A move of a script, with the board before it."""

    before: Board
    seat: int
    move: str
    result: MoveResult


class GuidedGame(NamedTuple):
    """A whole game by its script; `steps` are the numbers of the moves that the reader makes."""

    game: AnyGame
    seats: int
    moves: Sequence[Played]
    steps: Sequence[int]
    end: Board

    def board(self, step: int) -> Board:
        """Returns the board of a step, which counts from 1; after the last step, of the end."""
        return self.end if step > len(self.steps) else self.moves[self.steps[step - 1]].before

    def since(self, step: int) -> Sequence[Played]:
        """Returns the moves from the one of the step before up to the board of a step."""
        begin = 0 if step == 1 else self.steps[step - 2]
        return self.moves[begin : len(self.moves) if step > len(self.steps) else self.steps[step - 1]]

    def wanted(self, step: int) -> Played | None:
        """Returns the move that a step teaches; None at the end."""
        return None if step > len(self.steps) else self.moves[self.steps[step - 1]]


@cache
def guided_game(name: str) -> GuidedGame:
    """Plays a script to its end. Raises NotThere for a game without one, the errors of the rules for a wrong one."""
    if name not in GAMES:
        raise NotThere("guided game", name)
    script: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text())
    game, dealer = GAMES[name], DeclaredDealer(script["draws"].split())
    board, _laid = set_up(game, game.read_options(script["options"], script["seats"]), script["seats"], dealer)
    moves = []
    for text in script["moves"]:
        before = game.copy(board)
        executed = enact(game, board, text, dealer)
        moves.append(Played(before, executed.seat, executed.move, executed.deed))
    return GuidedGame(game, script["seats"], moves, script["steps"], board)
