"""Histories that somebody made up, told as if they had happened: chained, sealed and cosigned anew."""

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from events.event import Event, Head, received
from events.log.bundle import Bundle
from projections.games.chance import ChanceLevel
from projections.games.clocks import TimeControl
from projections.games.signed_moves import move_statement
from tests.support.projections.bundles import START_TIME, bundle_of, rechained
from tests.support.projections.played_games import NO_CLOCK, played

LATER = START_TIME + 10_000
BANK = TimeControl("bank", 600, 5)
Body = dict[str, Any]


def bundle(events: Sequence[Event]) -> Bundle:
    closing = tuple(event.seq for event in events if event.kind == "commitments_closed")
    return bundle_of(events, closing, time=LATER)


@cache
def bodies(
    level: ChanceLevel = ChanceLevel.SEALED, clock: TimeControl = NO_CLOCK, most: int = 1_000
) -> tuple[Body, ...]:
    return tuple(json.loads(event.body) for event in played(level, clock, most))


def retold(told: Sequence[Body]) -> bytes:
    """A bundle of a history that the operator made up: chained, sealed and cosigned as if it had happened."""
    return bundle([received(body) for body in rechained(renumbered(told))]).encode()


def renumbered(told: Sequence[Body]) -> list[Body]:
    return [{**body, "seq": seq} for seq, body in enumerate(told, 1)]


def changed_at(told: Sequence[Body], seq: int, **data: Any) -> list[Body]:
    return [{**body, "data": {**body["data"], **data}} if body["seq"] == seq else body for body in told]


def first(told: Sequence[Body], fits: Callable[[Body], object]) -> int:
    return next(int(body["seq"]) for body in told if fits(body))


def has_drawn(body: Body) -> bool:
    return body["kind"] == "moved" and bool(body["data"]["drew"])


def is_end(body: Body) -> bool:
    return bool(body["kind"] == "game_ended")


def is_move(body: Body) -> bool:
    return bool(body["kind"] == "moved")


def signing(told: Sequence[Body], key: Ed25519PrivateKey, seat: int, but: int | None = None) -> list[Body]:
    """The game with a seat that names a key and signs every move but one."""
    chair = next(body for body in told if body["kind"] == "game_started")["data"]["order"][seat]
    public, signs = key.public_key().public_bytes_raw().hex(), [dict(body) for body in told]
    for number, body in enumerate(signs):
        data = {name: value for name, value in body["data"].items() if name != "saw"}
        signs[number]["data"] = data
        if body["kind"] == "seat_taken" and data["chair"] == chair:
            data["key"] = public
        elif body["kind"] == "moved" and data["seat"] == seat and body["seq"] != but:
            before = received(rechained(signs[: number + 1])[-1])
            stated = move_statement(before.stream, Head(number, before.prev), seat, data["move"])
            data["signature"] = key.sign(stated).hex()
    return signs


KEY = Ed25519PrivateKey.from_private_bytes(b"\x21" * 32)
OTHER_KEY = Ed25519PrivateKey.from_private_bytes(b"\x22" * 32)
