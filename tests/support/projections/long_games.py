"""Games of many thousands of events, which real players can make in a day."""

import random
from functools import cache, partial

from events.log.bundle import Bundle
from projections.games.chance import ChanceLevel
from projections.games.execute_move import execute, set_up
from projections.games.replay import GameSetup
from projections.rules.dealer import RandomDealer
from projections.rules.registry import GAMES
from service.games.decisions import play
from tests.support.projections.bundles import GAME
from tests.support.projections.played_games import NO_CLOCK, SEATED, Evening, seated
from tests.support.projections.random_games import Act, PlayedGame, written

ORDERS = ("play upgrade_2", "rest")  # each seat in turn, legal for ever


def long_game(moves: int) -> Evening:
    """A game of Spice Road in which nobody wants to win."""
    evening = seated(ChanceLevel.OPEN, NO_CLOCK)
    for number in range(moves):
        record = evening.table.known
        assert record.turn is not None
        evening.let(
            SEATED[record.order[record.turn.seat]],
            partial(play.play, seat=record.turn.seat, text=ORDERS[number // 2 % 2]),
        )
    return evening


@cache
def long_bundle(moves: int) -> bytes:
    """The bundle of such a game, not in any log."""
    return Bundle(GAME, tuple(event.body for event in long_game(moves).events)).encode()


@cache
def varied_record(moves: int, seats: int = 3) -> str:
    """The record of a game of Spice Road: so many random moves without claims of point cards, then any to its end."""
    game, source = GAMES["spice_road"], random.Random(1)
    dealer, options = RandomDealer(source), game.read_options({}, seats)
    position, deed = set_up(game, options, seats, dealer)
    events = [Act(1, "game_created", {}), Act(2, "game_started", deed.data())]
    while (seat := game.actor(position)) is not None:
        legal = [(move, game.notation(move)) for move in game.legal(position)]
        claims = [(move, text) for move, text in legal if text.startswith("claim")]
        others = [(move, text) for move, text in legal if not text.startswith("claim")]
        move, text = source.choice((claims if len(events) > moves else others) or legal)
        events.append(
            Act(len(events) + 1, "moved", {"seat": seat, "move": text, **execute(game, position, move, dealer).data()})
        )
    return written(PlayedGame(GameSetup(game, options, seats), events, position))
