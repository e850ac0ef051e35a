"""Sends requests until they are answered and follows streams across broken connections; for threads."""

import logging
import threading
from collections.abc import Generator
from typing import Any, Final

import httpx

from cabildo_client.connection.retries import (
    BROKEN_STREAM,
    NDJSON,
    SILENCE,
    Attempts,
    Body,
    StreamState,
    answer_of,
    headers,
    is_temporary,
    key_header,
    retry_after,
)
from cabildo_client.errors import Unreachable
from cabildo_client.json_values import JsonObject

CUT_OFF: Final = (RuntimeError, OSError)  # from a client that is closed before, or while, something is asked of it
log = logging.getLogger("cabildo_client")


class Transport:
    """Sends requests with a bearer token; may be used from several threads."""

    def __init__(self, url: str, retry_seconds: float, transport: httpx.BaseTransport | None) -> None:
        self.http = httpx.Client(base_url=url, timeout=SILENCE, transport=transport)
        self._retry_seconds = retry_seconds
        self._closing = threading.Event()
        self._hurried = threading.Event()  # no request is repeated any more

    def close(self) -> None:
        """Ends all streams and closes all connections."""
        self._closing.set()
        self._hurried.set()
        self.http.close()

    def hurry(self) -> None:
        """Lets what is on its way be answered, and repeats no request from now on."""
        self._hurried.set()

    def wait(self, seconds: float) -> None:
        """Waits, but not beyond the closing, nor in a hurry."""
        self._hurried.wait(seconds)

    def request(self, token: str, method: str, path: str, body: Body, accept: str) -> Any:
        """Returns the answer; repeats the request after a broken connection, an overload or a 429.

        Raises the typed refusal of every other problem, and Unreachable when the time is over.
        """
        sent, attempts = headers(token, accept) | key_header(method), Attempts(path, self._retry_seconds)
        while True:
            wait = 0.0
            try:
                response = self.http.request(method, path, json=body, headers=sent)
                if not is_temporary(response):
                    return answer_of(response)
                wait, reason = retry_after(response), f"status {response.status_code}"
            except httpx.TransportError as problem:
                reason = str(problem)
            except CUT_OFF as problem:
                if not self._closing.is_set():
                    raise
                reason = str(problem)
            self._check_time(reason)
            self.wait(attempts.next_pause(wait, reason))
            self._check_time(reason)

    def _check_time(self, reason: str) -> None:
        """Raises Unreachable for a request that the closing, or a hurry, cut off: it is not repeated."""
        if self._hurried.is_set():
            raise Unreachable(reason)

    def stream(self, token: str, path: str, state: StreamState) -> Generator[JsonObject, None, None]:
        """Yields the items of a stream to its end; resumes after the last one without a gap.

        Begins again when the service's database was replaced by another copy.
        """
        while not (self._hurried.is_set() or state.ends()):
            wait = 0.0
            try:
                sent = headers(token, NDJSON) | state.headers()
                with self.http.stream("GET", path, headers=sent) as response:
                    wait = retry_after(response)
                    if response.is_error and not is_temporary(response):
                        response.read()
                        answer_of(response)
                    for line in response.iter_lines() if response.is_success else ():
                        if (item := state.item(line)) is not None:
                            yield item
                        if state.is_over or state.ends() or self._closing.is_set():
                            return
            except BROKEN_STREAM as problem:
                if self._closing.is_set():
                    return
                log.warning("stream %s broke off after %s (%s); following it again", path, state.after, problem)
            except CUT_OFF:
                if self._closing.is_set():
                    return
                raise
            self.wait(state.next_pause(wait))
