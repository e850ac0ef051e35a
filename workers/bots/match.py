"""A whole game between bots in this process, without a service: for measuring levels against each other."""

import random
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from events.json_types import JsonObject
from projections.rules.dealer import RandomDealer
from projections.rules.protocol import Game, Outcome
from workers.bots.bot import Bot, Budget
from workers.bots.information_set import as_known

LONGEST: Final = 5_000  # decisions; bots that play to win need some hundreds


class MatchPlayer(NamedTuple):
    """Who sits at a seat, and how long they may think."""

    bot: Bot
    budget: Budget = Budget()


class GameDidNotEnd(RuntimeError):
    """A game between bots did not come to an end."""


def play(game: Game[Any, Any], options: JsonObject, players: Sequence[MatchPlayer], seed: int) -> Outcome:
    """One game; every bot is shown what its seat may know."""
    source, dealt = random.Random(seed), random.Random(~seed)
    dealer, chronicle = RandomDealer(dealt), game.chronicle(recording=False)
    position = game.set_up(game.read_options(options, len(players)), len(players), dealer, chronicle)
    for _ in range(LONGEST):
        seat = game.actor(position)
        if seat is None:
            outcome = game.outcome(position)
            assert outcome is not None
            return outcome
        bot, budget = players[seat]
        shown = as_known(game, position, seat, source)
        game.play(position, bot(game, shown, game.legal(shown), budget, source).move, dealer, chronicle)
    raise GameDidNotEnd(game.name)
