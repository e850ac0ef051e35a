"""`cabildo`: commands that say how the service is, and refuse in a sentence."""

import json
import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import click
import psycopg
import pytest
from cabildo_client.errors import NoToken
from cabildo_client.tokens import token_from
from click.testing import CliRunner, Result

from deploy.cli import main
from deploy.commands.status import masked
from events.event import received
from events.log.sequencer import sequence_once
from events.store import migrations
from events.store.connections import connect, open_pool
from events.store.postgres import PostgresStore
from projections.read_models.registry import READ_MODELS, advance_all
from service import settings
from service.core.stuck_streams import put_off
from tests.support.events.examples import start_game


@pytest.fixture
def stores(monkeypatch: pytest.MonkeyPatch, database: str, redis_url: str) -> None:
    """The stores of this test as the command line finds them."""
    monkeypatch.setenv("DATABASE_URL", database)
    monkeypatch.setenv("REDIS_URL", redis_url)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, arguments)


def every_command(group: click.Group, *path: str) -> list[tuple[str, ...]]:
    """Returns the path of every command, also of those in groups."""
    found: list[tuple[str, ...]] = [path]
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command is not None
        inner = every_command(command, *path, name) if isinstance(command, click.Group) else [(*path, name)]
        found += inner
    return found


@pytest.mark.parametrize("path", every_command(main), ids=" ".join)
def test_every_command_explains_itself_and_its_options(path: tuple[str, ...]) -> None:
    command: click.Command = main
    for name in path:
        assert isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), name)
        assert inner is not None
        command = inner
    assert command.help
    assert [option.name for option in command.params if isinstance(option, click.Option) and not option.help] == []
    shown = run(*path, "--help")
    assert shown.exit_code == 0
    assert shown.output.startswith("Usage: ")


def status() -> dict[str, Any]:
    shown: dict[str, Any] = json.loads(run("status", "--json").output)
    return shown


def test_status_names_versions_stores_log_queues_and_keepers(stores: None) -> None:
    found = status()
    assert found["postgresql"]["version"].startswith("18.")
    assert found["redis"]["version"].startswith("6.")
    assert found["log"] == {"events": 0, "waiting_for_an_index": 0}
    assert {"queues", "keepers", "version"} <= found.keys()
    shown = run("status")
    assert shown.exit_code == 0, shown.output


def test_status_says_which_store_is_away_and_ends_with_1(stores: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REDIS_URL", "unix:///nowhere/redis.sock")
    shown = run("status", "--json")
    assert shown.exit_code == 1
    assert "cannot be reached" in json.loads(shown.output)["redis"]["fault"]


def test_status_says_what_the_database_lacks(
    stores: None, empty_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DATABASE_URL", empty_database)
    assert "migrations missing" in status()["postgresql"]["fault"]


def test_status_names_stuck_games_and_ends_with_1(stores: None, database: str) -> None:
    game = uuid4()
    with connect(database) as connection:
        for now in range(3):
            put_off(connection, "time", game, now, "there is no seed")
    (stuck,) = status()["stuck"]
    assert (stuck["duty"], stuck["stream"], stuck["failures"]) == ("time", str(game), 3)
    assert stuck["reason"] == "there is no seed"
    shown = run("status")
    assert shown.exit_code == 1
    assert "stuck in time" in shown.output


def test_blocked_tournaments_are_no_fault_of_the_service(stores: None, database: str) -> None:
    with connect(database) as connection:
        for now in range(9):
            put_off(connection, "tournaments", uuid4(), now, "players are missing")
    assert len(status()["stuck"]) == 9
    assert run("status").exit_code == 0


def test_status_leaves_no_trace_where_nothing_was(tmp_path: Path) -> None:
    shown = run("--data-dir", str(tmp_path / "none"), "status")
    assert shown.exit_code == 1
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("postgresql://me:secret@db.example/cabildo", "postgresql://***@db.example/cabildo"),
        (
            "postgresql://db.example/cabildo?user=me&password=secret",
            "postgresql://db.example/cabildo?user=me&password=***",
        ),
        ("redis://:secret@cache.example:6379/0", "redis://***@cache.example:6379/0"),
        ("unix:///run/redis.sock?db=0", "unix:///run/redis.sock?db=0"),
    ],
)
def test_addresses_are_shown_without_passwords(address: str, shown: str) -> None:
    assert masked(address) == shown


