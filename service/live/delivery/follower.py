"""A connection that follows a stream, or waits once for its next item: what it was sent and what waits for room."""

import socket
from collections import deque
from collections.abc import Callable, Hashable
from enum import Enum
from typing import Final, NamedTuple

from service.live.protocol import DEFAULT_PACE, Encoding, Pace, Source

MOST_PENDING: Final = 65_536  # bytes that wait for a follower's room; beyond them it reads the store again
SEND_BUFFER: Final = 32_768  # SO_SNDBUF in bytes; Linux doubles it
LAST_ROOM: Final = 212_992  # the same for the last words to a slow reader, which has used up the usual room


class Following(NamedTuple):
    """What a client follows: finds the source as this client may see it now."""

    viewer: Hashable  # clients of one stream with equal viewers find the same source
    find: Callable[[], Source]


class FollowerState(Enum):
    """What a follower waits for."""

    READING = "a page that a reader thread reads"
    LIVE = "the next items of its channel"
    ENDING = "room for the last words"
    ENDED = "nothing"


class Pending(NamedTuple):
    """Bytes that wait for room."""

    data: memoryview
    number: int  # of the last item in them
    begun: bool  # a part of the item was sent


class Follower:
    """One follower. Its writer's thread alone changes it."""

    __slots__ = (
        "asked",
        "blocked",
        "encoding",
        "following",
        "greeted",
        "last_sent",
        "number",
        "on_end",
        "pace",
        "pending",
        "reason",
        "sent",
        "size",
        "sock",
        "state",
        "watched",
    )

    def __init__(
        self,
        following: Following,
        sock: socket.socket | None,
        encoding: Encoding | None,
        number: int,
        on_end: Callable[[bool], None],
        pace: Pace = DEFAULT_PACE,
    ) -> None:
        self.following = following
        self.sock = sock  # None: nobody can hang up
        self.encoding = encoding  # None: waits for one item, and is sent nothing
        self.on_end = on_end  # called once, with whether the connection can be used again
        self.pace = pace
        self.number = self.sent = number  # of the last item that was taken for this follower, and that was sent whole
        self.pending: deque[Pending] | None = None
        self.size = 0  # of what is pending
        self.state = FollowerState.READING
        self.reason: str | None = None  # why it ended, if not by itself
        self.asked = False  # whether its next page is asked for
        self.greeted = False  # was sent anything
        self.last_sent = self.blocked = 0.0
        self.watched = 0  # for which events its socket is registered
