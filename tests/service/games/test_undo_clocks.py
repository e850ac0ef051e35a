"""What an undo does to the clocks: it restores those of before the move and charges the time since, in frozen time."""

import random
from functools import partial

import pytest
from flask.testing import FlaskClient
from freezegun import freeze_time
from hypothesis import given, settings
from hypothesis import strategies as st

from projections.games.clocks import BANK, PER_MOVE, Clocks, TimeControl
from projections.games.fold import record_of
from projections.games.record import GameRecord
from projections.games.replay import line
from projections.rules.registry import GAMES
from service.core.errors import OfferRefused, UndoRefused
from service.games.decisions import end_early, proposals, undo
from service.games.decisions.proposals import Proposal
from tests.service.games.test_clocks import NOON, clock_of
from tests.service.games.test_commands import GAME, SECOND, Memory, joining, moving
from tests.support.service.players import running

RATED = {"kind": "bank", "seconds": 60, "increment": 30}
HOUR = TimeControl(BANK, 3_600, 30)


def started(clock: TimeControl, seats: int = 2) -> Memory:
    """A game of Spice Road that has just begun; seat 0 is to move."""
    memory = Memory()
    proposal = Proposal("spice_road", {}, ["me", *["open"] * (seats - 1)], clock=clock, first_chair=0)
    memory.act(lambda act: proposals.create(act, proposal))
    for person in ("birgir", "carla")[: seats - 1]:
        memory.act(joining(person), person)
    return memory


def clocks_of(memory: Memory) -> Clocks:
    return memory.table.known.clocks


def wait(memory: Memory, seconds: int) -> None:
    """Let time pass; the next act takes a second more."""
    memory.at += (seconds - 1) * SECOND


def test_four_undone_moves_refill_no_bank(client: FlaskClient) -> None:
    with freeze_time(NOON):
        game, (first, _) = running(client, clock=RATED)
        for _ in range(4):
            first.move(game, "play create_2")
            first.post(f"/v1/games/{game}/undo")
        assert clock_of(first, game)["banks"] == [60, 60]


def test_an_undone_move_renews_no_period(client: FlaskClient) -> None:
    with freeze_time(NOON) as clock:
        game, (first, _) = running(client, clock={"kind": "per_move", "seconds": 60})
        for _ in range(2):
            clock.tick(20)
            first.move(game, "play create_2")
            first.post(f"/v1/games/{game}/undo")
        assert clock_of(first, game)["deadline"] == "2026-11-18T12:01:00.000000Z"


def test_time_of_the_other_is_charged_to_the_seat_that_undid() -> None:
    memory = started(HOUR)
    before = clocks_of(memory)
    wait(memory, 10)
    memory.act(moving(0, "play create_2"))
    wait(memory, 25)
    memory.act(partial(undo.undo, seat=0))
    assert clocks_of(memory) == before
    wait(memory, 5)
    memory.act(moving(0, "play create_2"))
    assert clocks_of(memory).banks == ((3_600 - 40 + 30) * SECOND, 3_600 * SECOND)


def test_an_undo_that_leaves_no_time_is_refused(client: FlaskClient) -> None:
    with freeze_time(NOON) as clock:
        game, (first, _) = running(client, clock=RATED)
        clock.tick(50)
        first.move(game, "play create_2")
        clock.tick(10)
        refused = first.post(f"/v1/games/{game}/undo", status=422)
        assert (refused["reason"], clock_of(first, game)["running"]) == ("no_time", 1)


def test_an_outage_after_the_move_is_not_charged() -> None:
    memory = started(HOUR)
    since = clocks_of(memory).since
    memory.act(moving(0, "play create_2"))
    away = memory.at
    wait(memory, 1_000)
    until = memory.at
    memory.act(lambda act: act.write("service_was_away", since=away, until=until))
    memory.act(partial(undo.undo, seat=0))
    assert clocks_of(memory).since == since + until - away


def test_time_that_a_director_added_stays() -> None:
    memory = started(HOUR)
    memory.act(moving(0, "play create_2"))
    more = [bank + 60 * SECOND for bank in clocks_of(memory).banks]
    memory.act(lambda act: act.write("clock_changed", banks=more, cause="ruled", reason=None))
    memory.act(partial(undo.undo, seat=0))
    assert clocks_of(memory).banks == (3_660 * SECOND, 3_660 * SECOND)


