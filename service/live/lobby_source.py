"""The lobby as a stream: the newest open and running public games, whole, whenever tables open, fill, begin or end."""

import json
import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Final

from service.core.announce import LISTS
from service.live.protocol import Item
from service.live.pubsub import PubSub, Topic

KIND: Final = "lobby"


class FollowedLobby:
    """What this process tells of the lobby: one state for all followers, renewed when games change."""

    def __init__(self, pubsub: PubSub, look: Callable[[], Mapping[str, object]], now: Callable[[], int]) -> None:
        self._pubsub = pubsub
        self._look = look
        self._now = now
        self._lock = threading.Lock()
        self._told = ""
        self._number = 0
        self._followers = 0

    def enter(self) -> "LobbySource":
        """Returns the lobby for one follower."""
        with self._lock:
            self._followers += 1
        return LobbySource(self, self._pubsub.enter(LISTS))

    def leave(self) -> None:
        """Releases a source."""
        with self._lock:
            self._followers -= 1
        self._pubsub.leave(LISTS)

    def newest(self) -> Item:
        """Returns the state of the lobby, with a number that grows when it changes."""
        with self._lock:
            told = json.dumps(self._look(), separators=(",", ":"), ensure_ascii=False)
            if told != self._told:
                self._told, self._number = told, max(self._number + 1, self._now())
            return Item(self._number, KIND, f'{{"number":{self._number},{self._told[1:]}')

    def sweep(self) -> None:
        """Lets followers look again, as if a message had come."""
        if self._followers:
            with self._pubsub.on(LISTS) as topic:
                topic.ring()


class LobbySource:
    """The lobby as every follower sees it; each item is the whole state, so that none can be missed."""

    forgets = False
    lags: Sequence[float] = ()

    def __init__(self, lobby: FollowedLobby, topic: Topic) -> None:
        self.topic = topic
        self._lobby = lobby

    @property
    def key(self) -> Hashable:
        """Returns the same for all: they see the same."""
        return LobbySource

    def close(self) -> None:
        """Releases the topic."""
        self._lobby.leave()

    def after(self, number: int) -> Sequence[Item]:
        """Returns the state of the lobby, if it changed since a number."""
        item = self._lobby.newest()
        return [item] if item.number > number else []

    def newest(self) -> int:
        """Returns the number of the state."""
        return self._lobby.newest().number

    def end(self, _number: int) -> None:
        """Returns None: the lobby does not end."""
