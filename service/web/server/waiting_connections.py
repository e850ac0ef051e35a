"""The connections that wait for bytes of their clients."""

import selectors
from collections import Counter
from collections.abc import Callable, Sequence

from service.web.server.connection import Connection


class WaitingConnections:
    """Connections in the order in which they began to wait, each registered with the poller."""

    def __init__(self, poller: selectors.BaseSelector) -> None:
        self._poller = poller
        self._all: dict[Connection, None] = {}
        self._networks = Counter[str]()

    def __len__(self) -> int:
        return len(self._all)

    def __contains__(self, connection: Connection) -> bool:
        return connection in self._all

    def add(self, connection: Connection, read: Callable[[object], None]) -> None:
        """Calls `read` whenever there is something to read."""
        connection.sock.setblocking(False)
        self._all[connection] = None
        self._networks[connection.network] += 1
        self._poller.register(connection.sock.plain, selectors.EVENT_READ, read)

    def remove(self, connection: Connection) -> None:
        """Lets a connection be read by nobody."""
        del self._all[connection]
        self._networks[connection.network] -= 1
        if not self._networks[connection.network]:
            del self._networks[connection.network]
        self._poller.unregister(connection.sock.plain)

    def overdue(self, now: float) -> Sequence[Connection]:
        """Returns the connections whose time is over."""
        return [connection for connection in self._all if connection.overdue(now)]

    def end_idle(self, at: float) -> None:
        """Lets connections without a request wait until then at most."""
        for connection in self._all:
            connection.idle_until = min(connection.idle_until, at)

    def of_the_busiest_network(self) -> Connection | None:
        """Returns the oldest connection of the network that has the most; None when none waits."""
        busiest = next(iter(self._networks.most_common(1)), ("", 0))[0]
        return next((connection for connection in self._all if connection.network == busiest), None)

    def buffered(self) -> int:
        """Returns the number of bytes of incomplete requests."""
        return sum(len(connection.incoming) for connection in self._all)

    def largest(self) -> Connection:
        """Returns the connection with the most bytes of an incomplete request."""
        return max(self._all, key=lambda connection: len(connection.incoming))
