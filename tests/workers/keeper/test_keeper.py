"""The keeper: duties done by one keeper at a time, through outages, seen by others, stopped cleanly."""

import base64
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import cast

import psycopg
import pytest
import redis
from psycopg import Connection

from events.chain import link
from events.errors import CabildoError
from events.event import START
from events.log import signing_gate
from events.log.leaves import log_size
from events.log.sequencer import MANY
from events.store import connections
from events.store.connections import connect, connect_to_lead
from events.store.postgres import write
from service import settings as config
from service.container import Container
from service.core.keeper_heartbeats import LOCK_NAME, live_keepers
from tests.support.events.filled_store import created, resigned, stream_of
from tests.support.running_program import PATIENCE, eventually
from workers.keeper.duties import DUTIES
from workers.keeper.duty_context import KeeperContext
from workers.keeper.keeper import LEAD, Duty, DutyStatus, Keeper, Work
from workers.keeper.log_duties import SequenceLog


@pytest.fixture
def settings(database: str, redis_url: str, tmp_path: Path) -> config.Settings:
    """The settings of a keeper."""
    return config.load(
        {
            "DATABASE_URL": database,
            "REDIS_URL": redis_url,
            "CABILDO_DATA_DIR": str(tmp_path),
            "CABILDO_MASTER_KEY": base64.b64encode(bytes(32)).decode(),
        }
    )


def duty(name: str, step: Work, *, led: bool = True) -> Duty:
    """A duty whose every step is a function."""

    def prepare(_office: KeeperContext) -> Work:
        return step

    return Duty(name, 0.01, prepare, led=led)


@contextmanager
def keeping(settings: config.Settings, name: str, *duties: Duty) -> Iterator[Keeper]:
    """A keeper that runs for a while."""
    keeper = Keeper(settings, {}, duties)
    thread = threading.Thread(target=keeper.run, args=(name,))
    thread.start()
    try:
        yield keeper
    finally:
        keeper.stopping.set()
        thread.join(PATIENCE)
        assert not thread.is_alive()


def backend(connection: Connection) -> int:
    return connection.info.backend_pid


def test_one_of_several_keepers_leads_a_duty_and_another_takes_over(settings: config.Settings) -> None:
    workers: list[int] = []

    def step(connection: Connection) -> bool:
        workers.append(backend(connection))
        return False

    with ExitStack() as first_runs:
        first = first_runs.enter_context(keeping(settings, "first", duty("tidy", step)))
        assert eventually(lambda: first.watches["tidy"].steps > 3)
        with keeping(settings, "second", duty("tidy", step)) as second:
            assert not eventually(lambda: second.watches["tidy"].leading, within=1.5)
            assert len(set(workers)) == 1
            first_runs.close()
            assert eventually(lambda: second.watches["tidy"].steps > 3)
    assert len(set(workers)) == 2


