"""The embedded servers: private, durable, found again, and cleared away after a killed run."""

import os
import signal
from pathlib import Path

import psycopg
import redis

from deploy.local.identity import SystemUser, server_identity
from deploy.local.processes import Process, stop_leftovers, write_record
from deploy.local.stores import (
    LONGEST_SOCKET_NAME,
    SOCKET_PATH_LIMIT,
    EmbeddedPostgres,
    EmbeddedRedis,
    answers_sql,
    socket_directory,
)


def setting(url: str, name: str) -> str:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_setting(%s)", (name,)).fetchone()
    assert row is not None
    return str(row[0])


def test_postgresql_is_durable_and_listens_on_a_private_socket(server_directory: Path) -> None:
    server = EmbeddedPostgres(server_directory / "durable")
    process = Process(server.prepare())
    try:
        process.wait_ready()
        assert {name: setting(server.url(), name) for name in ("fsync", "synchronous_commit", "listen_addresses")} == {
            "fsync": "on",
            "synchronous_commit": "on",
            "listen_addresses": "",
        }
        assert setting(server.url(), "server_version").startswith("18.")
        assert server.sockets.stat().st_mode & 0o777 == 0o700
    finally:
        process.stop()


def test_a_database_is_fresh_for_every_test(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE mine ()")


def test_a_database_is_fresh_for_every_other_test_too(database: str) -> None:
    with psycopg.connect(database) as connection:
        connection.execute("CREATE TABLE mine ()")


def test_redis_never_evicts_and_has_what_the_queues_need(redis_url: str) -> None:
    with redis.Redis.from_url(redis_url, decode_responses=True) as client:
        assert client.config_get("maxmemory-policy") == {"maxmemory-policy": "noeviction"}
        client.rpush("from", "job")
        assert client.blmove("from", "to", 1) == "job"


def test_a_long_socket_path_moves_to_a_short_private_folder(server_directory: Path) -> None:
    deep = server_directory / ("d" * 60) / ("e" * 60)
    assert len(os.fsencode(socket_directory(deep) / LONGEST_SOCKET_NAME)) <= SOCKET_PATH_LIMIT
    assert socket_directory(deep) != socket_directory(deep / "other")
    server = EmbeddedRedis(deep)
    process = Process(server.prepare())
    try:
        process.wait_ready()
        assert server.socket.parent.stat().st_mode & 0o777 == 0o700
        assert server.socket.parent.stat().st_uid == server_identity(deep).uid
    finally:
        process.stop()
        server.socket.unlink(missing_ok=True)
        server.socket.parent.rmdir()


def test_a_killed_cluster_starts_when_another_process_has_its_pid(server_directory: Path) -> None:
    server = EmbeddedPostgres(server_directory / "killed")
    process = Process(server.prepare())
    process.wait_ready()
    os.kill(process.pid, signal.SIGKILL)
    process.stop()
    left = server.cluster / "postmaster.pid"
    left.write_text("\n".join([str(os.getpid()), *left.read_text().splitlines()[1:]]))

    again = Process(server.prepare())
    try:
        again.wait_ready()
        assert answers_sql(server.url())
    finally:
        again.stop()


def test_the_processes_of_a_killed_run_are_recognised_and_cleared_away(server_directory: Path) -> None:
    server, record = EmbeddedRedis(server_directory / "left"), server_directory / "left.json"
    process = Process(server.prepare())
    process.wait_ready()
    write_record(record, {"redis": process.pid})

    assert stop_leftovers(record) == ["redis"]
    assert process.exit_code() is not None
    assert stop_leftovers(record) == []


def test_a_process_number_given_to_somebody_else_is_left_alone(server_directory: Path) -> None:
    record = server_directory / "reused.json"
    record.write_text(f'{{"redis": [{os.getpid()}, 12345.0]}}')

    assert stop_leftovers(record) == []


def test_another_user_runs_an_installed_program_but_lists_no_folder(server_directory: Path) -> None:
    room = server_directory / "private"
    program, library = room / "package" / "bin" / "program", room / "package" / "lib.so"
    program.parent.mkdir(parents=True)
    program.touch(0o700)
    library.touch(0o600)
    for closed in (room, room / "package", program.parent):
        closed.chmod(0o700)
    somebody = SystemUser(os.geteuid() + 1, os.getegid())

    somebody.may_execute(room / "package")
    somebody.may_execute(room / "no such place")

    assert [path.stat().st_mode & 0o777 for path in (program, library, room)] == [0o755, 0o644, 0o701]
