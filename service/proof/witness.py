"""A small witness (C2SP tlog-witness): cosigns consistent checkpoints and stores each before it answers."""

import fcntl
import re
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Lock
from typing import Any

import structlog

from events.log.tile_files import TileFiles
from events.merkle.checkpoint import Checkpoint
from events.merkle.notes import MAX_NOTE, Note, SigningKey, VerifierKey
from events.merkle.witness import NOTHING_SEEN, WitnessedTree, WitnessRefusal, judge, origin_hash

ADD = "/add-checkpoint"
MONITORED = re.compile(r"/([0-9a-f]{64})/checkpoint", re.ASCII)
LARGEST_CALL = 2 * MAX_NOTE
PATIENCE = 10  # seconds for a client to send its request
log = structlog.get_logger("service.proof.witness")

Logs = Mapping[str, Sequence[VerifierKey]]


class Witness:
    """Keeps the newest cosigned checkpoint of each known log; processes may share its directory."""

    def __init__(
        self, directory: Path, key: SigningKey, logs: Logs, now: Callable[[], int] = lambda: int(time.time())
    ) -> None:
        self._files = TileFiles(directory)
        self._lock_path = directory / "lock"
        self._lock = Lock()
        self._key = key
        self._logs = logs
        self._now = now
        directory.mkdir(parents=True, exist_ok=True)

    def add_checkpoint(self, call: bytes) -> str:
        """Returns the cosignature line for a request after storing the checkpoint; raises WitnessRefusal."""
        with self._alone():
            accepted = judge(call, self._logs, self._seen)
            text = str(accepted.checkpoint)
            line = self._key.sign(text, self._now())
            note = Note(text, (*accepted.signatures, line))
            self._files.replace(_path(origin_hash(accepted.checkpoint.origin)), str(note).encode())
        log.info("cosigned", origin=accepted.checkpoint.origin, size=accepted.checkpoint.size)
        return line.line

    def newest(self, hashed_origin: str) -> bytes | None:
        """Returns the newest cosigned checkpoint of a log; None without one."""
        return self._files.read(_path(hashed_origin))

    def _seen(self, origin: str) -> WitnessedTree:
        data = self.newest(origin_hash(origin))
        if data is None:
            return NOTHING_SEEN
        checkpoint = Checkpoint.parse(Note.parse(data).text)
        return WitnessedTree(checkpoint.size, checkpoint.root)

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Locks out other threads and processes."""
        with self._lock, self._lock_path.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield


def _path(hashed_origin: str) -> str:
    return f"{hashed_origin}/checkpoint"


def serve(witness: Witness, host: str, port: int) -> ThreadingHTTPServer:
    """Returns a server of the witness's two calls that listens but does not serve yet."""

    class Handler(BaseHTTPRequestHandler):
        timeout = PATIENCE

        def do_POST(self) -> None:
            if self.path != ADD:
                self._answer(HTTPStatus.NOT_FOUND, "no such call\n")
                return
            length = self.headers.get("Content-Length", "")
            if not length.isascii() or not length.isdigit() or int(length) > LARGEST_CALL:
                self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "send a checkpoint of known, moderate length\n")
                return
            try:
                self._answer(HTTPStatus.OK, witness.add_checkpoint(self.rfile.read(int(length))))
            except WitnessRefusal as refusal:
                log.warning("refused", status=refusal.status, reason=refusal.reason)
                self._answer(refusal.status, refusal.body, refusal.content_type)

        def do_GET(self) -> None:
            found = MONITORED.fullmatch(self.path)
            newest = witness.newest(found[1]) if found else None
            if newest is None:
                self._answer(HTTPStatus.NOT_FOUND, "no such checkpoint\n")
            else:
                self._answer(HTTPStatus.OK, newest.decode())

        def _answer(self, status: int, body: str, content_type: str = "text/plain; charset=utf-8") -> None:
            data = body.encode()
            self.send_response(status)
            self.send_header("Content-Type", content_type)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *values: Any) -> None:
            log.debug("request", line=format % values)

    return ThreadingHTTPServer((host, port), Handler)
