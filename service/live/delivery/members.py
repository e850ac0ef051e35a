"""The followers of a channel that are level with it."""

from collections.abc import Iterable

from service.live.delivery.follower import Follower
from service.live.protocol import Encoding


class Members:
    """The followers of a channel that are level with it, by encoding. The writer's thread alone changes them."""

    def __init__(self) -> None:
        self._of: dict[Encoding | None, dict[Follower, None]] = {}

    def add(self, follower: Follower) -> None:
        """Adds a follower."""
        self._of.setdefault(follower.encoding, {})[follower] = None

    def discard(self, follower: Follower) -> None:
        """Removes a follower, if it is one."""
        self._of.get(follower.encoding, {}).pop(follower, None)

    def by_encoding(self) -> Iterable[tuple[Encoding | None, list[Follower]]]:
        """Returns the followers of each encoding."""
        return [(encoding, list(followers)) for encoding, followers in self._of.items()]

    def take(self) -> list[Follower]:
        """Removes and returns all followers."""
        taken = [follower for followers in self._of.values() for follower in followers]
        self._of = {}
        return taken
