"""Starts programs in stages, restarts those that end, and stops them in reverse order."""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deploy.errors import CannotRun
from deploy.local.forking import Orphans
from deploy.local.processes import Process, ServerProgram, Start, execute, write_record
from service.core.errors import BadSettings

Recipe = Callable[[], ServerProgram]
Wanted = Callable[[], bool]
POLL_EVERY = 0.2
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
STEADY_AFTER = 60.0  # a program that ran this long starts again with the first pause
IDLE_AFTER = 60.0  # a program that was not wanted for so long is ended
REAP_EVERY = 10.0
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
RESTART_SIGNAL = signal.SIGUSR1


@dataclass
class SupervisedProcess:
    """A program that is restarted until the supervisor stops; one on demand runs only while it is wanted."""

    recipe: Recipe
    process: Process | None = None  # None: a program on demand that has nothing to do
    wanted: Wanted | None = None  # None: always
    pause: float = FIRST_PAUSE
    again_at: float | None = field(default=None)
    idle_since: float | None = field(default=None)
    is_ending: bool = False

    def is_wanted(self) -> bool:
        """Returns whether the program has something to do now."""
        return self.wanted is None or self.wanted()


class Supervisor:
    """Runs stages of programs; a later stage needs the earlier ones."""

    def __init__(self, record: Path, say: Callable[[str], None], start: Start = execute) -> None:
        self.stopping = threading.Event()
        self._restarting = threading.Event()
        self._renewed: Callable[[str], bool] | None = None  # the programs that are to start again, by name
        self._record = record
        self._say = say
        self._start = start
        self._stages: list[list[SupervisedProcess]] = []
        self._orphans = Orphans()
        self._reaped = time.monotonic()

    @contextmanager
    def handling_signals(self) -> Iterator[None]:
        """Handles SIGINT, SIGTERM and SIGHUP while entered: each sets `stopping`. SIGUSR1 restarts the last stage."""
        before = {number: signal.signal(number, lambda *_: self.stopping.set()) for number in STOP_SIGNALS}
        before[RESTART_SIGNAL] = signal.signal(RESTART_SIGNAL, lambda *_: self._restarting.set())
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def start(self, recipes: Sequence[Recipe], on_demand: Sequence[tuple[Recipe, Wanted]] = ()) -> None:
        """Starts a stage and waits until its programs are ready, but for those on demand. Raises ServerFailed."""
        stage: list[SupervisedProcess] = []
        self._stages.append(stage)
        for recipe in recipes:
            if not self.stopping.is_set():
                stage.append(SupervisedProcess(recipe, Process(recipe(), self._start)))
                self._remember()
        for process in _running(stage):
            process.wait_ready(stopping=self.stopping)
        stage.extend(SupervisedProcess(recipe, wanted=wanted) for recipe, wanted in on_demand)

    def watch(self, before_restart: Callable[[], None] | None = None) -> None:
        """Restarts programs that end, until `stopping` is set.

        When asked to, restarts all programs of the last stage together; not without `before_restart`.
        """
        while not self.stopping.wait(POLL_EVERY):
            if before_restart and self._restarting.is_set():
                self._restarting.clear()
                self._restart_last_stage(before_restart)
            if self._renewed is not None:
                is_renewed, self._renewed = self._renewed, None
                self._renew(is_renewed)
            for kept in self._all():
                self._look_after(kept)
            if time.monotonic() - self._reaped > REAP_EVERY:
                self._orphans.reap()
                self._reaped = time.monotonic()

    def stop(self) -> None:
        """Stops all programs, the last stage first; each finishes its running work."""
        for stage in reversed(self._stages):
            _stop_together(stage)
        self._record.unlink(missing_ok=True)

    def _restart_last_stage(self, prepare: Callable[[], None]) -> None:
        """Stops all programs of the last stage before any starts again, so that none runs beside an older one."""
        try:
            prepare()
        except (CannotRun, BadSettings) as problem:
            self._say(f"nothing is restarted: {problem}")
            return
        self._say("stopping web server, workers and keeper, to start them again")
        _stop_together(self._stages[-1])
        try:
            for kept in self._stages[-1]:
                if kept.wanted is None:
                    kept.process = Process(kept.recipe(), self._start)
                else:
                    kept.process, kept.is_ending = None, False  # started when it is wanted
                self._remember()
            for process in _running(self._stages[-1]):
                process.wait_ready(stopping=self.stopping)
        except CannotRun as problem:
            self._say(str(problem))  # those that ended are started again with a pause
            return
        self._say("web server, workers and keeper run again")

    def ask_to_renew(self, is_renewed: Callable[[str], bool]) -> None:
        """Lets `watch` start some running programs again, by their names; may be called by any thread."""
        self._renewed = is_renewed

    def _renew(self, is_renewed: Callable[[str], bool]) -> None:
        """Ends programs and starts them again, those of an earlier stage first; each finishes its running work.

        One on demand is only asked to end: it may be busy for minutes, and starts again when it is wanted.
        """
        for kept in self._all():
            if kept.process is None or not is_renewed(kept.process.program.name):
                continue
            if kept.wanted is None:
                kept.process.stop()
                self._begin(kept, "starts again")
            else:
                kept.is_ending = True
                kept.process.ask_to_stop()

    def _look_after(self, kept: SupervisedProcess) -> None:
        if kept.process is None:
            if kept.is_wanted():
                self._begin(kept, "has work to do")
            return
        code, now = kept.process.exit_code(), time.monotonic()
        if code is None:
            self._end_idle(kept, kept.process, now)
        elif kept.is_ending:
            kept.process.stop()  # kills the rest of its process group
            kept.process, kept.is_ending, kept.idle_since = None, False, None
            self._remember()
        elif kept.again_at is None:
            kept.pause = FIRST_PAUSE if now - kept.process.started > STEADY_AFTER else kept.pause
            kept.again_at = now + kept.pause
            name = kept.process.program.name
            self._say(f"{name} {exit_description(code)}; starting it again in {kept.pause:.0f} s")
        elif now >= kept.again_at:
            kept.pause = min(2 * kept.pause, LONGEST_PAUSE)
            kept.again_at = None
            kept.process.stop()
            self._begin(kept, "runs again")

    def _end_idle(self, kept: SupervisedProcess, process: Process, now: float) -> None:
        """Asks a program to stop that has not been wanted for a while; it finishes what it does."""
        if kept.is_ending or kept.is_wanted():
            kept.idle_since = None
        elif kept.idle_since is None:
            kept.idle_since = now
        elif now - kept.idle_since > IDLE_AFTER:
            kept.is_ending = True
            process.ask_to_stop()
            self._say(f"{process.program.name} has nothing to do and is ended")

    def _begin(self, kept: SupervisedProcess, why: str) -> None:
        try:
            kept.process = Process(kept.recipe(), self._start)
        except CannotRun as problem:
            self._say(str(problem))
            return
        self._remember()
        self._say(f"{kept.process.program.name} {why} (process {kept.process.pid})")

    def _all(self) -> list[SupervisedProcess]:
        return [kept for stage in self._stages for kept in stage]

    def _remember(self) -> None:
        write_record(self._record, {process.program.name: process.pid for process in _running(self._all())})


def _running(stage: Sequence[SupervisedProcess]) -> list[Process]:
    return [kept.process for kept in stage if kept.process is not None]


def _stop_together(stage: Sequence[SupervisedProcess]) -> None:
    for process in _running(stage):
        process.ask_to_stop()
    for process in _running(stage):
        process.stop()


def exit_description(code: int) -> str:
    """Returns the exit status of a process in words."""
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
