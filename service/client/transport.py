"""Sends requests until they are answered and follows streams across broken connections."""

import json
import secrets
import threading
import time
from collections.abc import Generator, Mapping
from http import HTTPStatus
from typing import Any, Final
from uuid import uuid4

import httpx
import structlog

from events.errors import CabildoError
from events.json_types import Json

RETRY_SECONDS: Final = 120.0  # how long an unanswered request is repeated
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
BROKEN_STREAM = (httpx.TransportError, httpx.StreamError, json.JSONDecodeError)  # a line may be cut in two
SILENCE: Final = 30.0  # a stream sends a keep-alive every ten seconds
NDJSON: Final = "application/x-ndjson"
log = structlog.get_logger("service.client.transport")


class Refused(CabildoError):
    """The service refuses a request, with an RFC 9457 problem."""

    def __init__(self, status: int, problem: Mapping[str, Json]) -> None:
        super().__init__(str(problem.get("detail") or problem.get("title") or f"status {status}"))
        self.status = status
        self.problem = problem
        self.reason = str(problem.get("type", "")).rpartition("#")[2]


class Unreachable(CabildoError):
    """The service did not answer in time."""


class Transport:
    """Sends requests with a bearer token; may be used from several threads."""

    def __init__(self, url: str, token: str, retry_seconds: float) -> None:
        self.http = httpx.Client(base_url=url, timeout=SILENCE)
        self.token = token
        self.retry_seconds = retry_seconds
        self._closing = threading.Event()

    def close(self) -> None:
        """Ends all streams and closes all connections."""
        self._closing.set()
        self.http.close()

    def wait(self, seconds: float) -> None:
        """Waits, but not beyond the closing."""
        self._closing.wait(seconds)

    def request(self, method: str, path: str, body: Mapping[str, Json] | None = None) -> Any:
        """Returns the answer; repeats the request after a broken connection, an overload or a 429.

        Raises Refused for every other problem and Unreachable after retry_seconds.
        """
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if method == "POST":
            headers["Idempotency-Key"] = uuid4().hex  # the same for every repetition
        give_up, pause = time.monotonic() + self.retry_seconds, FIRST_PAUSE
        while True:
            retry_after = 0.0
            try:
                response = self.http.request(method, path, json=body, headers=headers)
                if not _is_temporary(response):
                    return _document(response)
                retry_after, reason = _retry_after(response), f"status {response.status_code}"
            except httpx.TransportError as problem:
                reason = str(problem)
            if time.monotonic() + retry_after + pause > give_up or self._closing.is_set():
                raise Unreachable(reason)
            if pause == FIRST_PAUSE:
                log.warning("not answered; asking again until it is", path=path, reason=reason)
            self._back_off(retry_after, pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def stream(self, path: str, after: int | None, number: str) -> Generator[Any, None, None]:
        """Yields the items of a stream to its end; resumes after the last `number` without a gap.

        Begins again when the service's database was replaced by another copy.
        """
        pause = FIRST_PAUSE
        while not self._closing.is_set():
            query, retry_after = {} if after is None else {"after": after}, 0.0
            headers = {"Authorization": f"Bearer {self.token}", "Accept": NDJSON}
            try:
                with self.http.stream("GET", path, params=query, headers=headers) as response:
                    retry_after = _retry_after(response)
                    if response.is_error and not _is_temporary(response):
                        response.read()
                        _document(response)
                    for line in response.iter_lines() if response.is_success else ():
                        item = json.loads(line) if line.strip() else {}
                        if item.get("closed") == "game_is_over":
                            return
                        if item.get("closed") == "history_replaced":
                            after = None
                        if number in item:
                            after, pause = int(item[number]), FIRST_PAUSE
                            yield item
            except BROKEN_STREAM as problem:
                log.warning("stream broke off; following it again", path=path, after=after, reason=str(problem))
            self._back_off(retry_after, pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _back_off(self, retry_after: float, pause: float) -> None:
        """Waits for the Retry-After of the service plus a random pause, so that clients do not return at once."""
        self.wait(retry_after + pause * (0.5 + secrets.randbelow(100) / 100))


def _is_temporary(response: httpx.Response) -> bool:
    """Returns whether a repetition may succeed."""
    return response.status_code == HTTPStatus.TOO_MANY_REQUESTS or response.status_code >= 500


def _retry_after(response: httpx.Response) -> float:
    """Returns the seconds of Retry-After, 0 without one."""
    header = response.headers.get("Retry-After", "")
    return float(header) if header.isdigit() else 0.0


def _document(response: httpx.Response) -> Any:
    """Returns the document of an answer; raises Refused for a problem."""
    document = response.json() if "json" in response.headers.get("Content-Type", "") else {}
    if response.is_error:
        raise Refused(response.status_code, document)
    return document
