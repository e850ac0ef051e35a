"""The web process under gunicorn: receives requests in one loop, with deadlines, and answers them in threads.

A thread is taken only when a request is complete, so slow and silent clients hold none.
"""

import os
import selectors
import socket
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from gunicorn import util
from gunicorn.http.errors import InvalidChunkSize, LimitRequestHeaders
from gunicorn.workers.gthread import ThreadWorker

from service.core.open_files import most_connections, raise_file_limit
from service.settings import load
from service.web.server.connection import PIECE, Connection
from service.web.server.incoming import BodyTooLarge, Incoming
from service.web.server.memory import MemoryReturn
from service.web.server.thread_pool import ShrinkingPool
from service.web.server.waiting_connections import WaitingConnections

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIEnvironment

CHECK_EVERY: Final = 0.25  # seconds between two looks for overdue connections
LINGER: Final = 2.0  # seconds in which an answered client may still send, so that it can read the answer
MOST_BUFFERED: Final = 64 * 2**20  # bytes of incomplete requests, unless two bodies may be larger
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"


class ReceivingWorker(ThreadWorker):  # type: ignore[misc]  # gunicorn ships no types
    """A web process."""

    worker_connections: int
    wsgi: Any  # the application, and then the choice of one

    def init_process(self) -> None:
        """Prepares the loop; allows as many open files as the system does, and no more connections than files."""
        self._settings = load(os.environ)
        self._checked = 0.0
        self._memory = MemoryReturn()
        self._most_buffered = max(MOST_BUFFERED, 2 * self._settings.max_body_bytes)
        raise_file_limit()
        self.worker_connections = min(self.worker_connections, most_connections())
        super().init_process()

    def get_thread_pool(self) -> ShrinkingPool:
        """Returns the threads that answer requests."""
        return ShrinkingPool(self.cfg.threads)

    def load_wsgi(self) -> None:
        """Loads the application, and that of the second listening socket: the metrics."""
        super().load_wsgi()
        from service.web.metrics import CONNECTIONS_CUT  # only now: metrics must find their directory first
        from service.web.server.metrics_endpoint import metrics_endpoint

        self._cut = CONNECTIONS_CUT
        self._waiting = WaitingConnections(self.poller)
        self.application, self.wsgi = self.wsgi, self._by_listener
        container = self.application.extensions.get("cabildo")
        self._metrics = metrics_endpoint(container.stores) if container else self.application

    def _by_listener(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        application = self._metrics if environ["gunicorn.socket"].private else self.application
        answer: Iterable[bytes] = application(environ, start_response)
        return answer

    def run(self) -> None:
        """Serves until the process is asked to stop; then finishes what runs."""
        self.poller.register(self.method_queue.fileno(), selectors.EVENT_READ, self.method_queue.run_callbacks)
        self.set_accept_enabled(True)
        while self.alive and self.is_parent_alive():
            self._turn(1.0)
            self.set_accept_enabled(self.nr_conns < self.worker_connections or bool(self._waiting))
        self.set_accept_enabled(False)
        stopping = time.monotonic()
        self._waiting.end_idle(stopping + LINGER)
        while self.nr_conns > 0 and time.monotonic() < stopping + self.cfg.graceful_timeout:
            self._turn(CHECK_EVERY)
        self.tpool.shutdown(wait=False)
        self.poller.close()
        self.method_queue.close()
        for listener in self.sockets:
            listener.close()

    def _turn(self, seconds: float) -> None:
        self.notify()
        self.wait_for_and_dispatch_events(timeout=seconds)
        now = time.monotonic()
        if now < self._checked + CHECK_EVERY:
            return
        self._checked = now
        self._memory.note(self.nr_conns + self.tpool.threads)
        for connection in self._waiting.overdue(now):
            if connection.incoming and connection.ends_at is None:
                self._cut.labels("too_slow").inc()
                self._refuse(connection, 408, "the request did not arrive in time")
            else:
                self._drop(connection)

    def accept(self, listener: socket.socket) -> None:
        """Accepts a connection; closes another one when there are too many."""
        try:
            plain, client = listener.accept()
        except (BlockingIOError, ConnectionError):
            return
        except OSError:  # no file is left
            self._make_room()
            return
        if self.nr_conns >= self.worker_connections:
            self._make_room()
        incoming = Incoming(self._settings.max_body_bytes, self._settings.receive_seconds)
        connection = Connection(self.cfg, plain, client, listener.getsockname(), incoming)
        connection.sock.private = listener in self.sockets[1:]
        self.nr_conns += 1
        self._wait(connection, self._settings.receive_seconds)

    def _make_room(self) -> None:
        oldest = self._waiting.of_the_busiest_network()
        if oldest is not None:
            self._cut.labels("no_room").inc()
            self._drop(oldest)

    def _wait(self, connection: Connection, seconds: float) -> None:
        """Waits for what the client sends, so long for the first byte."""
        connection.idle_until = time.monotonic() + seconds
        self._waiting.add(connection, partial(self._read, connection))

    def _drop(self, connection: Connection) -> None:
        self._waiting.remove(connection)
        self.nr_conns -= 1
        connection.close()

    def _read(self, connection: Connection, _sock: object) -> None:
        if connection not in self._waiting:
            return  # dropped in this turn
        try:
            data = connection.sock.recv(PIECE)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:
            self._drop(connection)
        elif connection.ends_at is None:
            self._receive(connection, data)

    def _receive(self, connection: Connection, data: bytes) -> None:
        incoming = connection.incoming
        try:
            incoming.add(data, time.monotonic())
        except (LimitRequestHeaders, InvalidChunkSize) as fault:
            self._end(connection, partial(self.handle_error, None, connection.sock.plain, connection.client, fault))
            return
        except BodyTooLarge:
            self._refuse(connection, 413, "the body is larger than the service reads")
            return
        if incoming.complete:
            self._waiting.remove(connection)
            connection.request = incoming.take()
            connection.sock.waited = connection.sock.lost_access = False
            connection.received.give(connection.request)
            self.enqueue_req(connection)
        elif incoming.expects_continue:
            incoming.continued()
            with suppress(OSError):
                connection.sock.send(CONTINUE)
        elif len(incoming) >= PIECE and self._waiting.buffered() > self._most_buffered:
            self._cut.labels("buffers_full").inc()
            self._refuse(self._waiting.largest(), 503, "too many large requests arrive at once; try again shortly")

    def _refuse(self, connection: Connection, status: int, detail: str) -> None:
        """Answers in English: the language that the client prefers was not read yet."""
        self._end(connection, partial(util.write_error, connection.sock.plain, status, "", detail))

    def _end(self, connection: Connection, say: Callable[[], object]) -> None:
        """Says something last."""
        self._waiting.remove(connection)
        with suppress(OSError):
            say()
        self._linger(connection)

    def enqueue_req(self, connection: Connection) -> None:
        """Hands a complete request to a thread."""
        self.tpool.submit(partial(self._answer, connection))

    def _answer(self, connection: Connection) -> None:
        """Runs in a thread."""
        keep = False
        try:
            keep = self.handle(connection)
        finally:
            borrower = connection.sock.borrower
            if borrower is not None:
                borrower(connection.sock.plain, partial(self._given_back, connection, keep))
            else:
                self.method_queue.defer(self._answered, connection, keep)

    def _given_back(self, connection: Connection, keep: bool, again: bool) -> None:
        """Runs in the thread of the hub: a stream or a wait has ended."""
        if connection.sock.is_parked and again:
            self.method_queue.defer(self._run_again, connection)
        else:
            self.method_queue.defer(self._answered, connection, keep and again)

    def _run_again(self, connection: Connection) -> None:
        connection.run_again()
        self.enqueue_req(connection)

    def handle_request(self, req: Any, connection: Connection) -> bool:
        """Runs in a thread."""
        connection.sock.begin_answer()
        try:
            keep = bool(super().handle_request(req, connection))
        except BaseException:
            with suppress(OSError):
                connection.sock.send_held()
            raise
        connection.sock.send_held()
        return keep

    def _answered(self, connection: Connection, keep: bool) -> None:
        connection.request = b""
        if not keep or not connection.received.used_up:
            self._linger(connection)
            return
        self._wait(connection, self.cfg.keepalive if self.alive else LINGER)
        if connection.incoming:  # sent together with the request before
            self._receive(connection, b"")

    def _linger(self, connection: Connection) -> None:
        """Lets the client read what was sent: a socket closed over unread bytes takes the answer away."""
        try:
            connection.sock.shutdown(socket.SHUT_WR)
        except OSError:
            self.nr_conns -= 1
            connection.close()
            return
        connection.incoming.forget()
        connection.ends_at = time.monotonic() + LINGER
        self._wait(connection, LINGER)
