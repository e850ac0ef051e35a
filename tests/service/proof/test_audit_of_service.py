"""Whatever the service lets happen at a table, the audit of that table's bundle finds nothing wrong with it."""

import time
from collections.abc import Callable
from functools import partial

import pytest

from projections.games.chance import ChanceLevel
from projections.games.clocks import SECOND, TimeControl
from projections.games.imports.transcript import parse
from projections.games.record import RUNNING
from projections.rules.registry import GAMES
from projections.rules.time_budget import TimeBudget
from projections.verify.bundle import verify
from service.core.outages import Outage
from service.games.decisions import clocks, end_early, import_game, undo
from tests.support.projections.bundles import POLICY
from tests.support.projections.played_games import NO_CLOCK, SEATED, Evening, seated
from tests.support.projections.random_games import random_game, written
from tests.support.projections.rewritten_history import bundle

BANK = TimeControl("bank", 60, 5)


def seat_to_act(evening: Evening) -> int:
    turn = evening.table.known.turn
    assert turn is not None
    return turn.seat


def chair_of(evening: Evening, seat: int) -> str:
    return SEATED[evening.table.known.order[seat]]


def draws_in_last(evening: Evening) -> bool:
    return bool(evening.events[-1].data["drew"])


def some_undo(evening: Evening) -> None:
    """Move until a move drew nothing, and take it back; then play on."""
    for _ in range(3):
        seat = seat_to_act(evening)
        evening.move()
        while draws_in_last(evening):
            seat = seat_to_act(evening)
            evening.move()
        evening.let(chair_of(evening, seat), partial(undo.undo, seat=seat))
        evening.move()


def some_take_back(evening: Evening) -> None:
    evening.move()
    while draws_in_last(evening):
        evening.move()
    to = next(event.seq for event in reversed(evening.events[:-1]) if event.kind in ("moved", "game_started"))
    evening.let(SEATED[0], lambda act: end_early.take_back(act, 0, to))
    evening.let(SEATED[1], lambda act: end_early.answer(act, 1, agrees=True))
    evening.move()


def some_refusal(evening: Evening) -> None:
    evening.let(SEATED[0], lambda act: undo.make_offer(act, 0, "abort", None))
    evening.let(SEATED[1], lambda act: end_early.answer(act, 1, agrees=False))
    evening.move()


def some_withdrawal(evening: Evening) -> None:
    evening.let(SEATED[0], lambda act: undo.make_offer(act, 0, "abort", None))
    evening.let(SEATED[0], lambda act: end_early.withdraw(act, 0))
    evening.move()


def resignation(evening: Evening) -> None:
    evening.move()
    evening.let(SEATED[0], lambda act: end_early.resign(act, 0))


def early_end(evening: Evening) -> None:
    evening.let(SEATED[1], lambda act: end_early.abort(act, 1))


def fallen_flag(evening: Evening) -> None:
    evening.move()
    evening.let("service", lambda act: clocks.settle(act, []), after=200 * SECOND)


def absence(evening: Evening) -> None:
    """The service was down longer than the clock had left; no player is charged."""
    seen = evening.now
    evening.let("service", lambda act: clocks.settle(act, [Outage(seen, act.at)]), after=500 * SECOND)
    evening.move()


def absences_and_undo(evening: Evening) -> None:
    """Two outages are stated at once; neither the player nor the one that takes the move back is charged for them."""
    seat = seat_to_act(evening)
    evening.move()
    while draws_in_last(evening):
        seat = seat_to_act(evening)
        evening.move()
    moved = evening.now
    outages = [Outage(moved - 30 * SECOND, moved + 40 * SECOND), Outage(moved + 50 * SECOND, moved + 95 * SECOND)]
    evening.let("service", lambda act: clocks.settle(act, outages), after=95 * SECOND)
    assert [event.kind for event in evening.events[-2:]] == ["service_was_away"] * 2
    evening.let(chair_of(evening, seat), partial(undo.undo, seat=seat), after=5 * SECOND)
    charged = max(60 * SECOND - bank for bank in evening.table.known.clocks.banks)
    assert charged <= 40 * SECOND
    evening.move()


ENDINGS: list[tuple[Callable[[Evening], None], TimeControl]] = [
    (some_undo, NO_CLOCK),
    (some_take_back, BANK),
    (some_refusal, NO_CLOCK),
    (some_withdrawal, NO_CLOCK),
    (resignation, NO_CLOCK),
    (early_end, NO_CLOCK),
    (fallen_flag, BANK),
    (absence, BANK),
    (absences_and_undo, BANK),
]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("happens", "clock"), ENDINGS)
def test_nothing_is_wrong_with(game: str, happens: Callable[[Evening], None], clock: TimeControl) -> None:
    evening = seated(ChanceLevel.OPEN, clock, game)
    for _ in range(3):
        evening.move()
    happens(evening)
    for _ in range(5):
        if evening.table.known.status == RUNNING:
            evening.move()
    report = verify(bundle(evening.events).encode(), POLICY)
    assert report.failure is None
    assert {found.reason for found in report.remarks} <= {"draws_unread", "unfinished"}


@pytest.mark.parametrize(("offers", "actor", "seat"), [(True, 1, 0), (True, 1, 1), (False, 0, 0)])
def test_a_withdrawal_by_another_than_the_maker_is_refused(offers: bool, actor: int, seat: int) -> None:
    evening = seated(ChanceLevel.OPEN, NO_CLOCK)
    evening.move()
    if offers:
        evening.let(SEATED[0], lambda act: undo.make_offer(act, 0, "abort", None))
    evening.let(SEATED[actor], lambda act: act.write("offer_withdrawn", seat=seat))
    report = verify(bundle(evening.events).encode(), POLICY)
    assert report.failure is not None
    assert (report.failure.code, report.failure.reason) == ("V7", "actor")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("moves", [25, 3_000])
def test_nothing_is_wrong_with_a_record_from_another_table(game: str, moves: int) -> None:
    """Entered by a scribe; the last line of an unfinished one is struck out again."""
    record = "seats: Anna, Birgir, Carla\n".join(written(random_game(GAMES[game], 3, 11, moves)).split("seats: 3\n"))
    evening = Evening()
    evening.let(SEATED[0], lambda act: import_game.begin(act, parse(record), "public", TimeBudget(60, time.monotonic)))
    if evening.table.known.status == RUNNING:
        last = evening.events[-1]
        evening.let(SEATED[0], lambda act: import_game.go_back(act, last.seq - 1))
    report = verify(bundle(evening.events).encode(), POLICY)
    assert report.failure is None
    assert {found.reason for found in report.remarks} <= {"imported", "unfinished", "intervened"}
