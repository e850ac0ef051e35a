"""Plays a whole game between bots in this process, without the service, to measure levels against each other."""

import random
from collections.abc import Sequence
from typing import Final, NamedTuple

from events.json_types import JsonObject
from projections.rules.dealer import RandomDealer
from projections.rules.protocol import Game, M, Outcome, P
from workers.bots.bot import Bot, Budget
from workers.bots.information_set import as_known

LONGEST: Final = 5_000  # decisions; bots that play to win need some hundreds


class MatchPlayer(NamedTuple):
    """The bot at a seat and its budget."""

    bot: Bot
    budget: Budget = Budget()


class GameDidNotEnd(RuntimeError):
    """A game between bots reached the limit of decisions."""


def play(game: Game[P, M], options: JsonObject, players: Sequence[MatchPlayer], seed: int) -> Outcome:
    """Plays one game and returns its outcome; each bot gets its seat's information only. Raises GameDidNotEnd."""
    source, dealt = random.Random(seed), random.Random(~seed)
    dealer, recorder = RandomDealer(dealt), game.recorder(recording=False)
    position = game.set_up(game.read_options(options, len(players)), len(players), dealer, recorder)
    for _ in range(LONGEST):
        seat = game.actor(position)
        if seat is None:
            outcome = game.outcome(position)
            assert outcome is not None
            return outcome
        bot, budget = players[seat]
        known = as_known(game, position, seat, source)
        game.play(position, bot(game, known, game.legal(known), budget, source).move, dealer, recorder)
    raise GameDidNotEnd(game.name)
