"""`cabildo up` with real processes: starts, keeps data, recovers, refuses with a reason, stops cleanly."""

import base64
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import psycopg
import pytest
from click.testing import CliRunner

from deploy.cli import main
from deploy.errors import TooOld
from deploy.local import versions
from deploy.local.data_folder import DataFolder
from tests.support.process_memory import remembers
from tests.support.running_program import PATIENCE, Up, eventually, readiness, up

PROGRAMS = ("postgresql", "redis", "fork server", "web", "keeper", "worker bots 1")


def an_ordinary_user() -> list[str]:
    """Returns the command prefix that drops root's rights."""
    if os.geteuid() != 0:
        return []
    ways = (
        ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"],
        ["unshare", "--user", "--map-user=1000", "--map-group=1000"],  # where Python lies in root's own directory
    )
    is_this_python = f"import sys; sys.exit(sys.version != {sys.version!r})"
    for way in ways:
        if not subprocess.run([*way, sys.executable, "-c", is_this_python], capture_output=True).returncode:
            return way
    raise AssertionError("root can neither become an ordinary user nor make a user namespace here")


@pytest.fixture(scope="module")
def service(module_directory: Path) -> Iterator[tuple[Up, str]]:
    """A service of an ordinary user that several tests look at, and its address."""
    home = module_directory / "home"
    home.mkdir()
    home.chmod(0o777)
    with up(home / "shared", before=an_ordinary_user(), environ={"HOME": str(home)}) as running:
        yield running, running.ready()


def remembered(place: DataFolder) -> list[str]:
    """Returns the rows that earlier runs wrote."""
    with psycopg.connect(place.postgresql.url(), autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (what text)")
        rows = connection.execute("SELECT what FROM kept").fetchall()
        connection.execute("INSERT INTO kept VALUES ('acknowledged')")
    return [row[0] for row in rows]


def test_a_second_run_keeps_data_and_secrets_after_a_kill(server_directory: Path) -> None:
    place = DataFolder(server_directory / "twice")
    key = place.data_dir / "secrets" / "master_key.base64"
    with up(place.data_dir) as first:
        url = first.ready()
        assert remembered(place) == []
        secret = key.read_bytes()
        children = [first.process(name) for name in ("postgresql", "redis", "web", "keeper", "worker bots 1")]
        assert first.end(signal.SIGKILL) == -signal.SIGKILL
        assert all(psutil.pid_exists(child) for child in children)

    port = url.rsplit(":", 1)[1]
    second = Up(place.data_dir, "--port", port)  # the killed run's web server still holds it
    try:
        assert second.ready() == url
        assert "stopped web, left over from a killed run" in second.said
        assert remembered(place) == ["acknowledged"]
        assert key.read_bytes() == secret
        assert key.stat().st_mode & 0o777 == 0o600
        assert not [child for child in children if psutil.pid_exists(child)]
    finally:
        assert second.end(signal.SIGINT) == 0
    assert second.said.endswith("stopped\n")
    assert not (place.data_dir / "processes.json").exists()

    with up(place.data_dir, "--stores-only") as third:
        third.wait_for("only the stores run here")
        assert json.loads((place.data_dir / "processes.json").read_text()).keys() == {"postgresql", "redis"}
        assert remembered(place) == ["acknowledged", "acknowledged"]


def test_the_metrics_are_where_up_says_and_nowhere_else(service: tuple[Up, str]) -> None:
    running, url = service
    metrics = running.wait_for(r"metrics +(http://127\.0\.0\.1:\d+/metrics)\s")[1]
    assert not metrics.startswith(f"{url}/")
    assert "cabildo_store_up" in httpx.get(metrics, timeout=PATIENCE).text
    assert httpx.get(f"{url}/metrics", timeout=PATIENCE).status_code == 404


def test_only_the_keeper_is_told_where_the_log_signing_key_is(service: tuple[Up, str]) -> None:
    running, _ = service
    where = str(running.data_dir / "secrets" / "log_key.base64")
    told = [name for name in PROGRAMS if remembers(running.process(name), where)]
    assert told == ["keeper"]


def test_the_public_log_is_named_after_the_address_that_serves_it(service: tuple[Up, str]) -> None:
    _, url = service
    assert eventually(lambda: httpx.get(f"{url}/log/checkpoint", timeout=PATIENCE).status_code == 200)
    assert httpx.get(f"{url}/log/checkpoint", timeout=PATIENCE).text.startswith(
        f"{url.removeprefix('http://')}/log\n0\n"
    )


def refused(data_dir: Path, *options: str) -> str:
    """Returns the message of `cabildo up` when it refuses to start."""
    result = CliRunner().invoke(main, ["--data-dir", str(data_dir), "up", *options])
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    return result.output


def test_a_second_copy_on_the_same_directory_is_refused(service: tuple[Up, str]) -> None:
    running, _ = service
    assert f"{running.data_dir} is in use by process" in refused(running.data_dir)


def test_a_taken_port_is_named_before_anything_starts(server_directory: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = refused(server_directory / "port", "--port", port)
    assert f"cannot listen on 127.0.0.1 port {port}" in said
    assert "--port" in said


def test_a_directory_that_cannot_be_written_is_named() -> None:
    assert "/dev/null/cabildo cannot be written" in refused(Path("/dev/null/cabildo"))


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_killed_process_is_started_again_and_said_so(service: tuple[Up, str], program: str) -> None:
    running, url = service
    before = running.process(program)
    os.kill(before, signal.SIGKILL)
    running.wait_for(rf"{program} was killed by SIGKILL; starting it again in 1 s")
    running.wait_for(rf"{program} runs again")
    assert running.process(program) != before
    assert eventually(lambda: readiness(url).get("status") == "ready")


def test_a_directory_of_somebody_else_is_refused_by_name(server_directory: Path) -> None:
    way, closed = an_ordinary_user(), server_directory / "closed"
    closed.mkdir(mode=0o500)
    with up(closed / "data", before=way) as other:
        assert other.exit_code() == 1
    assert f"{closed / 'data'} cannot be written" in other.said


def test_named_servers_want_their_secrets_named_too(
    database: str, redis_url: str, server_directory: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("REDIS_URL", redis_url)
    said = refused(server_directory / "external")
    assert "set one of CABILDO_MASTER_KEY and CABILDO_MASTER_KEY_FILE" in said
    assert "set one of CABILDO_LOG_KEY and CABILDO_LOG_KEY_FILE" in said


def test_named_servers_are_used_by_a_login_that_has_no_other_right(
    database: str, redis_url: str, server_directory: Path
) -> None:
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute("CREATE ROLE web_login LOGIN IN ROLE cabildo_service")
    key = base64.b64encode(bytes(32)).decode()
    named = {
        "DATABASE_URL": database.replace("postgres@", "web_login@"),
        "REDIS_URL": redis_url,
        "CABILDO_MASTER_KEY": key,
        "CABILDO_LOG_KEY": key,
    }
    with up(server_directory / "external", environ=named) as running:
        assert readiness(running.ready())["status"] == "ready"
        assert not (running.data_dir / "postgresql").exists()
        assert not (running.data_dir / "secrets").exists()


def test_a_server_that_is_too_old_is_refused(database: str, redis_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "OLDEST_POSTGRESQL", 99)
    monkeypatch.setattr(versions, "OLDEST_REDIS", 99)
    with pytest.raises(TooOld, match=r"PostgreSQL is 18\.\d+, but 99 or newer is needed"):
        versions.postgresql_version(database)
    with pytest.raises(TooOld, match="Redis is 6"):
        versions.redis_version(redis_url)
