"""Chance commitments of one game, folded from its events, and the dealer that follows from them.

A seat's secrets are bound to the number of its chair, which it has before the turn order is known.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from events.json_types import Json, JsonObject
from projections.games.chance import ChanceLevel, Link, check_entropy, check_seed, game_seed, next_link, turn_seed
from projections.games.errors import BrokenCommitment, UnreadableCommitment
from projections.rules.dealer import SeededDealer

_SECRET = re.compile(r"[0-9a-f]{64}", re.ASCII)
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
_NAME = re.compile(r"[a-z0-9][a-z0-9_.:+-]{0,63}", re.ASCII)
_MOST_DRAWS = 2_000  # of one event
_BIGGEST = 2**53 - 1


@dataclass
class Commitments:
    """The committed chance of one game so far."""

    game: UUID
    level: ChanceLevel = ChanceLevel.DECLARED
    deal: UUID | None = None  # the shared deal, whose id binds and mixes the seeds
    chairs: int = 0
    commitment: bytes | None = None
    declared_seed: bytes | None = None
    seed: bytes | None = None
    closed: bool = False  # all commitments are in: no seat can change its own
    dealt: bool = True  # False in scribe mode, where outcomes are declared
    entropy_commitments: dict[int, bytes] = field(default_factory=dict)
    entropies: dict[int, bytes | None] = field(default_factory=dict)
    links: dict[int, Link] = field(default_factory=dict)
    owing: set[int] = field(default_factory=set)  # chairs that owe a link with each move
    order: tuple[int, ...] = ()
    started: bool = False
    draws: int = 0  # the number of the next draw; one is never used twice

    @property
    def dealt_as(self) -> UUID:
        """The id that the server's seed is bound to."""
        return self.deal or self.game

    def hear(self, kind: str, data: JsonObject) -> None:
        """Folds the next event; raises BrokenCommitment when it contradicts an earlier one.

        Raises UnreadableCommitment when a field is missing or has a wrong type.
        """
        reader = _READERS.get(kind)
        if reader is not None:
            reader(self, data)

    def dealer(self, seed: bytes) -> SeededDealer:
        """Returns the dealer of the next event's draws; needs the server's seed."""
        mixed = game_seed(self.dealt_as, seed, [self.entropies.get(chair) for chair in range(self.chairs)])
        if self.level == ChanceLevel.CHAINED:
            mixed = turn_seed(self.game, mixed, [self.links.get(chair) for chair in range(self.chairs)])
        return SeededDealer(mixed, self.draws)

    def hear_link(self, seat: int, value: bytes) -> None:
        """Checks and keeps the link of a move, before the move's draws."""
        chair = self.order[seat] if seat < len(self.order) else None
        if chair is None or chair not in self.links:
            raise BrokenCommitment("link", chair)
        self.links[chair] = next_link(self.game, chair, self.links[chair], value)

    def absent(self) -> tuple[int, ...]:
        """The chairs without the contributions of their level."""
        chained = self.level == ChanceLevel.CHAINED
        chairs = range(self.chairs) if self.level else ()
        return tuple(c for c in chairs if self.entropies.get(c) is None or (chained and c not in self.links))


def _created(commitments: Commitments, data: JsonObject) -> None:
    if commitments.chairs:
        raise BrokenCommitment("commitment", None, "is made twice")
    commitments.level = level = ChanceLevel(_whole(data, "level", 3))
    commitments.chairs = _whole(data, "seats", 255)
    commitments.commitment, commitments.declared_seed = _secret(data, "commitment"), _secret(data, "seed")
    commitments.dealt = not _flag(data, "imported")
    commitments.deal = _deal(data, level)
    if level and commitments.declared_seed is not None:
        raise BrokenCommitment("seed", None, "was chosen beforehand by the host, who calls it chance of a higher level")
    if level and commitments.dealt and commitments.commitment is None:
        raise BrokenCommitment("seed", None, "is not committed to, as the level of chance asks")
    if commitments.declared_seed is not None and commitments.commitment is not None:
        check_seed(commitments.dealt_as, commitments.commitment, commitments.declared_seed)


def _closed(commitments: Commitments, _data: JsonObject) -> None:
    commitments.closed = True


def _taken(commitments: Commitments, data: JsonObject) -> None:
    chair, echo = _whole(data, "chair", 255), _secret(data, "echo")
    promised, entropy, chain = _secret(data, "commitment"), _secret(data, "entropy"), _secret(data, "chain")
    if echo is not None and echo != commitments.commitment:
        raise BrokenCommitment("echoed commitment", chair)
    if echo is None and promised is not None:
        raise BrokenCommitment("commitment", chair, "answers no commitment of the server")
    _left(commitments, data)
    if promised is not None:
        commitments.entropy_commitments[chair] = promised
    if chain is not None:
        commitments.links[chair] = Link(0, chain)
        commitments.owing.add(chair)
    if commitments.level == ChanceLevel.OPEN:
        commitments.entropies[chair] = entropy


def _left(commitments: Commitments, data: JsonObject) -> None:
    chair = _whole(data, "chair", 255)
    if commitments.closed or commitments.started:
        raise BrokenCommitment("place", chair, "changes after all commitments were in")
    for kept in (commitments.entropy_commitments, commitments.entropies, commitments.links):
        kept.pop(chair, None)
    commitments.owing.discard(chair)


