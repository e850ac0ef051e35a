"""Workers that run on demand: started when there is work, ended when there was none for a while."""

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import psycopg
import pytest
import redis

from deploy.local import supervisor as supervising
from deploy.local.on_demand import Demand
from deploy.local.processes import ServerProgram
from deploy.local.supervisor import Supervisor
from service import settings
from service.core.queues import ANALYSES, BOT_GAMES, WEBHOOKS
from service.webhooks.slots import has_work
from tests.service.conftest import variables
from tests.support.running_program import eventually

ID = UUID(int=1)


class Watched:
    """A supervisor with one program on demand, and what it said."""

    def __init__(self, directory: Path) -> None:
        self.said: list[str] = []
        self.is_wanted = False
        self._record = directory / "processes.json"
        self._log = directory / "log"
        self.supervisor = Supervisor(self._record, self.said.append)

    def program(self) -> ServerProgram:
        """Returns a program that runs until it is stopped."""
        return ServerProgram("helper", ("sleep", "600"), self._log, lambda: True)

    def recorded(self) -> str:
        """Returns the record of running programs."""
        return self._record.read_text() if self._record.exists() else ""


@contextmanager
def watched(directory: Path) -> Iterator[Watched]:
    """Lets a supervisor watch in a thread."""
    found = Watched(directory)
    found.supervisor.start([], [(found.program, lambda: found.is_wanted)])
    thread = threading.Thread(target=found.supervisor.watch)
    thread.start()
    try:
        yield found
    finally:
        found.supervisor.stopping.set()
        thread.join()
        found.supervisor.stop()


def pid_in(said: str) -> int:
    """Returns the number of the process in a sentence."""
    return int(said.rpartition("(process ")[2].rstrip(")"))


def test_a_program_runs_while_it_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervising, "IDLE_AFTER", 0.3)
    with watched(tmp_path) as found:
        assert found.said == []
        found.is_wanted = True
        assert eventually(lambda: "helper" in found.recorded())
        assert found.said[0].startswith("helper has work to do (process ")
        found.is_wanted = False
        assert eventually(lambda: "helper" not in found.recorded())
        assert found.said[1:] == ["helper has nothing to do and is ended"]
        found.is_wanted = True
        assert eventually(lambda: len(found.said) == 3)
        assert found.said[2].startswith("helper has work to do")


def test_one_that_is_killed_is_started_again(tmp_path: Path) -> None:
    with watched(tmp_path) as found:
        found.is_wanted = True
        assert eventually(lambda: bool(found.said))
        os.kill(pid_in(found.said[0]), signal.SIGKILL)
        assert eventually(lambda: len(found.said) == 3)
    assert found.said[1] == "helper was killed by SIGKILL; starting it again in 1 s"
    assert found.said[2].startswith("helper runs again (process ")


def test_jobs_that_wait_or_run_want_a_worker_each(database: str, redis_url: str, tmp_path: Path) -> None:
    demand = Demand(settings.load(variables(database, redis_url, tmp_path)))

    def wanted() -> dict[str, int]:
        return {queue: sum(demand.is_wanted(queue, number) for number in (1, 2, 3)) for queue in (ANALYSES, BOT_GAMES)}

    with redis.Redis.from_url(redis_url) as client, demand.watched():
        client.rpush(f"rq:queue:{ANALYSES}", "waits")
        client.zadd(f"rq:wip:{ANALYSES}", {"runs": 1})
        assert eventually(lambda: wanted() == {ANALYSES: 2, BOT_GAMES: 0})
        client.delete(f"rq:queue:{ANALYSES}", f"rq:wip:{ANALYSES}")
        client.rpush(f"rq:queue:{BOT_GAMES}", "waits")
        assert eventually(lambda: wanted() == {ANALYSES: 0, BOT_GAMES: 1})
        assert not demand.is_wanted(WEBHOOKS, 1)


def test_a_webhook_wants_a_worker_when_it_is_due_and_while_it_is_called(database: str) -> None:
    with psycopg.connect(database, autocommit=True) as connection:
        assert not has_work(connection, 10)
        connection.execute("INSERT INTO players (id, created) VALUES (%s, 1)", (ID,))
        connection.execute(
            "INSERT INTO webhooks (id, player, url, secret, told, created, due) VALUES (%s, %s, 'x', '', 0, 1, 11)",
            (ID, ID),
        )
        assert [has_work(connection, now) for now in (10, 11)] == [False, True]
        connection.execute("UPDATE webhooks SET due = NULL")
        connection.execute("INSERT INTO webhook_slots VALUES (%s, %s, %s, 20, false)", (ID, ID, ID))
        assert [has_work(connection, now) for now in (19, 20)] == [True, False]
