"""Acts without a database: whole games decided in memory, their records folded from any point of the log."""

import json
import random
from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.sealing.master_keys import MasterKeys
from events.store.memory import MemoryStore
from projections.games import record as records
from projections.games.chance import ChanceLevel
from projections.games.clocks import BANK, TimeControl
from projections.games.errors import BrokenCommitment
from projections.games.fold import record_of
from projections.games.record import FINISHED, RUNNING
from projections.rules.registry import GAMES
from service.core.errors import UndoRefused
from service.games.decisions import end_early, proposals, take_seats, undo
from service.games.decisions.play import play
from service.games.decisions.proposals import Proposal
from service.games.game_state import GameState, GameUnitOfWork, Sources
from service.games.history import history_of
from tests.support.projections.played_games import NO_CLOCK, SEATED, Evening, seated

GAME = UUID("00000000-0000-4000-8000-000000000001")
SEED = bytes(31) + b"\x07"
KEYS = MasterKeys(bytes(32))
SECOND = 1_000_000


class Memory:
    """A game kept in lists."""

    def __init__(self) -> None:
        self.book = MemoryStore()
        self.table = GameState(GAME)
        self.at = 0

    def act(self, decide: Callable[[GameUnitOfWork], None], actor: str = "anna") -> GameUnitOfWork:
        """Let something be decided and write it down."""
        self.at += SECOND
        act = GameUnitOfWork(
            self.table, self.at, actor, Sources(lambda: SEED, lambda: history_of(GAME, tuple(self.book.read(GAME))))
        )
        decide(act)
        self.book.append(GAME, self.table.head.seq, act.events)
        self.table = act.now
        return act


def joining(person: str) -> Callable[[GameUnitOfWork], None]:
    """A player takes the first free seat."""
    return lambda act: take_seats.join(act, person, None, None, KEYS, take_seats.NO_CONTRIBUTION)


def moving(seat: int, move: str) -> Callable[[GameUnitOfWork], None]:
    """A seat makes a move."""
    return lambda act: play(act, seat, move)


def played(name: str, source: random.Random) -> Memory:
    """Plays a random game of two or three seats to its end, with undone moves and a resignation."""
    memory, seats = Memory(), source.choice((2, 3))
    people = ["anna", "birgir", "carla"][:seats]
    proposal = Proposal(name, {}, ["me", *("open" for _ in people[1:])], clock=TimeControl(BANK, 100_000, 5))
    memory.act(lambda act: proposals.create(act, proposal))
    for person in people[1:]:
        memory.act(joining(person), person)
    while (turn := memory.table.known.turn) is not None:
        game, seat = GAMES[name], turn.seat
        move = game.notation(game.legal(memory.table.board).sample(source))
        memory.act(moving(seat, move))
        if memory.table.known.status == RUNNING and source.random() < 0.1:
            try:
                memory.act(partial(undo.undo, seat=seat))
            except UndoRefused:
                continue
    return memory


@pytest.mark.parametrize("name", sorted(GAMES))
def test_a_record_is_the_same_from_any_point_of_the_log(name: str) -> None:
    memory = played(name, random.Random(3))
    events = tuple(memory.book.read(GAME))
    whole = record_of(events)
    assert whole == memory.table.known
    assert whole.status == FINISHED
    for cut in range(1, len(events), 7):
        earlier = record_of(events[:cut])
        assert earlier is not None
        kept = records.restore(json.loads(json.dumps(records.document(earlier))))
        assert kept == earlier
        assert record_of(events[cut:], kept) == whole


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 10**6))
def test_the_clock_of_a_game_never_gives_more_than_bank_and_increments(seed: int) -> None:
    memory = played("spice_road", random.Random(seed))
    record = memory.table.known
    turns = [event for event in memory.book.read(GAME) if event.kind == "moved"]
    most = 100_000 * SECOND + 5 * SECOND * len(turns)
    assert all(0 <= bank <= most for bank in record.clocks.banks)
    assert record.clocks.seat is None


def test_what_another_program_stored_in_another_form_is_folded_anew() -> None:
    stored = [records.FORMAT + 1, "whatever"]
    assert records.restore(stored) is None


def test_the_clock_set_back_does_not_turn_time() -> None:
    memory = Memory()
    memory.at = 50 * SECOND
    memory.act(lambda act: proposals.create(act, Proposal("spice_road", {}, ["me", "open"])))
    memory.at = 0
    joined = memory.act(
        lambda act: take_seats.join(act, "birgir", None, None, KEYS, take_seats.NO_CONTRIBUTION), "birgir"
    )
    assert joined.events[0].at == 51 * SECOND


def test_who_resigns_in_time_of_another_keeps_the_others_clock_running() -> None:
    memory = Memory()
    proposal = Proposal("spice_road", {}, ["me", "open", "open"], clock=TimeControl(BANK, 100, 0), first_chair=0)
    memory.act(lambda act: proposals.create(act, proposal))
    for person in ("birgir", "carla"):
        memory.act(joining(person), person)
    before = memory.table.known.clocks
    memory.act(lambda act: end_early.resign(act, 2), "carla")
    assert memory.table.known.clocks == before
    memory.act(lambda act: end_early.resign(act, 0), "anna")
    assert memory.table.known.clocks.seat is None


def test_a_stand_in_moves_without_the_links_of_the_seats_chain() -> None:
    evening = seated(ChanceLevel.CHAINED, NO_CLOCK)
    seat = to_move(evening)
    with pytest.raises(BrokenCommitment):
        evening.move()
    evening.let(SEATED[seat], lambda act: end_early.resign(act, seat))
    evening.move()
    assert (evening.events[-1].kind, evening.events[-1].data["seat"]) == ("moved", seat)


def test_a_substitute_moves_without_the_links_of_the_seats_chain() -> None:
    evening = seated(ChanceLevel.CHAINED, NO_CLOCK)
    seat = to_move(evening)
    replaced: dict[str, Any] = {"seat": seat, "player": "substitute", "bot": None, "cause": "ruled", "reason": None}
    evening.let("director", lambda act: act.write("player_replaced", **replaced))
    evening.move()
    assert (evening.events[-1].kind, evening.events[-1].data["seat"]) == ("moved", seat)


def to_move(evening: Evening) -> int:
    turn = evening.table.known.turn
    assert turn is not None
    return turn.seat
