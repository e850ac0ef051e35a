"""The policy of repeating requests, and the reading of answers and of lines of streams; does no input or output."""

import json
import logging
import secrets
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final
from uuid import uuid4

import httpx

from cabildo_client.errors import Unreachable, UnreadableAnswer, refusal
from cabildo_client.hash_chain import ChainCheck
from cabildo_client.json_values import Json, JsonObject

FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
SILENCE: Final = 30.0  # seconds; a stream sends a keep-alive every ten
BROKEN_STREAM: Final = (httpx.TransportError, httpx.StreamError, json.JSONDecodeError)  # a line may be cut in two
NDJSON: Final = "application/x-ndjson"
KEYED: Final = frozenset(("POST",))  # methods that take an Idempotency-Key
log = logging.getLogger("cabildo_client")


def headers(token: str, accept: str) -> dict[str, str]:
    """Returns the headers of a request."""
    return {"Accept": accept} | ({"Authorization": f"Bearer {token}"} if token else {})


def key_header(method: str) -> dict[str, str]:
    """Returns a fresh idempotency key, the same for every repetition of a request."""
    return {"Idempotency-Key": uuid4().hex} if method in KEYED else {}


def is_temporary(response: httpx.Response) -> bool:
    """Returns whether a repetition may succeed."""
    return response.status_code == HTTPStatus.TOO_MANY_REQUESTS or response.status_code >= 500


def retry_after(response: httpx.Response) -> float:
    """Returns the seconds of Retry-After, 0 without one."""
    header = response.headers.get("Retry-After", "")
    return float(header) if header.isdigit() else 0.0


def answer_of(response: httpx.Response) -> Any:
    """Returns the JSON of an answer, or its text, or its bytes; raises the typed refusal of a problem."""
    kind = response.headers.get("Content-Type", "")
    if response.is_error:
        raise refusal(response.status_code, _json(response) if "json" in kind else {})
    if response.request.headers.get("Accept") == "*/*":
        return response.content
    if "json" in kind:
        return _json(response)
    return response.text


def _json(response: httpx.Response) -> Any:
    try:
        return response.json()
    except ValueError as fault:
        raise UnreadableAnswer(f"{response.request.url.path} answered no JSON") from fault


@dataclass(slots=True)
class Attempts:
    """The repetitions of one request, until its time is over."""

    path: str
    seconds: float
    pause: float = FIRST_PAUSE
    began: float = field(default_factory=time.monotonic)

    def next_pause(self, wait: float, reason: str) -> float:
        """Returns the seconds until the next attempt: Retry-After and a random part, which spreads clients.

        Raises Unreachable when the time is over.
        """
        if time.monotonic() + wait + self.pause > self.began + self.seconds:
            raise Unreachable(reason)
        if self.pause == FIRST_PAUSE:
            log.warning("%s not answered (%s); asking again until it is", self.path, reason)
        pause, self.pause = self.pause, min(2 * self.pause, LONGEST_PAUSE)
        return spread(wait, pause)


def spread(wait: float, pause: float) -> float:
    """Returns a wait that differs from client to client."""
    return wait + pause * (0.5 + secrets.randbelow(100) / 100)


@dataclass(slots=True)
class StreamState:
    """How far a stream was read: items are told once, also across broken connections."""

    number: str  # the field that numbers the items
    after: int | None
    chain: ChainCheck | None = None  # of events
    ends: Callable[[], bool] = lambda: False  # asked at each line, keep-alives included
    pause: float = FIRST_PAUSE
    is_over: bool = False

    def headers(self) -> dict[str, str]:
        """Returns the header from which the service goes on."""
        return {} if self.after is None else {"Last-Event-ID": str(self.after)}

    def item(self, line: str) -> JsonObject | None:
        """Returns the item of a line; None for keep-alives, and for the last line, which says why the stream ends."""
        document: Mapping[str, Any] = json.loads(line) if line.strip() else {}
        closed = document.get("closed")
        self.is_over = self.is_over or closed == "game_is_over"
        if closed == "history_replaced":
            self.after = None
            if self.chain is not None:
                self.chain.restart()
        if self.number not in document:
            return None
        if self.chain is not None:
            self.chain.check(document)
        self.after, self.pause = int(document[self.number]), FIRST_PAUSE
        return dict(document)

    def next_pause(self, wait: float) -> float:
        """Returns the seconds until the stream is asked for again."""
        pause, self.pause = self.pause, min(2 * self.pause, LONGEST_PAUSE)
        return spread(wait, pause)


Body = Mapping[str, Json] | None
