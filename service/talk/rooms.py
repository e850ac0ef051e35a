"""The rooms of a talk, and what one client reads and writes in them."""

from collections.abc import Mapping
from typing import Final, NamedTuple
from uuid import UUID

PLAYERS, SPECTATORS, TOURNAMENT = "players", "spectators", "tournament"
ROOMS: Final = (PLAYERS, SPECTATORS, TOURNAMENT)
GAME: Final = "game"
EVERYTHING: Final = 2**53  # a version after all others


class TalkPlace(NamedTuple):
    """The talk of a game or tournament, for one client."""

    stream: UUID
    about: str  # GAME or TOURNAMENT
    reads: Mapping[str, int]  # rooms that the client reads, each with the newest version whose messages it sees
    writes: str | None  # the room in which the client writes
    reason: str | None  # why the client does not write: of REASONS
    version: int  # that the client sees
    leads: bool  # may close the rooms and open them
    seats: Mapping[str, int]
    silent: bool = False
