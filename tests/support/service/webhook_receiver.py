"""Servers that receive webhooks in tests: a prompt one, and one that drips its answer."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final

from flask import Flask

from events.log.sequencer import sequence_once
from projections.read_models.registry import advance_all
from service.container import Container
from service.core.clock import SECOND
from service.web.routing import EXTENSION
from service.webhooks.deliveries import queue_messages
from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT
from workers.webhook_worker import webhook_sender

DRIP_EVERY: Final = 0.25


class Receiver(ThreadingHTTPServer):
    """A server that keeps what is sent to it and answers with the statuses that it is given."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Receiving)
        self.heard: list[tuple[str, dict[str, str], bytes]] = []
        self.statuses: list[int] = []

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    def bodies(self) -> list[dict[str, Any]]:
        """Returns the messages."""
        return [json.loads(body) for _, _, body in self.heard]


class Receiving(BaseHTTPRequestHandler):
    """One request to a receiver."""

    server: Receiver

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        status = self.server.statuses.pop(0) if self.server.statuses else 204
        self.send_response(status)
        if status == 302:
            self.send_header("Location", f"http://127.0.0.1:{self.server.port}/elsewhere")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Logs nothing."""


@contextmanager
def receiving() -> Iterator[Receiver]:
    """Yields a receiver that listens."""
    with Receiver() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


class DrippingReceiver:
    """Accepts connections and sends some bytes at once, then one byte every quarter of a second."""

    def __init__(self, at_once: bytes, drip: bytes) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._at_once, self._drip = at_once, drip
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self.calls = 0
        self._start(self._accept)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._listener.getsockname()[1]}/"

    def close(self) -> None:
        self._closing.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join()

    def _start(self, run: Any, *arguments: Any) -> None:
        thread = threading.Thread(target=run, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while not self._closing.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.calls += 1
            self._start(self._answer, connection)

    def _answer(self, connection: socket.socket) -> None:
        with connection:
            try:
                connection.recv(65_536)
                connection.sendall(self._at_once)
                while not self._closing.wait(DRIP_EVERY):
                    connection.sendall(self._drip)
            except OSError:
                return


@contextmanager
def dripping(at_once: bytes, drip: bytes) -> Iterator[DrippingReceiver]:
    """Yields a receiver that drips."""
    receiver = DrippingReceiver(at_once, drip)
    try:
        yield receiver
    finally:
        receiver.close()


@contextmanager
def working(environ: Mapping[str, str]) -> Iterator["subprocess.Popen[bytes]"]:
    """Runs `cabildo worker webhooks`."""
    process = subprocess.Popen(
        bound((sys.executable, "-m", "deploy.cli", "worker", "webhooks")),
        cwd=PROJECT,
        env={**os.environ, **environ, "CABILDO_WEBHOOKS": "anywhere"},
        stderr=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait(PATIENCE)


def queue_news(app: Flask, now: int | None = None, **more: int) -> None:
    """Numbers the events, updates the read models and queues messages."""
    container: Container = app.extensions[EXTENSION]
    with container.stores.pool.connection() as connection:
        while sequence_once(connection) or advance_all(connection):
            pass
        while queue_messages(connection, now or container.now(), **more):
            pass


def send_due(app: Flask, later: int = 0) -> int:
    """Sends what is due so many seconds later. Returns the number of turns that owners had."""
    container: Container = app.extensions[EXTENSION]
    now = container.now() + later * SECOND
    sender = webhook_sender(replace(container, now=lambda: now))
    with ThreadPoolExecutor(1) as thread:  # with an event loop of its own: the browser's may run in this one
        return thread.submit(lambda: asyncio.run(sender.send_due())).result()


def carry(app: Flask, later: int = 0) -> int:
    """Queues and sends what is due so many seconds later. Returns the number of turns that owners had."""
    container: Container = app.extensions[EXTENSION]
    queue_news(app, container.now() + later * SECOND)
    return send_due(app, later)


def wait_in_hook(app: Flask, hook: str, numbers: Sequence[int]) -> None:
    """Lets messages wait in a webhook, as the keeper would queue them."""
    container: Container = app.extensions[EXTENSION]
    with container.stores.pool.connection() as connection:
        connection.execute(
            "INSERT INTO deliveries (hook, number, what) SELECT %s, unnest(%s::bigint[]), 'your_turn'",
            (hook, list(numbers)),
        )
        connection.execute(
            "UPDATE webhooks SET waiting = waiting + %s, due = %s WHERE id = %s", (len(numbers), container.now(), hook)
        )
