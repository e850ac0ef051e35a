"""The keeper: runs the table of duties. Of all running keepers, one leads each duty by an advisory lock."""

import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass, field
from typing import NamedTuple

import psycopg
import structlog
from psycopg import Connection

from events.errors import CabildoError
from events.store.connections import connect_to_lead
from events.store.write_errors import is_broken
from service.core.keeper_heartbeats import EVERY, LOCK_NAME, send_heartbeat
from service.core.redis_connections import open_redis
from service.core.stores import check_start
from service.proof.public_log import check_archive
from service.settings import Settings
from workers.keeper.duty_context import KeeperContext

Work = Callable[[Connection], bool]
LEAD = "SELECT pg_try_advisory_lock(hashtextextended(%s || %s, 0))"
ASK_TO_LEAD_EVERY = 1.0
LONGEST_PAUSE = 5.0
SIGN_OF_LIFE = 5.0  # seconds
log = structlog.get_logger("workers.keeper.keeper")


class Duty(NamedTuple):
    """A periodic task; when `led` is set, only the keeper that holds the duty's lock runs it.

    `prepare` makes its work from the keeper's context. The work is one short step on the duty's connection; it returns
    whether more work waits. Otherwise the next step starts after `pause` seconds.
    """

    name: str
    pause: float
    prepare: Callable[[KeeperContext], Work]
    led: bool = True


@dataclass
class DutyStatus:
    """The status of a duty, as heartbeats show it; times in seconds since 1970.

    `since` is when this keeper began to lead the duty or to stand by, `active` its last sign of work.
    """

    leading: bool = False
    steps: int = 0
    last: float = 0.0
    since: float = field(default_factory=time.time)
    active: float = 0.0
    fault: str = ""

    def lead(self) -> None:
        """Notes that the keeper leads and works."""
        self.active = time.time()
        if not self.leading:
            self.leading, self.since = True, self.active

    def yield_lead(self, fault: str) -> None:
        """Notes that the keeper does not lead any more."""
        self.fault = fault
        if self.leading:
            self.leading, self.since = False, time.time()


class Keeper:
    """Runs duties, a thread and a connection for each, until `stopping` is set."""

    def __init__(self, settings: Settings, environ: Mapping[str, str], duties: Sequence[Duty]) -> None:
        self.stopping = threading.Event()
        self.watches = {duty.name: DutyStatus() for duty in duties}
        self._settings = settings.direct()
        self._context = KeeperContext(self._settings, environ)
        self._works = [(duty, duty.prepare(self._context)) for duty in duties]

    def run(self, name: str) -> None:
        """Runs until stopped. No error of a duty ends the keeper or another duty."""
        with closing(self._context), ThreadPoolExecutor(len(self._works)) as threads:
            for duty, work in self._works:
                threads.submit(self._run_duty, duty, work)
            self._send_heartbeats(name)

    def _send_heartbeats(self, name: str) -> None:
        with open_redis(self._settings.redis_url, socket_timeout=2, retry=None) as client:
            while not self.stopping.is_set():
                try:
                    send_heartbeat(client, name, {duty: asdict(watch) for duty, watch in self.watches.items()})
                except Exception:
                    log.exception("heartbeat failed")
                self.stopping.wait(EVERY)

    def _run_duty(self, duty: Duty, work: Work) -> None:
        """Runs a duty; reconnects after an error, with a doubled pause while the failures go on."""
        watch, pause = self.watches[duty.name], ASK_TO_LEAD_EVERY
        while not self.stopping.is_set():
            steps = watch.steps
            try:
                with connect_to_lead(self._settings.database_url) as connection:
                    self._run_steps(connection, duty, work)
            except Exception as fault:
                if _is_interruption(fault):
                    reason = str(fault).partition("\n")[0]  # psycopg lists every host and attempt
                    watch.yield_lead(reason)
                    log.warning("duty interrupted", duty=duty.name, reason=reason)
                else:
                    watch.yield_lead(type(fault).__name__)
                    log.exception("duty failed", duty=duty.name)
            else:
                return
            pause = ASK_TO_LEAD_EVERY if watch.steps > steps else min(2 * pause, LONGEST_PAUSE)
            self.stopping.wait(pause)

    def _run_steps(self, connection: Connection, duty: Duty, work: Work) -> None:
        """Waits for the lead, then runs the steps; the lead ends with the connection."""
        watch = self.watches[duty.name]
        while duty.led and not self.stopping.is_set() and not _leads(connection, duty):
            self.stopping.wait(ASK_TO_LEAD_EVERY)
        signed = time.monotonic()
        while not self.stopping.is_set():
            watch.lead()
            more = work(connection)
            watch.steps, watch.last, watch.fault = watch.steps + 1, time.time(), ""
            signed = self._rest(connection, 0.0 if more else duty.pause, watch, signed)

    def _rest(self, connection: Connection, seconds: float, watch: DutyStatus, signed: float) -> float:
        """Waits for the next step. Returns when the server last saw a sign of life.

        Many steps leave their connection alone: signs of life show the server that the leader works, and the keeper
        that its lock is held.
        """
        end = time.monotonic() + seconds
        while True:
            if time.monotonic() - signed >= SIGN_OF_LIFE:
                connection.execute("SELECT 1")
                watch.lead()
                signed = time.monotonic()
            left = end - time.monotonic()
            if left <= 0 or self.stopping.wait(min(left, SIGN_OF_LIFE)):
                return signed


def _is_interruption(fault: Exception) -> bool:
    """Returns whether a step broke off for a known reason, such as a server that is away, and is tried again."""
    if isinstance(fault, psycopg.OperationalError | CabildoError):
        return True
    return isinstance(fault, psycopg.DatabaseError) and is_broken(fault)


def _leads(connection: Connection, duty: Duty) -> bool:
    row = connection.execute(LEAD, (LOCK_NAME, duty.name)).fetchone()
    return bool(row and row[0])


def keep(settings: Settings, environ: Mapping[str, str], name: str, duties: Sequence[Duty]) -> None:
    """Runs a keeper in this process until SIGTERM or Ctrl-C."""
    check_start(settings.direct(), locks=True)
    check_archive(settings)
    keeper = Keeper(settings, environ, duties)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: keeper.stopping.set())
    keeper.run(name)
