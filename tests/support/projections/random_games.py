"""Whole games played at random, kept the way events keep them."""

import random
from typing import Any, NamedTuple, cast

from events.json_types import JsonObject
from projections.games.execute_move import execute, set_up
from projections.games.replay import GameSetup
from projections.rules.dealer import RandomDealer
from projections.rules.protocol import Game


class Act(NamedTuple):
    """An event, as far as a replay looks at it."""

    seq: int
    kind: str
    data: JsonObject
    rules: str = "1"


class PlayedGame(NamedTuple):
    """A finished game and the events that led to it."""

    setting: GameSetup[Any]
    events: list[Act]
    position: Any


def random_game(
    game: Game[Any, Any], seats: int, seed: int, longest: int = 2_000, options: JsonObject | None = None
) -> PlayedGame:
    """A game of random moves from the set-up to its end, or to its longest."""
    source = random.Random(seed)
    dealer, chosen = RandomDealer(source), game.read_options(options or {}, seats)
    position, deed = set_up(game, chosen, seats, dealer)
    events = [Act(1, "game_created", {}), Act(2, "game_started", deed.data())]
    while (seat := game.actor(position)) is not None and len(events) < longest:
        move = game.legal(position).sample(source)
        said: JsonObject = {"seat": seat, "move": game.notation(move)}
        events.append(Act(len(events) + 1, "moved", {**said, **execute(game, position, move, dealer).data()}))
    return PlayedGame(GameSetup(game, chosen, seats), events, position)


def written(played: PlayedGame) -> str:
    """Returns the game as a written record."""
    moves = [_line(event.data) for event in played.events[2:]]
    draws = " ".join(cast(list[str], played.events[1].data["drew"]))
    return f"game: {played.setting.game.name}\nseats: {played.setting.seats}\ndraws: {draws}\n" + "".join(moves)


def _line(data: JsonObject) -> str:
    drew = f" [{' '.join(cast(list[str], data['drew']))}]" if data["drew"] else ""
    return f"{data['move']}{drew}\n"
