"""Verifies uploads of clients, each in a process of its own: few at once, within a time, without a connection."""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, Final
from uuid import UUID

import structlog
from psycopg_pool import ConnectionPool

from events.event import Event
from events.json_types import JsonObject
from events.messages import Message
from events.store.postgres import read
from projections.verify.archive import MAGIC, unpacked_size
from projections.verify.editions import editions
from service.core.errors import TooMuchToVerify, VerificationStopped
from service.core.work_gate import Capacity, SharedGate
from service.proof.judge_lines import ASKS, REPORT
from service.proof.public_log import files_of, origin_of
from service.settings import Settings

LARGEST_HERE: Final = 16 * 2**20  # bytes unpacked; verified while the client waits
AT_ONCE: Final = 2  # of the whole service
WAITING: Final = 8
PATIENCE: Final = 30.0  # seconds
OUT_OF_TIME: Final = "time"
OUT_OF_MEMORY: Final = "memory"
log = structlog.get_logger("service.proof.judgement")


def judging_capacity(settings: Settings) -> Capacity:
    """Returns how many uploads the service verifies at once."""
    return Capacity(Message("verifications"), AT_ONCE, WAITING, PATIENCE, settings.verify_seconds)


class Judge:
    """Verifies uploads under the policy of this service. A client that does not trust it verifies at home."""

    def __init__(self, settings: Settings, pool: ConnectionPool, gate: SharedGate) -> None:
        self._settings = settings
        self._pool = pool
        self._gate = gate

    def report(self, data: bytes, language: str) -> JsonObject:
        """Returns the report on a bundle or an archive.

        Raises TooMuchToVerify for a large archive, ServiceBusy when too many wait, VerificationStopped when it takes
        too long.
        """
        if data.startswith(MAGIC) and (size := unpacked_size(data)) > LARGEST_HERE:
            raise TooMuchToVerify(size, LARGEST_HERE)
        with self._gate.passed():
            return self._judged(data, language)

    def _judged(self, data: bytes, language: str) -> JsonObject:
        policy = own_policy(self._pool, self._settings)
        asked = {
            "size": len(data),
            "seconds": self._settings.verify_seconds,
            "policy": None if policy is None else policy.decode(),
            "language": language,
        }
        with subprocess.Popen(
            (sys.executable, "-m", "service.proof.judge_process"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=_environment(),
        ) as process:
            alarm = threading.Timer(self._settings.verify_seconds, process.kill)
            alarm.start()
            try:
                return self._report_of(process, json.dumps(asked).encode() + b"\n" + data)
            finally:
                alarm.cancel()
                process.kill()

    def _report_of(self, process: "subprocess.Popen[bytes]", upload: bytes) -> JsonObject:
        """Returns the report of the process; answers its question. Raises VerificationStopped."""
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(upload)
            process.stdin.flush()
            line = self._line(process)
            if ASKS in line:
                known = self._editions_here(UUID(line[ASKS]["stream"]), line[ASKS]["hashes"])
                process.stdin.write(f"{known}\n".encode())
                process.stdin.flush()
                line = self._line(process)
        except BrokenPipeError as ended:
            raise self._stopped(process) from ended
        report: JsonObject = line[REPORT]
        return report

    def _line(self, process: "subprocess.Popen[bytes]") -> dict[str, Any]:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line.endswith(b"\n"):
            raise self._stopped(process)
        read: dict[str, Any] = json.loads(line)
        return read

    def _stopped(self, process: "subprocess.Popen[bytes]") -> VerificationStopped:
        """Returns the refusal for a process that ended without a report."""
        assert process.stdin is not None
        assert process.stderr is not None
        with suppress(BrokenPipeError):
            process.stdin.close()
        said = process.stderr.read().decode(errors="replace")
        if (status := process.wait()) >= 0 and "MemoryError" not in said:
            log.error("a verification failed", status=status, said=said[-2_000:])
            raise RuntimeError("a verification failed")
        return VerificationStopped(OUT_OF_MEMORY if status >= 0 else OUT_OF_TIME, self._settings.verify_seconds)

    def _editions_here(self, tournament: UUID, hashes: Sequence[str]) -> int:
        """Returns the number of issued editions of a tournament's archive; 0 for that of another service."""
        with self._pool.connection() as connection:
            own: tuple[Event, ...] = tuple(read(connection, tournament))
        if len(own) < len(hashes) or any(one.hash.hex() != its for one, its in zip(own, hashes, strict=False)):
            return 0
        return editions(event.kind for event in own)


def own_policy(pool: ConnectionPool, settings: Settings) -> bytes | None:
    """Returns the policy that this service publishes; None before the first publication."""
    with pool.connection() as connection:
        origin = origin_of(connection, settings)
    return files_of(settings, origin).read("policy")


def _environment() -> Mapping[str, str]:
    """Returns the environment of the process, without the secrets of this one."""
    return {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
