"""What becomes of games besides being played to their end: each row is a way a game can go."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from events.sealing.master_keys import MasterKeys
from projections.games.away_budget import DAY, Span
from projections.games.clocks import SECOND
from projections.games.imports.transcript import parse
from projections.rules.registry import GAMES
from projections.rules.time_budget import TimeBudget
from service.core.outages import Outage
from service.games.decisions import clocks, end_early, endings, expiry, import_game, pauses, proposals, take_seats, undo
from service.games.game_state import GameUnitOfWork
from tests.corpus.evening import Evening
from tests.support.projections.random_games import random_game, written

SHORT = 20  # moves
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
KEYS = MasterKeys(b"")
LIFE = 14  # days of an open table
NAMES = "seats: Anna, Birgir\n"  # of who sat at the other table


def played_out(evening: Evening) -> None:
    evening.sit_down()
    evening.finish()


def resigned(evening: Evening) -> None:
    """A bot plays on for who gave up."""
    evening.sit_down()
    evening.move(2 * SHORT)
    seat = evening.seat()
    evening.let(evening.player(seat), partial(end_early.resign, seat=seat))
    evening.move(2 * SHORT)


def forfeited(evening: Evening) -> None:
    """With a single seat left the game is over."""
    evening.sit_down()
    evening.move(SHORT)
    for seat in range(evening.setup.seats - 1):
        evening.let(evening.player(seat), partial(end_early.resign, seat=seat))


def aborted_early(evening: Evening) -> None:
    evening.sit_down()
    evening.move(2)
    evening.let(evening.player(0), partial(end_early.abort, seat=0))


def cancelled(evening: Evening) -> None:
    """The host takes the table away while a chair is free; somebody had got up."""
    proposal = proposals.Proposal(evening.setup.game, {}, ["me", "open", "open"])
    evening.let(evening.players[0], partial(proposals.create, proposal=proposal))
    sits: dict[str, Any] = {
        "chair": None,
        "code": None,
        "keys": KEYS,
        "contribution": take_seats.NO_CONTRIBUTION,
    }
    evening.let(evening.players[1], partial(take_seats.join, player=evening.players[1], **sits))
    evening.let(evening.players[1], partial(take_seats.leave, player=evening.players[1]))
    evening.let(evening.players[0], partial(end_early.cancel, player=evening.players[0]))


def expired(evening: Evening) -> None:
    """Nobody joins the table; its end is announced, and put off once by a player who does not stay."""
    host, guest = evening.players[:2]
    proposal = proposals.Proposal(evening.setup.game, {}, ["me", "open", "open"])
    evening.let(host, partial(proposals.create, proposal=proposal))
    announce = partial(expiry.announce, days=LIFE)
    evening.let("service", announce, after=LIFE * expiry.DAY)
    sits: dict[str, Any] = {
        "chair": None,
        "code": None,
        "keys": KEYS,
        "contribution": take_seats.NO_CONTRIBUTION,
    }
    evening.let(guest, partial(take_seats.join, player=guest, **sits))
    evening.let(guest, partial(take_seats.leave, player=guest))
    evening.let("service", announce, after=LIFE * expiry.DAY)
    evening.let("service", lambda unit: clocks.settle(unit, []), after=expiry.NOTICE)


def aborted_by_maker(evening: Evening) -> None:
    """The host of a game of house bots ends it."""
    host, bots = evening.players[0], ["bot:random"] * evening.setup.seats
    proposal = proposals.Proposal(evening.setup.game, {}, bots)
    evening.let(host, partial(proposals.create, proposal=proposal))
    evening.let(host, partial(end_early.abort_as_maker, reason=None))


def ended_by_administrator(evening: Evening) -> None:
    """An administrator ends a game that runs."""
    evening.sit_down()
    evening.move(SHORT)

    def end(unit: GameUnitOfWork) -> None:  # as the decision does, with a reason that is the same in every run
        unit.write("game_aborted", cause="administrator", reason="dd" * 32)
        endings.reveal(unit)

    evening.let("operator", end)


def aborted_by_agreement(evening: Evening) -> None:
    evening.sit_down()
    evening.move(3 * SHORT)
    evening.let(evening.player(0), partial(end_early.abort, seat=0))
    for seat in range(1, evening.setup.seats):
        evening.let(evening.player(seat), partial(end_early.answer, seat=seat, agrees=True))


def offer_withdrawn(evening: Evening) -> None:
    """Two seats offer to abort, one after the other, and each withdraws its offer."""
    evening.sit_down()
    evening.move(3 * SHORT)
    for seat in range(2):
        evening.let(evening.player(seat), partial(end_early.abort, seat=seat))
        evening.let(evening.player(seat), partial(end_early.withdraw, seat=seat))
        evening.move()


def second_thoughts(evening: Evening) -> None:
    """Moves undone alone, taken back by agreement, and an offer that was refused."""
    evening.sit_down()
    evening.move(SHORT)
    seat = move_without_draw(evening)
    evening.let(evening.player(seat), partial(undo.undo, seat=seat))
    evening.move(5)
    move_without_draw(evening)
    earlier = [event.seq for event in evening.events if event.kind == "moved"][-2]
    for agrees in (False, True):
        evening.let(evening.player(0), partial(end_early.take_back, seat=0, to=earlier))
        for other in range(1, evening.setup.seats):
            if evening.table.known.offer is not None:
                evening.let(evening.player(other), partial(end_early.answer, seat=other, agrees=agrees))
    evening.finish()


def move_without_draw(evening: Evening) -> int:
    """Moves up to one that drew nothing; its seat."""
    while True:
        seat = evening.seat()
        evening.move()
        if not evening.events[-1].data["drew"]:
            return seat


def flag_fallen(evening: Evening) -> None:
    """Somebody thought too long; what happens then is an option of the game."""
    evening.sit_down()
    evening.move(SHORT)
    evening.let("service", lambda act: clocks.settle(act, []), after=20 * MINUTE)
    evening.move(SHORT)


def service_away(evening: Evening) -> None:
    """Nobody is charged for the hour, and an arbiter corrects the clocks and gives the seat to another player."""
    evening.sit_down()
    evening.move(SHORT)
    seen = evening.now
    evening.let("service", lambda act: clocks.settle(act, [Outage(seen, act.at)]), after=60 * MINUTE)
    banks = [MINUTE * (seat + 1) for seat in range(evening.setup.seats)]
    evening.let("director", lambda act: act.write("clock_changed", banks=banks, cause="ruled", reason="dd" * 32))
    evening.let(
        "director",
        lambda act: act.write("player_replaced", seat=0, player="player-9", bot=None, cause="ruled", reason=None),
    )
    evening.move(SHORT)


def paused(evening: Evening) -> None:
    """The players agree on a pause, move in it and resume; another one ends by itself; a third is declined."""
    evening.sit_down()
    evening.move(SHORT)
    for after in (MINUTE, HOUR - SECOND):
        agree_on_pause(evening)
        evening.move(2)
        seat = evening.seat()
        if after == MINUTE:
            evening.let(evening.player(seat), partial(pauses.resume, seat=seat), after=after)
        else:
            evening.let("service", lambda act: clocks.settle(act, []), after=after)
        evening.move(2)
    evening.let(evening.player(0), partial(pauses.propose, seat=0, seconds=3600))
    evening.let(evening.player(1), partial(end_early.answer, seat=1, agrees=False))
    evening.move(SHORT)


def agree_on_pause(evening: Evening) -> None:
    evening.let(evening.player(0), partial(pauses.propose, seat=0, seconds=3600))
    for seat in range(1, evening.setup.seats):
        evening.let(evening.player(seat), partial(end_early.answer, seat=seat, agrees=True))


def days_away(evening: Evening) -> None:
    """The player to act is away and comes back early; then another one, until the days are over."""
    evening.sit_down()
    evening.move(SHORT)
    for comes_back in (True, False):
        gone = evening.player(evening.seat())
        away = {gone: Span(evening.now, evening.now + 5 * DAY)}
        evening.let("service", partial(clocks.settle, outages=[], away=away), after=HOUR)
        evening.move(1 if comes_back else 0)
        evening.let("service", lambda act: clocks.settle(act, []), after=2 * DAY if comes_back else 5 * DAY - HOUR)
        evening.move(SHORT)


def reveal_missed(evening: Evening) -> None:
    """The last to sit down does not reveal in time and counts as absent."""
    evening.sit_down(reveal=evening.setup.seats - 1)
    evening.let("service", lambda act: clocks.settle(act, []), after=5 * MINUTE)
    evening.move(SHORT)


def imported(evening: Evening) -> None:
    """Entered by a scribe, who strikes the last line out again."""
    elsewhere = random_game(GAMES[evening.setup.game], 2, 11, 3 * SHORT)
    record = NAMES.join(written(elsewhere).split("seats: 2\n"))
    evening.let("scribe", lambda act: import_game.begin(act, parse(record), "public", TimeBudget(MINUTE, lambda: 0.0)))
    if evening.running:
        last = [event.seq for event in evening.events if event.kind == "moved"][-2]
        evening.let("scribe", partial(import_game.go_back, to=last))


STORIES: Mapping[str, Callable[[Evening], None]] = {
    story.__name__: story
    for story in (
        played_out,
        resigned,
        forfeited,
        aborted_early,
        cancelled,
        aborted_by_agreement,
        offer_withdrawn,
        second_thoughts,
        flag_fallen,
        service_away,
        paused,
        days_away,
        reveal_missed,
        imported,
        expired,
        aborted_by_maker,
        ended_by_administrator,
    )
}
