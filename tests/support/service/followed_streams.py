"""Follows streams in the process of a test, through its hub and a pair of sockets."""

import json
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

from service.container import Container
from service.live.delivery.follower import Follower, Following
from service.live.game_source import game_source
from service.live.protocol import DEFAULT_PACE, NDJSON, Encoding, Pace
from tests.support.running_program import PATIENCE


class FollowedStream:
    """What one follower receives."""

    def __init__(self, here: Container, following: Following, after: int, pace: Pace = DEFAULT_PACE) -> None:
        self.client, server = socket.socketpair()
        self.client.settimeout(PATIENCE)
        self._file = self.client.makefile("rb")
        self.ended = threading.Event()

        def end(_again: bool) -> None:
            server.close()
            self.ended.set()

        self.follower = Follower(following, server, Encoding(NDJSON, chunked=False), after, end, pace)
        here.hub.follow(self.follower, following.find())

    def next(self) -> dict[str, Any]:
        """Returns the next document; waits for it."""
        while True:
            line = self._file.readline()
            assert line, "the stream has ended"
            if line.strip():
                document: dict[str, Any] = json.loads(line)
                return document

    def until_closed(self) -> list[dict[str, Any]]:
        """Returns all further documents, of which the last one says why the stream ended."""
        return [json.loads(line) for line in self._file if line.strip()]

    def close(self) -> None:
        """Hangs up."""
        self._file.close()
        self.client.close()


@contextmanager
def followed(
    here: Container, following: Following, after: int = 0, pace: Pace = DEFAULT_PACE
) -> Iterator[FollowedStream]:
    """Follows a stream meanwhile."""
    stream = FollowedStream(here, following, after, pace)
    try:
        yield stream
    finally:
        stream.close()
        assert stream.ended.wait(PATIENCE)


def following_game(here: Container, game: UUID, player: str | None) -> Following:
    """Returns how a player follows a game."""

    def find() -> Any:
        return game_source(here.event_cache, here.games, here.deals, game, player)

    return Following(player, find)


def wait_for_item(here: Container, following: Following, after: int, seconds: float) -> Callable[[float], bool]:
    """Waits once, as a long poll does; returns a call that waits for its end."""
    over = threading.Event()
    follower = Follower(following, None, None, after, lambda _again: over.set(), Pace(seconds, seconds))
    here.hub.follow(follower, following.find())
    return over.wait
