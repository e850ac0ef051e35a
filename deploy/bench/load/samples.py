"""What ordinary users measure: the time and the fault of every request, and its percentiles."""

import time
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

REQUESTS: Final = ("move", "read", "replay", "search", "page")  # each is one request and its answer
WATCH: Final = "watch"  # from sending a move until a watcher has received its event
BOT: Final = "bot"  # from sending a move until the player has received the move of the bot
KINDS: Final = (*REQUESTS, WATCH, BOT)
MILLISECONDS: Final = 1000


class Sample(NamedTuple):
    """One measured request."""

    kind: str
    at: float  # when it began
    seconds: float
    fault: str  # empty when it succeeded


class Percentiles(NamedTuple):
    """Percentiles in milliseconds, and counts."""

    number: int
    errors: int
    p50: float
    p95: float
    p99: float


class Recorder:
    """Keeps what all users measured."""

    def __init__(self) -> None:
        self._samples: list[Sample] = []
        self._sent: dict[tuple[str, int], float] = {}
        self._received: list[tuple[str, int, float]] = []

    def add(self, kind: str, began: float, fault: str = "") -> None:
        """Adds a request that ended now."""
        self._samples.append(Sample(kind, began, time.monotonic() - began, fault))

    def sent(self, game: str, version: int, began: float) -> None:
        """Notes when the move of an event was sent."""
        self._sent[game, version] = began

    def received(self, game: str, version: int) -> None:
        """Notes that a watcher received an event now."""
        self._received.append((game, version, time.monotonic()))

    def samples(self) -> list[Sample]:
        """Returns everything measured, watchers too."""
        watched = [
            Sample(WATCH, began, at - began, "")
            for game, version, at in self._received
            if (began := self._sent.get((game, version))) is not None
        ]
        return self._samples + watched


def figures(samples: Iterable[Sample]) -> Percentiles:
    """Returns the percentiles of samples; those with a fault count too. No samples give zeros."""
    found = list(samples)
    ordered = sorted(sample.seconds * MILLISECONDS for sample in found) or [0.0]
    p50, p95, p99 = (ordered[min(len(ordered) - 1, len(ordered) * share // 100)] for share in (50, 95, 99))
    return Percentiles(len(found), sum(bool(sample.fault) for sample in found), p50, p95, p99)


def over_time(samples: Iterable[Sample], begin: float, window: float) -> list[tuple[float, Percentiles]]:
    """Returns the percentiles and errors of the requests that began in each window, by seconds after `begin`."""
    windows: dict[int, list[Sample]] = {}
    for sample in samples:
        windows.setdefault(int((sample.at - begin) // window), []).append(sample)
    return [((number + 0.5) * window, figures(own)) for number, own in sorted(windows.items())]


def faults(samples: Iterable[Sample]) -> Sequence[tuple[str, int]]:
    """Returns what went wrong, most frequent first."""
    return Counter(f"{sample.kind}: {sample.fault}" for sample in samples if sample.fault).most_common()
