"""Clients that go on asking a service through an outage: every answer is kept with its status and its times."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from time import monotonic
from typing import Any, NamedTuple, Protocol
from urllib.parse import urlsplit
from uuid import uuid4

import httpx

from deploy.bench.clients import Wire
from tests.support.running_program import PATIENCE

MOVES = ("play upgrade_2", "play upgrade_2", "rest", "rest")  # can be repeated for ever
CUT = 0  # in place of a status: the answer did not come, or did not end
PAUSE = 0.1  # seconds between an answer and the next request
VISITOR_PAUSE = 1.0  # the same of a visitor, of whom there are many


class Asked(NamedTuple):
    """A request: when it began and ended, and the status of its answer."""

    begun: float
    ended: float
    status: int


class Asks(Protocol):
    """Sends the next request of a client. Returns the status of its answer."""

    def __call__(self) -> int:
        """Sends it."""

    def close(self) -> None:
        """Ends its connection."""


class Mover:
    """Both players of a game without an end; repeats a move without an answer under its key."""

    def __init__(self, url: str, name: str) -> None:
        self._http = httpx.Client(base_url=url, timeout=PATIENCE)
        people = [self._post("/v1/players", "", {"name": f"{name} {seat}"}) for seat in ("one", "other")]
        tokens = {person["player"]["id"]: person["token"] for person in people}
        first, second = tokens.values()
        game = self._post("/v1/games", first, {"game": "spice_road", "seats": ["me", "open"]})["id"]
        started = self._post(f"/v1/games/{game}/seats", second, {})
        self.path = f"/v1/games/{game}"
        self._turns = cycle([tokens[seat["player"]["id"]] for seat in started["seats"]])
        self._moves = cycle(MOVES)
        self._next()

    def __call__(self) -> int:
        """Sends the next move, or once more the one that was refused."""
        headers = {"Authorization": f"Bearer {self._token}", "Idempotency-Key": self._key}
        status = self._http.post(f"{self.path}/moves", json={"move": self._move}, headers=headers).status_code
        if status == httpx.codes.CREATED:
            self._next()
        return status

    def close(self) -> None:
        """Ends the connection."""
        self._http.close()

    def _next(self) -> None:
        self._token, self._move, self._key = next(self._turns), next(self._moves), uuid4().hex

    def _post(self, path: str, token: str, body: object) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        answer: dict[str, Any] = self._http.post(path, json=body, headers=headers).raise_for_status().json()
        return answer


class Reader:
    """A visitor who reads some addresses over and over."""

    def __init__(self, url: str, paths: Sequence[str]) -> None:
        self._http = httpx.Client(base_url=url, timeout=PATIENCE)
        self._paths = cycle(paths)

    def __call__(self) -> int:
        """Reads the next address."""
        return self._http.get(next(self._paths)).status_code

    def close(self) -> None:
        """Ends the connection."""
        self._http.close()


class Visitor:
    """A visitor who reads one address, at little cost to the machine that measures."""

    def __init__(self, url: str, path: str) -> None:
        at = urlsplit(url)
        self._wire = Wire(at.hostname or "", at.port or 80)
        self._path = path

    def __call__(self) -> int:
        """Reads the address."""
        try:
            return self._wire.get(self._path).status
        except ConnectionError:
            self._wire.reopen()
            raise

    def close(self) -> None:
        """Ends the connection."""
        self._wire.close()


class SteadyClient:
    """A thread that asks until it is stopped."""

    def __init__(self, asks: Asks) -> None:
        self.answers: list[Asked] = []
        self.writes = isinstance(asks, Mover)
        self._asks = asks
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def start(self) -> None:
        """Begins to ask."""
        self._thread.start()

    def ask_to_stop(self) -> None:
        """Lets the answer that is under way be the last."""
        self._stopping.set()

    def stop(self) -> None:
        """Waits for the last answer."""
        self._thread.join(PATIENCE)
        self._asks.close()

    def count(self, since: float, is_wanted: Callable[[int], bool]) -> int:
        """Returns how many requests that began since then have such a status."""
        return sum(one.begun >= since and is_wanted(one.status) for one in [*self.answers])

    def _run(self) -> None:
        while not self._stopping.wait(VISITOR_PAUSE if isinstance(self._asks, Visitor) else PAUSE):
            begun = monotonic()
            try:
                status = self._asks()
            except (httpx.TransportError, ConnectionError):
                status = CUT
            self.answers.append(Asked(begun, monotonic(), status))


@contextmanager
def steady_clients(every: Sequence[Asks]) -> Iterator[list[SteadyClient]]:
    """Clients that ask for a while, all at once."""
    clients = [SteadyClient(asks) for asks in every]
    try:
        for client in clients:
            client.start()
        yield clients
    finally:
        for client in clients:
            client.ask_to_stop()
        for client in clients:
            client.stop()