def test_migrate_runs_what_is_missing_once(stores: None, empty_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", empty_database)
    steps = len(migrations.migrations())
    assert f"{steps} migrations" in run("migrate", "--dry-run").output
    assert f"{steps} migrations" in run("migrate").output
    assert run("migrate").output == "nothing is missing\n"
    with psycopg.connect(empty_database) as connection:
        migrations.check_schema(connection)


def test_a_refusal_is_a_sentence_and_no_traceback(stores: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgresql:///none?host=/nowhere")
    refused = run("migrate")
    assert refused.exit_code == 1
    assert refused.output.startswith("Error: PostgreSQL (DATABASE_URL) cannot be reached")


def test_events_prints_a_game_as_lines_and_as_its_canonical_bytes(stores: None, database: str) -> None:
    with open_pool(database) as pool:
        stream, _ = start_game(PostgresStore(pool), moves=2)
    lines = run("events", str(stream)).output.splitlines()
    assert [line.split()[0] for line in lines] == ["1", "2", "3"]
    assert "game_created" in lines[0]
    assert "play 1" in lines[2]
    kept = run("events", str(stream), "--json", "--after", "1").output.encode().splitlines()
    assert [received(line).seq for line in kept] == [2, 3]


def test_events_of_an_unknown_game_are_none(stores: None) -> None:
    game = uuid4()
    refused = run("events", str(game))
    assert refused.exit_code == 1
    assert str(game) in refused.output


def test_settings_lists_every_variable() -> None:
    shown = run("settings").output
    assert [name for name, _, _ in settings.documented_settings() if name.split()[0] not in shown] == []


def test_the_tests_see_no_store_of_the_operator() -> None:
    assert not {"DATABASE_URL", "REDIS_URL"} & os.environ.keys()


def test_rebuild_compares_and_switches_and_status_tells_the_lag(stores: None, database: str) -> None:
    with open_pool(database) as pool:
        start_game(PostgresStore(pool), moves=3)
        with pool.connection() as connection:
            sequence_once(connection)
            while advance_all(connection):
                pass
    name = "streams"
    rebuilt = run("rebuild", name)
    assert rebuilt.exit_code == 0, rebuilt.output
    assert f"{name}: 4 entries" in rebuilt.output
    assert "the same as what was served" in rebuilt.output
    assert status()["read_models"][name]["behind"] == 0
    with psycopg.connect(database, autocommit=True) as administrator:
        administrator.execute("UPDATE projections SET version = 0 WHERE name = %s", (name,))
    older = run("status")
    assert older.exit_code == 1
    assert f"rows of version 0, and this is {READ_MODELS[name].version}: cabildo rebuild {name}" in " ".join(
        older.output.split()
    )
    every = run("rebuild").output
    assert all(f"{model}: 4 entries" in every for model in sorted(READ_MODELS)), every
    checks = {check["name"]: check["state"] for check in status()["checks"]}
    assert {state for check, state in checks.items() if check.startswith("read model")} == {"ok"}
    assert run("resume", name).output == f"{name} was not parked\n"


SECRETS = {"token", "password", "secret", "key", "seed", "code", "master_key", "log_key", "database_url", "redis_url"}


@pytest.mark.parametrize("path", every_command(main), ids=" ".join)
def test_no_command_takes_a_secret_on_its_command_line(path: tuple[str, ...]) -> None:
    """Every user of a machine can read the command lines of all; a secret comes from a file or the environment."""
    command: click.Command = main
    for name in path:
        assert isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), name)
        assert inner is not None
        command = inner
    assert {str(option.name) for option in command.params} & SECRETS == set()


def test_bot_run_reads_its_token_from_a_file_or_the_environment(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text(" cab_file\n")
    file.chmod(0o600)
    assert token_from(file, {"CABILDO_TOKEN": "cab_other"}) == "cab_file"
    assert token_from(None, {"CABILDO_TOKEN": "cab_other"}) == "cab_other"


def test_bot_run_refuses_a_token_file_that_others_can_read(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("cab_file")
    file.chmod(0o644)
    with pytest.raises(NoToken, match="chmod 600"):
        token_from(file, {})


def test_bot_run_refuses_in_words_without_a_token(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CABILDO_TOKEN", raising=False)
    (tmp_path / "token").write_text("\n")
    (tmp_path / "letter").write_text("dear all")
    for name in ("token", "letter"):
        (tmp_path / name).chmod(0o600)
    command = ("bot", "run", "--url", "http://127.0.0.1:1")
    for given, said in (((), "--token-file"), (("--token-file", str(tmp_path / "token")), "no token")):
        shown = run(*command, *given)
        assert (shown.exit_code, said in shown.output) == (2, True)
    assert "holds no token" in run(*command, "--token-file", str(tmp_path / "letter")).output
    assert "No such option" in run(*command, "--token", "cab_x").output