def _revealed(commitments: Commitments, data: JsonObject) -> None:
    chair, entropy = _whole(data, "chair", 255), _secret(data, "entropy")
    if chair in commitments.entropies:
        raise BrokenCommitment("second entropy", chair)
    if entropy is not None:
        if not commitments.closed:
            raise BrokenCommitment("entropy", chair, "is revealed before all commitments were in")
        if chair not in commitments.entropy_commitments:
            raise BrokenCommitment("entropy", chair)
        check_entropy(commitments.game, chair, commitments.entropy_commitments[chair], entropy)
    commitments.entropies[chair] = entropy


def _started(commitments: Commitments, data: JsonObject) -> None:
    if commitments.started:
        raise BrokenCommitment("deal", None, "is dealt twice")
    chairs = _each(data, "order", 256)
    commitments.order = tuple(_whole({"order": chair}, "order", 255) for chair in chairs)
    commitments.started = True
    silent = sorted(commitments.entropy_commitments.keys() - commitments.entropies.keys())
    if silent:
        raise BrokenCommitment("entropy", silent[0], "is neither revealed nor recorded as absent")
    _drew(commitments, data)


def _moved(commitments: Commitments, data: JsonObject) -> None:
    chair = _chair_of(commitments, data)
    if "link" in data:
        link = _secret(data, "link")
        if link is None:
            raise UnreadableCommitment("link", "is not 32 bytes in hexadecimal")
        commitments.hear_link(_whole(data, "seat", 255), link)
    elif chair in commitments.owing:
        raise BrokenCommitment("link", chair, "of the chair's hash chain does not come with the move")
    _drew(commitments, data)


def _gone(commitments: Commitments, data: JsonObject) -> None:
    """Drops the chain of the seat: a stand-in does not have the player's links."""
    commitments.owing.discard(_chair_of(commitments, data))


def _seed_revealed(commitments: Commitments, data: JsonObject) -> None:
    commitments.seed = _secret(data, "seed")
    if commitments.seed is None:
        raise UnreadableCommitment("seed", "is not 32 bytes in hexadecimal")
    if _whole(data, "draws", _BIGGEST) != commitments.draws:
        raise BrokenCommitment("number of draws", None)
    if commitments.commitment is not None:
        check_seed(commitments.dealt_as, commitments.commitment, commitments.seed)
    elif commitments.seed != commitments.declared_seed:
        raise BrokenCommitment("seed", None)


_READERS: Mapping[str, Callable[[Commitments, JsonObject], None]] = {
    "game_created": _created,
    "seat_taken": _taken,
    "seat_left": _left,
    "commitments_closed": _closed,
    "entropy_revealed": _revealed,
    "game_started": _started,
    "moved": _moved,
    "flag_fell": _gone,
    "resigned": _gone,
    "player_replaced": _gone,
    "seed_revealed": _seed_revealed,
}


def _deal(data: JsonObject, level: ChanceLevel) -> UUID | None:
    """Returns the shared deal of a game; only deals without entropy of the seats can be shared."""
    value = data.get("deal")
    if value is None:
        return None
    if not isinstance(value, str) or not _UUID.fullmatch(value):
        raise UnreadableCommitment("deal", "is not a UUID")
    if level != ChanceLevel.DECLARED:
        raise BrokenCommitment("deal", None)
    return UUID(value)


def _drew(commitments: Commitments, data: JsonObject) -> None:
    """Counts the outcomes of chance in an event."""
    drew = _each(data, "drew", _MOST_DRAWS)
    if not all(isinstance(name, str) and _NAME.fullmatch(name) for name in drew):
        raise UnreadableCommitment("drew", "is not a list of names")
    commitments.draws += len(drew)


def _chair_of(commitments: Commitments, data: JsonObject) -> int:
    """Returns the chair of the seat that an event names."""
    seat = _whole(data, "seat", 255)
    if seat >= len(commitments.order):
        raise UnreadableCommitment("seat", "is nobody's")
    return commitments.order[seat]


def _secret(data: JsonObject, name: str) -> bytes | None:
    value = _given(data, name)
    if value is None:
        return None
    if not isinstance(value, str) or not _SECRET.fullmatch(value):
        raise UnreadableCommitment(name, "is not 32 bytes in hexadecimal")
    return bytes.fromhex(value)


def _whole(data: JsonObject, name: str, most: int) -> int:
    value = _given(data, name)
    if type(value) is not int or not 0 <= value <= most:
        raise UnreadableCommitment(name, f"is not an integer from 0 to {most}")
    return value


def _flag(data: JsonObject, name: str) -> bool:
    value = _given(data, name)
    if not isinstance(value, bool):
        raise UnreadableCommitment(name, "is not true or false")
    return value


def _each(data: JsonObject, name: str, most: int) -> Sequence[Json]:
    value = _given(data, name)
    if not isinstance(value, list | tuple) or len(value) > most:
        raise UnreadableCommitment(name, f"is not a list of at most {most}")
    return value


def _given(data: JsonObject, name: str) -> Json:
    if name not in data:
        raise UnreadableCommitment(name, "is missing")
    return data[name]