def test_an_agreed_take_back_is_charged_to_the_seat_that_asked() -> None:
    memory = started(HOUR)
    to = memory.table.head.seq
    wait(memory, 10)
    memory.act(moving(0, "play create_2"))
    moved = memory.at
    wait(memory, 20)
    memory.act(partial(end_early.take_back, seat=1, to=to), "birgir")
    wait(memory, 30)
    memory.act(partial(end_early.answer, seat=0, agrees=True))
    charged, clocks = memory.at - moved, clocks_of(memory)
    assert charged == 50 * SECOND
    assert clocks.banks == (3_600 * SECOND, 3_600 * SECOND - charged)
    assert memory.at - clocks.since == 10 * SECOND  # the time that seat 0 used before its move stays charged


def test_a_take_back_that_its_maker_cannot_pay_is_refused() -> None:
    memory = started(TimeControl(BANK, 60, 60))
    to = memory.table.head.seq
    memory.act(moving(0, "play create_2"))
    wait(memory, 40)
    memory.act(moving(1, "play create_2"))
    wait(memory, 30)
    with pytest.raises(UndoRefused) as refused:
        memory.act(partial(end_early.take_back, seat=1, to=to), "birgir")
    assert refused.value.reason == "no_time"
    with pytest.raises(OfferRefused):
        memory.act(partial(end_early.answer, seat=0, agrees=True))


def test_an_event_of_an_earlier_version_folds_as_before() -> None:
    memory = started(HOUR)
    memory.act(moving(0, "play create_2"))
    memory.act(partial(undo.undo, seat=0))
    events = memory.book.read(GAME)
    *earlier, newest = events
    old = newest._replace(data={name: value for name, value in newest.data.items() if name != "clocks"})
    folded = record_of([*earlier, old])
    assert folded is not None
    assert folded.clocks.banks == ((3_600 + 30 - 1) * SECOND, (3_600 + 30 - 1) * SECOND)
    assert folded.clocks.since == newest.at


def left(record: GameRecord, at: int) -> int:
    """The time that all seats have together, in microseconds."""
    clocks = record.clocks
    running = at - clocks.since if clocks.seat is not None else 0
    if clocks.setting.kind == PER_MOVE:
        return clocks.setting.seconds * SECOND - running
    return sum(clocks.banks) - running


def let(memory: Memory, seat: int, source: random.Random) -> None:
    """Let a seat move, undo, or all agree to return to an earlier board."""
    kept = [event.seq for event in line(memory.book.read(GAME))]
    per_move = memory.table.known.clocks.setting.kind == PER_MOVE  # a period belongs to one seat
    act = source.choice(("move", "move", "undo", "undo" if per_move else "take_back"))
    before, record = memory.table.known, memory.table.known
    if act == "move":
        game, board = GAMES["spice_road"], memory.table.board
        memory.act(moving(seat, game.notation(game.legal(board).sample(source))))
        return
    by = source.randrange(len(record.seats))
    try:
        if act == "undo":
            memory.act(partial(undo.undo, seat=by))
        else:
            memory.act(partial(end_early.take_back, seat=by, to=source.choice(kept)))
            for other in range(len(record.seats)):
                if memory.table.known.offer is not None and other != by:
                    memory.act(partial(end_early.answer, seat=other, agrees=True))
    except UndoRefused:
        if memory.table.known.offer is not None:
            other = next(other for other in range(len(record.seats)) if other != by)
            memory.act(partial(end_early.answer, seat=other, agrees=False))
        return
    assert left(memory.table.known, memory.at) <= left(before, memory.at)


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from([HOUR, TimeControl(PER_MOVE, 3_600)]), st.sampled_from([2, 3]))
def test_undoing_never_adds_time_in_all(seed: int, clock: TimeControl, seats: int) -> None:
    source, memory = random.Random(seed), started(clock, seats)
    for _ in range(25):
        turn = memory.table.known.turn
        if turn is None:
            break
        wait(memory, source.randrange(1, 60))
        let(memory, turn.seat, source)
    assert record_of(memory.book.read(GAME)) == memory.table.known