def test_a_leader_that_is_frozen_loses_the_lead(settings: config.Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LONGEST_IDLE", 1)

    def step(_connection: Connection) -> bool:
        return False

    with connect_to_lead(settings.database_url) as frozen:
        assert frozen.execute(LEAD, (LOCK_NAME, "tidy")).fetchone() == (True,)
        with keeping(settings, "second", duty("tidy", step)) as second:
            assert eventually(lambda: second.watches["tidy"].steps > 3)


def test_a_leader_whose_steps_ask_nothing_notices_a_lost_lock(
    settings: config.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.keeper.keeper.SIGN_OF_LIFE", 0.2)
    workers: list[int] = []

    def step(connection: Connection) -> bool:
        workers.append(backend(connection))
        return False

    with keeping(settings, "first", duty("tidy", step)):
        assert eventually(lambda: bool(workers))
        with psycopg.connect(settings.database_url, autocommit=True) as admin:
            admin.execute("SELECT pg_terminate_backend(%s, 60000)", (workers[0],))
        assert eventually(lambda: len(set(workers)) > 1)


def test_a_leader_with_a_long_pause_keeps_the_lead(settings: config.Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "LONGEST_IDLE", 3)
    monkeypatch.setattr("workers.keeper.keeper.SIGN_OF_LIFE", 0.2)
    workers: list[int] = []

    def step(connection: Connection) -> bool:
        workers.append(backend(connection))
        return False

    with keeping(settings, "first", Duty("tidy", 6.0, lambda _context: step)):
        assert eventually(lambda: len(workers) > 1)
    assert len(set(workers)) == 1


def test_a_duty_without_a_leader_is_done_by_all(settings: config.Settings) -> None:
    def step(_connection: Connection) -> bool:
        return False

    with (
        keeping(settings, "first", duty("watch", step, led=False)) as first,
        keeping(settings, "second", duty("watch", step, led=False)) as second,
    ):
        assert eventually(lambda: first.watches["watch"].steps > 3 and second.watches["watch"].steps > 3)


def test_a_lost_connection_is_made_anew(settings: config.Settings) -> None:
    seen: list[int] = []

    def step(connection: Connection) -> bool:
        connection.execute("SELECT 1")
        seen.append(backend(connection))
        return False

    with keeping(settings, "steady", duty("tidy", step)):
        assert eventually(lambda: bool(seen))
        with psycopg.connect(settings.database_url) as admin:
            admin.execute("SELECT pg_terminate_backend(%s)", (seen[0],))
        assert eventually(lambda: len(set(seen)) == 2)


LOST_WORKER = psycopg.errors.InternalError_("failure on connection marked as essential: 127.0.0.1:5432")


class Refused(CabildoError):
    """A duty cannot go on for a known reason."""


@pytest.mark.parametrize("reason", [Refused("not yet"), LOST_WORKER], ids=["refused", "worker of a cluster lost"])
def test_an_interrupted_step_is_told_and_tried_again(settings: config.Settings, reason: Exception) -> None:
    allowed = threading.Event()

    def step(_connection: Connection) -> bool:
        if not allowed.is_set():
            raise reason
        return False

    with keeping(settings, "patient", duty("tidy", step)) as keeper:
        assert eventually(lambda: keeper.watches["tidy"].fault == str(reason))
        allowed.set()
        assert eventually(lambda: keeper.watches["tidy"].steps > 1)
        assert keeper.watches["tidy"].fault == ""


def test_unexpected_error_of_a_duty_ends_neither_keeper_nor_duty(settings: config.Settings) -> None:
    failures: list[int] = []

    def fail(connection: Connection) -> bool:
        failures.append(backend(connection))
        raise ZeroDivisionError("unexpected")

    def step(_connection: Connection) -> bool:
        return False

    with keeping(settings, "whole", duty("broken", fail), duty("tidy", step)) as keeper:
        assert eventually(lambda: len(set(failures)) > 1)
        assert keeper.watches["broken"].fault == "ZeroDivisionError"
        steps = keeper.watches["tidy"].steps
        assert eventually(lambda: keeper.watches["tidy"].steps > steps)


def test_all_duties_act_in_one_world_that_the_keeper_closes(settings: config.Settings) -> None:
    seen: list[Container] = []

    def prepare(office: KeeperContext) -> Work:
        def step(_connection: Connection) -> bool:
            seen.append(office.container)
            return False

        return step

    with keeping(settings, "one", *(Duty(name, 0.01, prepare) for name in ("tidy", "sweep"))) as keeper:
        assert eventually(lambda: all(watch.steps for watch in keeper.watches.values()))
        (container,) = set(map(id, seen))
        assert not seen[0].stores.pool.closed
    assert container == id(seen[0])
    assert seen[0].stores.pool.closed


def test_others_see_that_a_keeper_lives_and_what_it_does(settings: config.Settings) -> None:
    def step(_connection: Connection) -> bool:
        return False

    with keeping(settings, "seen", duty("tidy", step)), redis.Redis.from_url(settings.redis_url) as client:
        assert eventually(lambda: "seen" in live_keepers(client))
        assert set(live_keepers(client)["seen"]["duties"]["tidy"]) == {
            "leading",
            "steps",
            "last",
            "since",
            "active",
            "fault",
        }


def test_failed_heartbeat_ends_no_keeper(settings: config.Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workers.keeper.keeper.EVERY", 0.05)

    def step(_connection: Connection) -> bool:
        return False

    with keeping(settings, "odd", duty("tidy", step)) as keeper, redis.Redis.from_url(settings.redis_url) as client:
        assert eventually(lambda: "odd" in live_keepers(client))
        keeper.watches["strange"] = DutyStatus(fault=cast(str, object()))  # no JSON
        client.flushdb()
        assert eventually(lambda: keeper.watches["tidy"].steps > 3)
        assert "odd" not in live_keepers(client)
        del keeper.watches["strange"]
        assert eventually(lambda: "odd" in live_keepers(client))


def test_a_keeper_works_on_while_redis_is_away(settings: config.Settings, tmp_path: Path) -> None:
    def step(_connection: Connection) -> bool:
        return False

    away = config.load(
        {
            "DATABASE_URL": settings.database_url,
            "REDIS_URL": f"unix://{tmp_path}/none.sock",
            "CABILDO_MASTER_KEY": base64.b64encode(bytes(32)).decode(),
        }
    )
    with keeping(away, "alone", duty("tidy", step)) as keeper:
        assert eventually(lambda: keeper.watches["tidy"].steps > 3)


def test_every_duty_has_a_name_of_its_own() -> None:
    assert len({duty.name for duty in DUTIES}) == len(DUTIES)


def test_many_events_are_numbered_in_fewer_and_larger_steps(
    settings: config.Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workers.keeper.log_duties.REST", 3600.0)
    with connect(settings.database_url) as connection:
        signing_gate.set_gate(connection, is_open=True, reason="a test")
        number = SequenceLog(KeeperContext(settings, {}))
        for stream, (count, numbered) in enumerate(((1, 1), (MANY, MANY + 1), (1, MANY + 1))):
            drafts = [created(), *[resigned()] * (count - 1)]
            write(connection, link(stream_of(stream), START, drafts), None, b"", ())
            assert not number(connection)
            assert log_size(connection) == numbered
