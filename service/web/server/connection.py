"""A connection of a client: what arrives is kept until a request is complete; what is sent has a deadline."""

import errno
import socket
import time
from collections.abc import Callable
from typing import Any, Final

from gunicorn.http import get_parser
from gunicorn.http.errors import NoMoreData
from gunicorn.http.unreader import Unreader

from service.core.networks import network_of
from service.web.server.incoming import Incoming

PIECE: Final = 65_536  # bytes in one read
LONGEST_WAIT: Final = 10.0  # seconds that an answer may wait for its reader
SLOWEST_READER: Final = 65_536  # bytes a second; so much longer may large answers take

GiveBack = Callable[[bool], None]  # with whether the connection can be used again
Borrower = Callable[[socket.socket, GiveBack], None]


class TimedSocket:
    """A client's socket whose writes end when the client reads an answer too slowly.

    A live stream borrows it after the headers; the end of the answer is then the stream's.
    """

    def __init__(self, plain: socket.socket) -> None:
        self.plain = plain
        self.private = False  # of the listening socket for metrics
        self.waited = False  # whether the request runs again after it waited
        self.lost_access = False  # while it waited
        self.begin_answer()
        self._holds = False  # what is said before any request is read is sent at once

    def __getattr__(self, name: str) -> Any:
        return getattr(self.plain, name)

    def begin_answer(self) -> None:
        """Counts from now on for another answer; its headers are sent together with what follows them."""
        self._holds, self._held = True, b""
        self._sent = 0
        self._waited = 0.0
        self.borrower: Borrower | None = None
        self.is_parked = False  # its borrower only waits: the request runs again

    @property
    def is_lent(self) -> bool:
        """Returns whether others write from now on."""
        return self.borrower is not None

    def lend(self, borrower: Borrower) -> None:
        """Lets another write after what was sent; what the request still sends is dropped."""
        self.send_held()
        self.borrower = borrower

    def park(self, borrower: Borrower) -> None:
        """Lets the request wait: its answer is dropped, and it runs again when the borrower gives the socket back."""
        self.lend(borrower)
        self.is_parked = True

    def sendall(self, data: bytes) -> None:
        """Sends all bytes within the time that is left for this answer; raises BrokenPipeError after it."""
        if self.is_lent:
            return
        if self._holds:
            self._holds, self._held = False, data
        elif len(data) > PIECE:  # to copy them would take longer than to send twice
            self.send_held()
            self._send(data)
        else:
            held, self._held = self._held, b""
            self._send(held + data)

    def send_held(self) -> None:
        """Sends the headers of an answer if nothing has followed them."""
        held, self._holds, self._held = self._held, False, b""
        if held:
            self._send(held)

    def _send(self, data: bytes) -> None:
        self._sent += len(data)
        rest = memoryview(data)[self._send_at_once(data) :]
        if not rest:
            return
        self.plain.settimeout(max(LONGEST_WAIT + self._sent / SLOWEST_READER - self._waited, 0.001))
        began = time.monotonic()
        try:
            self.plain.sendall(rest)
        except TimeoutError as late:
            raise BrokenPipeError(errno.EPIPE, "the client reads too slowly") from late
        finally:
            self.plain.settimeout(None)
        self._waited += time.monotonic() - began

    def _send_at_once(self, data: bytes) -> int:
        """Returns how many bytes the system takes at once; it has room for some while it asks others to wait."""
        try:
            return self.plain.send(data, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return 0


class ReceivedBytes(Unreader):  # type: ignore[misc]  # gunicorn ships no types
    """What gunicorn's parser reads from: complete requests. A thread never waits for bytes of a client."""

    def __init__(self) -> None:
        super().__init__()
        self._left = memoryview(b"")

    def give(self, data: bytes) -> None:
        """Takes the bytes of the next request."""
        self._left = memoryview(data)

    @property
    def used_up(self) -> bool:
        """Returns whether the request ended where the server took its end to be."""
        return not self._left and not self.buf.getvalue()

    def chunk(self, size_hint: int | None = None) -> bytes:
        """Returns the next bytes; raises NoMoreData after the last one, so that the connection is closed."""
        del size_hint
        if not self._left:
            raise NoMoreData
        piece, self._left = bytes(self._left[:PIECE]), self._left[PIECE:]
        return piece


class Connection:
    """A connection in the hands of the worker's loop, or of the thread that answers a request."""

    is_http2 = False
    initialized = data_ready = True  # nothing is left to do before the parser can read

    def __init__(self, cfg: Any, plain: socket.socket, client: Any, server: Any, incoming: Incoming) -> None:
        self.sock = TimedSocket(plain)
        self.client = client
        self.server = server
        self.network = network_of(client[0] if isinstance(client, tuple) else None)
        self.incoming = incoming
        self.received = ReceivedBytes()
        self.request = b""  # the bytes of the request that is answered, which may have to run again
        self._cfg = cfg
        self._parse_anew()
        self.idle_until = 0.0  # how long the server waits for the first byte
        self.ends_at: float | None = None  # the server has said all; what the client still sends is thrown away

    def run_again(self) -> None:
        """Gives the parser the request that waited."""
        self.sock.waited = True
        self._parse_anew()  # after a request that closes the connection, a parser takes no other one
        self.received.give(self.request)

    def _parse_anew(self) -> None:
        self.parser = get_parser(self._cfg, self.sock, self.client)
        self.parser.unreader = self.received

    def overdue(self, now: float) -> bool:
        """Returns whether the server has waited long enough for the client."""
        if self.ends_at is not None:
            return now > self.ends_at
        return self.incoming.overdue(now) if self.incoming else now > self.idle_until

    def init(self) -> None:
        """Does nothing; gunicorn calls it before each request."""

    def close(self) -> None:
        """Closes the socket."""
        self.sock.close()
