"""Answers that go on: a thread answers up to the headers, then the hub of streams has the connection.

Without the service's own web workers, as in a test client, the hub writes to a pair of sockets that a thread reads.
"""

import socket
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from typing import Final

from flask import Response, request

from service.live.delivery.follower import Follower, Following
from service.live.protocol import DEFAULT_PACE, NO_ACCESS, Encoding, Form, Pace, Source
from service.players.identity import Identity, player_id
from service.web.live.parking import park, runs_again
from service.web.routing import container
from service.web.server.connection import TimedSocket

PIECE: Final = 65_536  # bytes in one read of a pair of sockets


class Ticket:
    """An open stream as it is counted and watched: everything that ends with it."""

    def __init__(self, asker: Identity | None, holds_thread: bool = False) -> None:
        here = container()
        self._stream = here.stream_limits.enter(request.remote_addr, player_id(asker), holds_thread=holds_thread)
        self._exits = ExitStack()
        self._exits.callback(self._stream.leave)
        self._asker = asker
        self._watch = here.access_watch
        self._hub = here.hub
        self.begun = False

    def begin(self, follower: Follower, source: Source) -> None:
        """Hands the follower to the hub."""
        self.begun = True
        access = self._watch.enter(self._asker, partial(self._hub.end, follower, NO_ACCESS))
        self._exits.callback(self._watch.leave, access)
        self._hub.follow(follower, source)

    def leave(self) -> None:
        """Counts and watches the stream no more."""
        self._exits.close()

    def abandon(self, source: Source) -> None:
        """Releases a stream that did not begin: its headers were never sent."""
        if not self.begun:
            self.begun = True
            source.close()
            self.leave()


def live_response(
    following: Following, source: Source, after: int, form: Form, asker: Identity | None, pace: Pace = DEFAULT_PACE
) -> Response:
    """Returns a stream that proxies neither buffer nor cache; raises TooManyStreams or StreamsFull."""
    connection = request.environ.get("gunicorn.socket")
    ticket = _ticket(asker, source, connection)
    chunked = isinstance(connection, TimedSocket) and request.environ["SERVER_PROTOCOL"] != "HTTP/1.0"

    def begin(sock: socket.socket, give_back: Callable[[bool], None]) -> None:
        def end(again: bool) -> None:
            ticket.leave()
            give_back(again)

        ticket.begin(Follower(following, sock, Encoding(form, chunked), after, end, pace), source)

    if request.method == "HEAD":
        ticket.abandon(source)
        body: Iterator[bytes] = iter(())
    elif isinstance(connection, TimedSocket):
        body = _headers_alone(partial(connection.lend, begin))
    else:
        body = _through_pair(begin)
    response = Response(body, content_type=form.media_type)
    abandon = partial(_abandon_unless_lent, connection, ticket, source)
    response.call_on_close(abandon)
    weakref.finalize(response, abandon)  # also when it was never sent
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response


def wait_for_item(
    following: Following, source: Source, after: int, seconds: float, asker: Identity | None
) -> Response | None:
    """Waits until there is an item after a number, for some seconds: a long poll. Raises TooManyStreams or StreamsFull.

    Returns a response that is never sent, for a request that runs again when the wait is over; None when it is over.
    """
    connection = request.environ.get("gunicorn.socket")
    if runs_again():
        source.close()
        return None
    ticket = _ticket(asker, source, connection)

    def begin(sock: socket.socket | None, give_back: Callable[[bool], None]) -> None:
        def end(again: bool) -> None:
            ticket.leave()
            if isinstance(connection, TimedSocket):
                connection.lost_access = follower.reason == NO_ACCESS
            give_back(again)

        follower = Follower(following, sock, None, after, end, Pace(seconds, seconds))
        ticket.begin(follower, source)

    if isinstance(connection, TimedSocket):
        return park(connection, begin)
    over = threading.Event()
    begin(None, lambda _again: over.set())
    over.wait()
    return None


def _ticket(asker: Identity | None, source: Source, connection: object) -> Ticket:
    try:
        return Ticket(asker, holds_thread=not isinstance(connection, TimedSocket))
    except BaseException:
        source.close()
        raise


def _headers_alone(lend: Callable[[], None]) -> Iterator[bytes]:
    yield b""  # gunicorn sends the headers before it
    lend()


def _through_pair(begin: Callable[[socket.socket, Callable[[bool], None]], None]) -> Iterator[bytes]:
    here, there = socket.socketpair()
    with here:
        begin(there, lambda _again: there.close())
        yield from iter(partial(here.recv, PIECE), b"")


def _abandon_unless_lent(connection: object, ticket: Ticket, source: Source) -> None:
    if not (isinstance(connection, TimedSocket) and connection.is_lent):
        ticket.abandon(source)
