"""Games of many thousands of events, which real players can make in a day."""

from functools import cache, partial

from events.log.bundle import Bundle
from projections.games.chance import ChanceLevel
from service.games.decisions import play
from tests.support.projections.bundles import GAME
from tests.support.projections.played_games import NO_CLOCK, SEATED, Evening, seated

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
