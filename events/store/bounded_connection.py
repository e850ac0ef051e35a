"""A connection to PostgreSQL whose every wait ends.

Keepalives do not find a frozen server: its kernel still acknowledges packets. No timeout of the server ends a commit
that waits for a lost standby. So the client watches its waits: after a second of silence it asks the server for a sign
of life on another connection, and gives up one that shows none.
"""

from time import monotonic
from typing import Final, TypeVar

from psycopg import Connection, OperationalError
from psycopg.abc import PQGen

from events.store.server_pulse import ServerAddress, is_alive

Value = TypeVar("Value")
INTERVAL: Final = 0.1  # seconds between two looks at the clock
SILENT_AFTER: Final = 1.0  # seconds without an answer, after which the server is asked for a sign of life
AGAIN: Final = 2.0  # seconds until it is asked again


class ServerSilent(OperationalError):
    """The server gives no sign of life."""


class AnswerOverdue(OperationalError):
    """The server lives, but does not answer in time: a commit waits for a standby, or the session hangs."""


class BoundedConnection(Connection):
    """A connection that gives up a silent server, and an answer that takes longer than `answer_within` seconds."""

    answer_within: float | None = None
    is_given_up = False  # its server was silent: other connections to it are, too
    opened_at = 0.0

    def wait(self, gen: PQGen[Value], interval: float = INTERVAL, timeout: float | None = None) -> Value:
        """Waits for an answer. Raises ServerSilent or AnswerOverdue; the connection is closed then."""
        if timeout is not None:  # the caller bounds the wait
            return super().wait(gen, interval, timeout)
        return super().wait(self._watched(gen), interval)

    def _watched(self, gen: PQGen[Value]) -> PQGen[Value]:
        """Passes on what psycopg waits for; looks at the clock whenever nothing came."""
        since = monotonic()
        asked = since + SILENT_AFTER - AGAIN
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready:
                    asked = self._check_silence(since, asked)
                wanted = gen.send(ready)
        except StopIteration as done:
            value: Value = done.value
            return value

    def _check_silence(self, since: float, asked: float) -> float:
        now = monotonic()
        if self.answer_within is not None and now - since > self.answer_within:
            self.close()
            raise AnswerOverdue(f"no answer within {self.answer_within:.0f} seconds")
        if now - asked < AGAIN:
            return asked
        if not is_alive(self._address()):
            self.is_given_up = True
            self.close()
            raise ServerSilent("the server gives no sign of life")
        return monotonic()

    def _address(self) -> ServerAddress:
        return ServerAddress(self.info.hostaddr or self.info.host, self.info.port)
