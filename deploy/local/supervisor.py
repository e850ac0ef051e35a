"""Starts programs in stages, restarts those that end, and stops them in reverse order."""

import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from deploy.errors import CannotRun
from deploy.local.processes import Process, ServerProgram, write_record
from service.core.errors import BadSettings

Recipe = Callable[[], ServerProgram]
POLL_EVERY = 0.2
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 30.0
STEADY_AFTER = 60.0  # a program that ran this long starts again with the first pause
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
RESTART_SIGNAL = signal.SIGUSR1


@dataclass
class SupervisedProcess:
    """A program that is restarted until the supervisor stops."""

    recipe: Recipe
    process: Process
    pause: float = FIRST_PAUSE
    again_at: float | None = field(default=None)


class Supervisor:
    """Runs stages of programs; a later stage needs the earlier ones."""

    def __init__(self, record: Path, say: Callable[[str], None]) -> None:
        self.stopping = threading.Event()
        self._restarting = threading.Event()
        self._record = record
        self._say = say
        self._stages: list[list[SupervisedProcess]] = []

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

    def start(self, recipes: Sequence[Recipe]) -> None:
        """Starts a stage and waits until each of its programs is ready. Raises ServerFailed."""
        stage: list[SupervisedProcess] = []
        self._stages.append(stage)
        for recipe in recipes:
            if not self.stopping.is_set():
                stage.append(SupervisedProcess(recipe, Process(recipe())))
                self._remember()
        for kept in stage:
            kept.process.wait_ready(stopping=self.stopping)

    def watch(self, before_restart: Callable[[], None] | None = None) -> None:
        """Restarts programs that end, until `stopping` is set.

        When asked to, restarts all programs of the last stage together; not without `before_restart`.
        """
        while not self.stopping.wait(POLL_EVERY):
            if before_restart and self._restarting.is_set():
                self._restarting.clear()
                self._restart_last_stage(before_restart)
            for kept in self._all():
                self._look_after(kept)

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
                kept.process = Process(kept.recipe())
                self._remember()
            for kept in self._stages[-1]:
                kept.process.wait_ready(stopping=self.stopping)
        except CannotRun as problem:
            self._say(str(problem))  # those that ended are started again with a pause
            return
        self._say("web server, workers and keeper run again")

    def _look_after(self, kept: SupervisedProcess) -> None:
        code, now = kept.process.exit_code(), time.monotonic()
        if code is None:
            return
        if kept.again_at is None:
            kept.pause = FIRST_PAUSE if now - kept.process.started > STEADY_AFTER else kept.pause
            kept.again_at = now + kept.pause
            self._say(f"{kept.process.program.name} {exit_description(code)}; starting it again in {kept.pause:.0f} s")
        elif now >= kept.again_at:
            kept.pause = min(2 * kept.pause, LONGEST_PAUSE)
            kept.again_at = None
            self._again(kept)

    def _again(self, kept: SupervisedProcess) -> None:
        kept.process.stop()  # kills the rest of its process group
        try:
            kept.process = Process(kept.recipe())
        except CannotRun as problem:
            self._say(str(problem))
            return
        self._remember()
        self._say(f"{kept.process.program.name} runs again (process {kept.process.pid})")

    def _all(self) -> list[SupervisedProcess]:
        return [kept for stage in self._stages for kept in stage]

    def _remember(self) -> None:
        write_record(self._record, {kept.process.program.name: kept.process.pid for kept in self._all()})


def _stop_together(stage: Sequence[SupervisedProcess]) -> None:
    for kept in stage:
        kept.process.ask_to_stop()
    for kept in stage:
        kept.process.stop()


def exit_description(code: int) -> str:
    """Returns the exit status of a process in words."""
    return f"was killed by {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
