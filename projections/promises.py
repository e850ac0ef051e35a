"""What server and seats promised about chance in one game, read event by event, and the dealer that follows.

A seat's secrets are bound to the number of its chair, which it has before the turn order is known.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from events.json_types import JsonObject
from projections.chance import (
    Level,
    Link,
    check_entropy,
    check_seed,
    game_seed,
    next_link,
    turn_seed,
)
from projections.dealer import SeededDealer
from projections.errors import BrokenPromise, UnreadablePromise

_SECRET = re.compile(r"[0-9a-f]{64}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)


@dataclass
class Promises:
    """The committed chance of one game so far."""

    game: UUID
    level: Level = Level.DECLARED
    deal: UUID | None = None  # under whose name seeds are bound and mixed, where several tables are dealt alike
    chairs: int = 0
    commitment: bytes | None = None
    declared_seed: bytes | None = None
    seed: bytes | None = None
    closed: bool = False  # all commitments are in: from then on nobody can commit to anything else
    dealt: bool = True  # False in scribe mode, where outcomes are declared
    entropy_commitments: dict[int, bytes] = field(default_factory=dict)
    entropies: dict[int, bytes | None] = field(default_factory=dict)
    links: dict[int, Link] = field(default_factory=dict)
    order: tuple[int, ...] = ()
    draws: int = 0  # the number of the next draw; one is never used twice

    @property
    def dealt_as(self) -> UUID:
        """The id that the server's seed is bound to."""
        return self.deal or self.game

    def hear(self, kind: str, data: JsonObject) -> None:
        """Take in the next event; refuses with BrokenPromise what contradicts an earlier one."""
        reader = _READERS.get(kind)
        if reader is not None:
            reader(self, data)
        drew = data.get("drew")  # the outcomes of chance that the event used up
        self.draws += len(drew) if isinstance(drew, list | tuple) else 0

    def dealer(self, seed: bytes) -> SeededDealer:
        """The dealer of the next event's draws, for who knows the server's seed."""
        mixed = game_seed(self.dealt_as, seed, [self.entropies.get(chair) for chair in range(self.chairs)])
        if self.level == Level.CHAINED:
            mixed = turn_seed(self.game, mixed, [self.links.get(chair) for chair in range(self.chairs)])
        return SeededDealer(mixed, self.draws)

    def hear_link(self, seat: int, value: bytes) -> None:
        """Take in the link that comes with a move, before the move's draws."""
        chair = self.order[seat] if seat < len(self.order) else None
        if chair is None or chair not in self.links:
            raise BrokenPromise("link", chair)
        self.links[chair] = next_link(self.game, chair, self.links[chair], value)

    def absent(self) -> tuple[int, ...]:
        """The chairs that lack what the level asks of them."""
        chained = self.level == Level.CHAINED
        chairs = range(self.chairs) if self.level else ()
        return tuple(c for c in chairs if self.entropies.get(c) is None or (chained and c not in self.links))


def _created(promises: Promises, data: JsonObject) -> None:
    promises.level = Level(_whole(data, "level", 3))
    promises.chairs = _whole(data, "seats", 255)
    promises.commitment = _secret(data, "commitment")
    promises.declared_seed = _secret(data, "seed")
    promises.dealt = data.get("imported") is not True
    promises.deal = _deal(data, promises.level)
    if promises.declared_seed is not None and promises.commitment is not None:
        check_seed(promises.dealt_as, promises.commitment, promises.declared_seed)


def _closed(promises: Promises, _data: JsonObject) -> None:
    promises.closed = True


def _taken(promises: Promises, data: JsonObject) -> None:
    chair = _whole(data, "chair", 255)
    if data.get("echo") is not None and _secret(data, "echo") != promises.commitment:
        raise BrokenPromise("echoed commitment", chair)
    promised, chain = _secret(data, "commitment"), _secret(data, "chain")
    _left(promises, data)
    if promised is not None:
        promises.entropy_commitments[chair] = promised
    if chain is not None:
        promises.links[chair] = Link(0, chain)
    if promises.level == Level.OPEN:
        promises.entropies[chair] = _secret(data, "entropy")


def _left(promises: Promises, data: JsonObject) -> None:
    chair = _whole(data, "chair", 255)
    if promises.closed:
        raise BrokenPromise("place", chair, "changes after all commitments were in")
    for kept in (promises.entropy_commitments, promises.entropies, promises.links):
        kept.pop(chair, None)


def _revealed(promises: Promises, data: JsonObject) -> None:
    chair, entropy = _whole(data, "chair", 255), _secret(data, "entropy")
    if chair in promises.entropies:
        raise BrokenPromise("second entropy", chair)
    if entropy is not None:
        if chair not in promises.entropy_commitments:
            raise BrokenPromise("entropy", chair)
        check_entropy(promises.game, chair, promises.entropy_commitments[chair], entropy)
    promises.entropies[chair] = entropy


def _started(promises: Promises, data: JsonObject) -> None:
    order = data.get("order")
    chairs = order if isinstance(order, list | tuple) else ()
    promises.order = tuple(_whole({"order": chair}, "order", 255) for chair in chairs)
    silent = sorted(promises.entropy_commitments.keys() - promises.entropies.keys())
    if silent:
        raise BrokenPromise("entropy", silent[0], "is neither revealed nor recorded as absent")


def _moved(promises: Promises, data: JsonObject) -> None:
    link = _secret(data, "link")
    if link is not None:
        promises.hear_link(_whole(data, "seat", 255), link)


def _seed_revealed(promises: Promises, data: JsonObject) -> None:
    promises.seed = _secret(data, "seed")
    if promises.seed is None or data.get("draws") != promises.draws:
        raise BrokenPromise("number of draws", None)
    if promises.commitment is not None:
        check_seed(promises.dealt_as, promises.commitment, promises.seed)
    elif promises.seed != promises.declared_seed:
        raise BrokenPromise("seed", None)


_READERS: Mapping[str, Callable[[Promises, JsonObject], None]] = {
    "game_created": _created,
    "seat_taken": _taken,
    "seat_left": _left,
    "commitments_closed": _closed,
    "entropy_revealed": _revealed,
    "game_started": _started,
    "moved": _moved,
    "seed_revealed": _seed_revealed,
}


def _deal(data: JsonObject, level: Level) -> UUID | None:
    """The deal that a game shares with others; only chance that nobody adds to can be shared."""
    value = data.get("deal")
    if value is None:
        return None
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise UnreadablePromise("deal", "is not a UUID")
    if level != Level.DECLARED:
        raise BrokenPromise("deal", None)
    return UUID(value)


def _secret(data: JsonObject, name: str) -> bytes | None:
    value = data.get(name)
    if value is None:
        return None
    if not isinstance(value, str) or not _SECRET.fullmatch(value):
        raise UnreadablePromise(name, "is not 32 bytes in hexadecimal")
    return bytes.fromhex(value)


def _whole(data: JsonObject, name: str, most: int) -> int:
    value = data.get(name)
    if type(value) is not int or not 0 <= value <= most:
        raise UnreadablePromise(name, f"is not an integer from 0 to {most}")
    return value
