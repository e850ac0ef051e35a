"""What forgers of whole games work with: events changed, put in and left out, and everything chained anew."""

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any, NamedTuple
from uuid import UUID

from events.canonical import canonical
from events.event import START, Event, received
from events.merkle.policy import Policy
from projections.games.chance import ChanceLevel
from projections.games.clocks import SECOND, TimeControl
from service.games.decisions import clocks, end_early, undo
from tests.support.projections.bundles import LOG, POLICY
from tests.support.projections.played_games import NO_CLOCK, SEATED, Evening, seated
from tests.support.projections.rewritten_history import (
    Body,
    bodies,
    bundle,
    changed_at,
    first,
    is_end,
    is_move,
    renumbered,
)

NO_WITNESSES = Policy.parse(f"log {LOG.verifier}\nquorum none\n".encode())
MONTH = 30 * 24 * 3600
STRANGER = "player-x"
SHORT = 12  # moves


def retold(told: Sequence[Body]) -> bytes:
    """A bundle of these events, made up so that every player seems to have seen this very history."""
    return bundle(events_of(told)).encode()


def events_of(told: Sequence[Body]) -> list[Event]:
    """Made-up events, chained anew, with the history that each player is said to have seen."""
    prev, made = START.hash, list[Event]()
    for body in renumbered(told):
        saw = {"saw": prev.hex()} if "saw" in body["data"] else {}
        event = received(canonical({**body, "data": {**body["data"], **saw}, "prev": prev.hex()}))
        made.append(event)
        prev = event.hash
    return made


class Claim(NamedTuple):
    """A forged bundle, and the expected finding of the verifier."""

    does: str
    make: Callable[[], bytes]
    code: str  # of the check that speaks
    reason: str
    at: int | None = None  # the event that a refusal names
    policy: Policy | None = POLICY
    stream: UUID | None = None


def kind_is(kind: str, body: Body) -> bool:
    return bool(body["kind"] == kind)


def seq_of(kind: str, told: Sequence[Body]) -> int:
    return first(told, partial(kind_is, kind))


def put(told: Sequence[Body], seq: int, **fields: Any) -> list[Body]:
    """The events with other fields of one, outside of its data."""
    return [{**body, **fields} if body["seq"] == seq else body for body in told]


def inserted(told: Sequence[Body], later: int, kind: str, actor: str = "service", /, **data: Any) -> list[Body]:
    """The events with one more."""
    made = {**told[later - 1], "kind": kind, "shape": 1, "actor": actor, "data": data}
    return renumbered([*told[:later], made, *told[later:]])


def without(told: Sequence[Body], seq: int, field: str) -> list[Body]:
    """The events, a field of one of them left out."""
    return [
        {**body, "data": {name: value for name, value in body["data"].items() if name != field}}
        if body["seq"] == seq
        else body
        for body in told
    ]


@cache
def forged_result(level: ChanceLevel = ChanceLevel.SEALED) -> tuple[Body, ...]:
    """A whole game in which the loser has won."""
    told = bodies(level)
    end = first(told, is_end)
    data = told[end - 1]["data"]
    return tuple(changed_at(told, end, places=data["places"][::-1], points=data["points"][::-1]))


def short(level: ChanceLevel = ChanceLevel.SEALED, clock: TimeControl = NO_CLOCK) -> tuple[Body, ...]:
    return bodies(level, clock, SHORT)


def whole_game(level: ChanceLevel = ChanceLevel.SEALED) -> tuple[Body, ...]:
    return bodies(level)


def move_of(told: Sequence[Body], nth: int = 4) -> int:
    return first(told, is_move) + nth


def evening(
    *acts: Callable[[Evening], object], level: ChanceLevel = ChanceLevel.OPEN, clock: TimeControl = NO_CLOCK
) -> tuple[Body, ...]:
    """A game in which something happened besides moves."""
    made = seated(level, clock)
    for _ in range(3):
        made.move()
    for act in acts:
        act(made)
    return tuple(dict(received_body(event.body)) for event in made.events)


def received_body(body: bytes) -> Body:
    event = received(body)
    return {
        "stream": str(event.stream),
        "seq": event.seq,
        "kind": event.kind,
        "shape": event.shape,
        "data": event.data,
        "actor": event.actor,
        "at": event.at,
        "rules": event.rules,
        "salt": event.salt.hex(),
        "prev": event.prev.hex(),
    }


def to_act(made: Evening) -> int:
    turn = made.table.known.turn
    assert turn is not None
    return turn.seat


def player_of(made: Evening, seat: int) -> str:
    return SEATED[made.table.known.order[seat]]


def undo_own(made: Evening) -> None:
    """Move until nothing is drawn, and take that move back."""
    while True:
        seat = to_act(made)
        made.move()
        if not made.events[-1].data["drew"]:
            break
    made.let(player_of(made, seat), partial(undo.undo, seat=seat))


def resign(made: Evening) -> None:
    made.let(SEATED[0], partial(end_early.resign, seat=made.table.known.order.index(0)))


def abort_agreed(made: Evening) -> None:
    first, second = (made.table.known.order.index(chair) for chair in range(2))
    made.let(SEATED[0], partial(end_early.abort, seat=first))
    made.let(SEATED[1], partial(end_early.answer, seat=second, agrees=True))


def withdraw_abort(made: Evening) -> None:
    first = made.table.known.order.index(0)
    made.let(SEATED[0], partial(end_early.abort, seat=first))
    made.let(SEATED[0], partial(end_early.withdraw, seat=first))


def withdrawn_by_another() -> bytes:
    told = evening(withdraw_abort)
    return retold(put(told, seq_of("offer_withdrawn", told), actor=SEATED[1]))


def next_move(made: Evening) -> None:
    made.move()


def move_of_bot(made: Evening) -> None:
    """Play until the bot that stands in has moved."""
    while made.table.known.engine is None:
        made.move()
    made.move()


def flag(made: Evening) -> None:
    made.let("service", lambda act: clocks.settle(act, []), after=2_000 * SECOND)


def replaced_player(told: Sequence[Body], actor: str, seat: int) -> list[Body]:
    """A seat is given to another player after the third move, and moves for it follow."""
    after = move_of(told, 2)
    given = inserted(told, after, "player_replaced", seat=seat, player="player-n", bot=None, cause="ruled", reason=None)
    moved = [
        {**body, "actor": actor} if is_move(body) and body["seq"] > after and body["data"]["seat"] == seat else body
        for body in given
    ]
    return [{**body, "data": {n: v for n, v in body["data"].items() if n != "saw"}} for body in moved]


def stand_in_moves_for_player() -> bytes:
    """The resigned player goes on making the substitute bot's moves."""
    told = evening(resign, move_of_bot)
    at = max(body["seq"] for body in told if is_move(body))
    return retold(put(told, at, actor=SEATED[0]))


def closing(told: Sequence[Body]) -> tuple[int, ...]:
    return tuple(body["seq"] for body in told if kind_is("commitments_closed", body))
