"""Bots are called by a doorbell that may fail: truth is in PostgreSQL, and a sweep rings again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import UUID

import pytest
import redis
from flask import Flask
from freezegun import freeze_time
from rq import Queue
from rq.job import Job
from rq.serializers import JSONSerializer

from deploy.local.stores import EmbeddedRedis
from events.store.connections import connect
from service import settings
from service.core.announce import Announcement
from service.core.bot_turns import BotTurn
from service.core.queues import BOT_GAMES, BOTS
from service.live.wake_channels import channel_of
from tests.conftest import running as serving
from tests.service.conftest import opened_app
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import Person, answer
from workers import jobs
from workers.keeper.clocks import CallBots
from workers.keeper.duty_context import KeeperContext

NOON = "2026-11-18 12:00:00"


@contextmanager
def full(client: "redis.Redis") -> Iterator[None]:
    """A Redis that answers, but keeps nothing new."""
    client.config_set("maxmemory", 1)
    try:
        yield
    finally:
        client.config_set("maxmemory", 0)


@pytest.fixture
def away(environ: dict[str, str], server_directory: Path) -> tuple[dict[str, str], EmbeddedRedis]:
    """The settings of a service whose Redis does not run, and that Redis."""
    server = EmbeddedRedis(server_directory / "doorbell")
    return {**environ, "REDIS_URL": server.url()}, server


def test_a_full_redis_refuses_no_request_and_silences_no_process(
    away: tuple[dict[str, str], EmbeddedRedis], server_directory: Path
) -> None:
    environ, server = away
    with serving(server.prepare(), server_directory), opened_app(environ) as app:
        container, anna = app.extensions["cabildo"], Person(app.test_client(), "Anna")
        with full(container.stores.redis):
            anna.create("bot:random", "bot:random")
            assert container.announcer.flush(PATIENCE)
        called = anna.create("bot:random", "bot:random")
        assert container.announcer.flush(PATIENCE)
        assert len(Queue(BOT_GAMES, connection=container.stores.redis, serializer=JSONSerializer).job_ids) == 1
        assert container.announcer.waiting_turns(BOT_GAMES).take() == (UUID(called["id"]), called["version"])


def test_moves_are_accepted_without_redis_and_bots_called_later(
    away: tuple[dict[str, str], EmbeddedRedis], server_directory: Path
) -> None:
    environ, server = away
    with opened_app(environ) as app:
        container, calling = app.extensions["cabildo"], CallBots(KeeperContext(settings.load(environ), environ))
        anna = Person(app.test_client(), "Anna")
        game = anna.create("me", "bot:random", start_player=0)["id"]
        made = anna.move(game, "play create_2")
        assert made["turn"]["seat"] == 1
        with freeze_time() as clock, connect(environ["DATABASE_URL"]) as connection:
            clock.tick(6)
            calling(connection)  # no subscriber
            with serving(server.prepare(), server_directory):
                calling(connection)
                queue = Queue(BOTS, connection=container.stores.redis, serializer=JSONSerializer)
                assert len(queue.job_ids) == 1
                calling(connection)
                assert len(queue.job_ids) == 1
                assert container.announcer.waiting_turns(BOTS).take() == (UUID(game), made["version"])
                assert jobs.play_on(container, UUID(game), made["version"]) is not None
        assert answer(anna.ask("GET", f"/v1/games/{game}"), 200)["turn"]["seat"] == 0


def test_calls_of_one_turn_bring_one_job_with_a_deadline(app: Flask) -> None:
    container = app.extensions["cabildo"]
    client, announcer = container.stores.redis, container.announcer
    game = UUID(int=7)
    for _ in range(2):
        announcer.call_bot(BotTurn(game, 12, "Anna", alone=False))
    (id,) = Queue(BOTS, connection=client, serializer=JSONSerializer).job_ids
    job = Job.fetch(id, connection=client, serializer=JSONSerializer)
    assert (job.func_name, job.args) == ("workers.jobs.take_turns", [BOTS])
    assert job.timeout is not None
    assert int(job.timeout) <= 60
    waiting = announcer.waiting_turns(BOTS)
    assert (waiting.take(), waiting.take()) == ((game, 12), None)


def test_unexpected_error_does_not_end_the_announcing_thread(app: Flask) -> None:
    container = app.extensions["cabildo"]
    unsendable = Announcement(("\ud800",))
    container.announcer.announce(unsendable)
    assert container.announcer.flush(PATIENCE)
    with container.stores.redis.pubsub() as heard:
        heard.subscribe(channel_of("later"))
        assert heard.get_message(timeout=PATIENCE) is not None
        container.announcer.announce(Announcement(("later",)))
        assert eventually(lambda: (heard.get_message(timeout=1) or {}).get("type") == "message")
