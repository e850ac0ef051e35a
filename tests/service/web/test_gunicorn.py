"""The web server as it runs: polite stops, metrics over all its processes, no service from an unfit database."""

import base64
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import httpx
import psycopg
import pytest
import redis

from deploy.local.stores import EmbeddedRedis
from events.sealing.master_keys import MasterKeys, key_id
from events.sealing.vault import Vault
from service.core.queues import waiting_jobs
from service.core.sealing.sealed_columns import SEALED_SEEDS
from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT, eventually

SLOW = "tests.support.service.slow_app:create_slow_app()"


@contextmanager
def serving(
    environ: dict[str, str], app: str, log: Path, before: Sequence[str] = (), metrics: socket.socket | None = None
) -> Iterator[tuple["subprocess.Popen[bytes]", str]]:
    """Gunicorn with the service's configuration on a free port, started by a command that may come before."""
    with socket.create_server(("127.0.0.1", 0)) as listener, log.open("wb") as out:
        port = listener.getsockname()[1]
        sockets = [listener.fileno(), *(() if metrics is None else (metrics.fileno(),))]
        bound_to = [part for one in sockets for part in ("--bind", f"fd://{one}")]
        configured = ("-c", "python:service.gunicorn_conf", *bound_to)
        process = subprocess.Popen(
            bound([*before, sys.executable, "-m", "gunicorn", *configured, app]),
            cwd=PROJECT,
            env={**os.environ, "CABILDO_WORKERS": "2", **environ},
            pass_fds=sockets,
            stdout=out,
            stderr=out,
        )
    try:
        yield process, f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(PATIENCE)


@pytest.fixture(scope="module")
def shared(module_database: str, redis_server: EmbeddedRedis, module_directory: Path) -> Iterator[str]:
    """The address of a web server that answers."""
    environ = {
        "DATABASE_URL": module_database,
        "REDIS_URL": redis_server.url(),
        "CABILDO_REQUESTS_PER_MINUTE": "1000000",
        "CABILDO_LOGINS_PER_MINUTE": "1000000",
        "CABILDO_REGISTRATIONS_PER_HOUR": "1000000",
        "CABILDO_MASTER_KEY": base64.b64encode(bytes(32)).decode(),
    }
    with serving(environ, "service.app:create_app()", module_directory / "gunicorn.log") as (_, url):
        assert eventually(lambda: answers(url))
        yield url


def answers(url: str) -> bool:
    try:
        return httpx.get(f"{url}/healthz", timeout=PATIENCE).status_code == 200
    except httpx.TransportError:
        return False


def test_sigterm_lets_a_running_request_finish(environ: dict[str, str], tmp_path: Path) -> None:
    began = tmp_path / "began"
    with serving({**environ, "BEGAN": str(began), "TMPDIR": str(tmp_path)}, SLOW, tmp_path / "log") as (process, url):
        assert eventually(lambda: answers(url))
        with ThreadPoolExecutor() as threads:
            asked = threads.submit(httpx.get, f"{url}/slow", timeout=PATIENCE)
            assert eventually(began.exists)
            process.send_signal(signal.SIGTERM)
            assert asked.result().json() == {"status": "finished"}
        assert process.wait(PATIENCE) == 0
        assert not answers(url)
    assert not list(tmp_path.glob("cabildo-metrics-*"))


def test_a_process_that_ends_tells_what_is_still_to_be_told(environ: dict[str, str], tmp_path: Path) -> None:
    with serving(environ, "tests.support.service.slow_app:create_late_app()", tmp_path / "log") as (process, url):
        assert eventually(lambda: answers(url))
        token = httpx.post(f"{url}/v1/players", json={"name": "Anna"}, timeout=PATIENCE).json()["token"]
        game = {"game": "spice_road", "seats": ["bot:random", "me"], "start_player": 0}
        headers = {"Authorization": f"Bearer {token}"}
        assert httpx.post(f"{url}/v1/games", json=game, headers=headers, timeout=PATIENCE).status_code == 201
        process.terminate()
        assert process.wait(PATIENCE) == 0
    with redis.Redis.from_url(environ["REDIS_URL"]) as client:
        assert waiting_jobs(client)["bots"] == 1


def test_metrics_have_their_own_port_and_count_all_web_processes(environ: dict[str, str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        private = f"http://127.0.0.1:{listener.getsockname()[1]}"
        with serving(environ, "service.app:create_app()", tmp_path / "log", metrics=listener) as (_, url):
            assert eventually(lambda: answers(url))
            for _ in range(30):
                httpx.get(f"{url}/somewhere", timeout=PATIENCE)
            text = httpx.get(f"{private}/metrics", timeout=PATIENCE).text
            public = httpx.get(f"{url}/metrics", timeout=PATIENCE)
            other = [httpx.get(f"{private}{path}", timeout=PATIENCE).status_code for path in ("/", "/healthz")]
            written = httpx.post(f"{private}/metrics", timeout=PATIENCE).status_code
    assert public.status_code == 404
    assert "cabildo_requests" not in public.text
    assert (other, written) == ([404, 404], 405)
    counted = re.findall(r'cabildo_requests_total\{method="GET",route="unmatched",status="404"\} (\S+)', text)
    assert [float(count) for count in counted] == [30.0]


def test_a_database_without_its_schema_is_not_served(
    environ: dict[str, str], empty_database: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    with serving({**environ, "DATABASE_URL": empty_database}, "service.app:create_app()", log) as (process, _):
        assert process.wait(PATIENCE) != 0
    assert "SchemaMismatch" in log.read_text()


def test_a_database_under_another_master_key_is_not_served(environ: dict[str, str], tmp_path: Path) -> None:
    log, row = tmp_path / "log", UUID(int=1)
    sealed = Vault(MasterKeys(b"o" * 32)).seal(SEALED_SEEDS, row, bytes(32))
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as admin:
        admin.execute("INSERT INTO seeds (id, sealed) VALUES (%s, %s)", (row, sealed))
    with serving(environ, "service.app:create_app()", log) as (process, _):
        assert process.wait(PATIENCE) != 0
    assert f"MasterKeyMissing: seeds.sealed needs the master key {key_id(b'o' * 32)}" in log.read_text()


def test_a_database_without_its_guards_is_not_served(environ: dict[str, str], tmp_path: Path) -> None:
    log = tmp_path / "log"
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as admin:
        admin.execute("SET cabildo.altering_acts = 'on'")
        admin.execute("ALTER TABLE events DISABLE TRIGGER no_change")
    with serving(environ, "service.app:create_app()", log) as (process, _):
        assert process.wait(PATIENCE) != 0
    assert "GuardsMissing" in log.read_text()


@pytest.mark.parametrize(
    ("request_bytes", "status", "name"),
    [
        (b"what is this\r\n\r\n", 400, "bad_request"),
        (b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri_too_long"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nX-Big: " + b"a" * 9000 + b"\r\n\r\n", 431, "request_header_fields_too_large"),
        (b"GET / HTTP/1.1\r\nHost: x\r\nBad Name: x\r\n\r\n", 400, "bad_request"),
    ],
)
def test_what_never_reaches_the_application_is_refused_as_a_problem(
    shared: str, request_bytes: bytes, status: int, name: str
) -> None:
    host, port = shared.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
        connection.sendall(request_bytes)
        head, _, body = b"".join(iter(lambda: connection.recv(65536), b"")).partition(b"\r\n\r\n")
    told = json.loads(body)
    assert f"HTTP/1.1 {status} ".encode() in head
    assert b"application/problem+json" in head
    assert (told["status"], told["type"]) == (status, f"/problems#{name}")
