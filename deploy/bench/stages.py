"""The stages of a move for `cabildo bench api --stages`: the service with a clock around each; it changes nothing else.

A stage's time is that of its functions without the stages they call. The clock adds about a microsecond to the caller
of each function. One web process is measured; all its threads count.
"""

import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import wraps
from importlib import import_module
from typing import Any, Final, NamedTuple

PATH: Final = "/bench/stages"
NANOSECONDS: Final = 1_000
# In the order of the table: each stage and where the service looks its functions up, as module:name.
STAGES: Final[Mapping[str, Sequence[str]]] = {
    "receive": (
        "service.web.server.worker:ReceivingWorker._read",
        "service.web.server.worker:ReceivingWorker._answered",
        "service.web.server.worker:ReceivingWorker._answer",
    ),
    "route": ("flask:Flask.__call__",),
    "authenticate": ("service.web.auth:require_identity",),
    "limit": ("service.web.rate_limits:RateLimits.count", "service.web.rate_limits:RateLimits.tell"),
    "parse": ("service.web.routing:RequestData.read",),
    "load": ("service.core.repository:Repository.cached_at", "service.games.game_state:GameUnitOfWork.board"),
    "command": ("service.games.routes.moves:play_move",),
    "rules": ("service.games.decisions.play:play",),
    "facts": ("projections.games.execute_move:_move_result",),
    "digest": ("projections.games.execute_move:digest",),
    "event": ("service.core.unit_of_work:compose",),
    "fold": ("service.games.game_state:fold",),
    "sign": ("service.proof.public_log:Receipts.sign",),
    "SQL round trip": ("service.core.repository:Repository.append",),
    "announce": ("service.core.announce:Announcer.announce", "service.core.announce:Announcer._tell"),
    "answer": (
        "service.games.routes.moves:json_response",
        "service.games.commands.moves:appended_document",
        "flask:Flask.process_response",
    ),
    "log": ("service.web.request_log:_begin", "service.web.request_log:_end"),
}


class Spent(NamedTuple):
    """Microseconds of one stage: on the clock, and of a processor."""

    wall: float
    processor: float


class StageClock:
    """Adds up the time of stages over the threads of this process."""

    def __init__(self, stages: Iterable[str]) -> None:
        self._lock = threading.Lock()
        self._open = threading.local()
        self._totals = {stage: [0, 0] for stage in stages}

    def reset(self) -> None:
        """Begins anew."""
        with self._lock:
            for total in self._totals.values():
                total[:] = 0, 0

    def spent(self, moves: int) -> dict[str, Spent]:
        """Returns the time of each stage of one of so many moves."""
        with self._lock:
            totals = {stage: tuple(total) for stage, total in self._totals.items()}
        return {stage: Spent(*(value / NANOSECONDS / moves for value in total)) for stage, total in totals.items()}

    def timed(self, stage: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Returns a function that counts its time for a stage, and not for that of its caller."""
        total = self._totals[stage]

        @wraps(function)
        def run(*given: Any, **named: Any) -> Any:
            callers = self._callers()
            inner = [0, 0]
            callers.append(inner)
            processor, wall = time.thread_time_ns(), time.perf_counter_ns()
            try:
                return function(*given, **named)
            finally:
                spent = time.perf_counter_ns() - wall, time.thread_time_ns() - processor
                callers.pop()
                with self._lock:
                    for kind, value in enumerate(spent):
                        total[kind] += value - inner[kind]
                        if callers:
                            callers[-1][kind] += value

        return run

    def _callers(self) -> list[list[int]]:
        """Returns the time that inner stages took from each open stage of this thread."""
        found: list[list[int]] | None = getattr(self._open, "callers", None)
        if found is None:
            found = self._open.callers = []
        return found


def install(clock: StageClock, stages: Mapping[str, Sequence[str]] = STAGES) -> None:
    """Puts the clock around all functions of the stages, where they are looked up."""
    for stage, places in stages.items():
        for place in places:
            module, _, path = place.partition(":")
            *owners, name = path.split(".")
            owner: Any = import_module(module)
            for part in owners:
                owner = getattr(owner, part)
            setattr(owner, name, clock.timed(stage, getattr(owner, name)))


def create_app() -> Any:
    """Returns the service with the clock: GET tells the stages of one of so many moves, POST begins anew."""
    clock = StageClock(STAGES)
    install(clock)
    app = import_module("service.app").create_app()

    def tell(moves: int) -> dict[str, Spent]:
        return clock.spent(moves)

    def begin() -> tuple[str, int]:
        clock.reset()
        return "", 201

    app.add_url_rule(f"{PATH}/<int:moves>", "bench.tell", tell)
    app.add_url_rule(PATH, "bench.begin", begin, methods=["POST"])
    return app
