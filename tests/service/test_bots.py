"""The bots of the house: called after the commit, they play on by themselves."""

from uuid import UUID

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from deploy.cli import main
from service.announce import BOTS
from tests.service.people import somebody
from workers import jobs


@pytest.fixture
def _worker_env(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    jobs.world.cache_clear()


def work_all(app: Flask) -> None:
    """Do what waits in the queue."""
    world = app.extensions["cabildo"]
    assert world.announcer.told(5)
    queue = Queue(BOTS, connection=world.stores.redis, serializer=JSONSerializer)
    SimpleWorker([queue], connection=world.stores.redis, serializer=JSONSerializer).work(burst=True)


@pytest.mark.usefixtures("_worker_env")
def test_bots_alone_play_a_game_to_its_end(app: Flask, client: FlaskClient) -> None:
    game = somebody(client).create("bot:random", "bot:random")
    world = app.extensions["cabildo"]
    work_all(app)
    table = world.shelf.take(UUID(game["id"]))
    assert table.known.status == "finished"


@pytest.mark.usefixtures("_worker_env")
def test_a_bots_move_says_what_it_was_decided_with_and_is_repeated(
    app: Flask, client: FlaskClient, environ: dict[str, str]
) -> None:
    game = somebody(client).create("bot:greedy", "bot:search", "bot:random")["id"]
    work_all(app)
    moves = [event for event in app.extensions["cabildo"].shelf.book.read(UUID(game), 0) if event.kind == "moved"]
    levels = {str(event.data["bot"]["level"]) for event in moves}
    assert levels == {"greedy", "search", "random"}
    for level in levels:
        (seq, *_) = [event.seq for event in moves if event.data["bot"]["level"] == level]
        told = CliRunner().invoke(main, ["bot", "explain", game, str(seq)], env=environ)
        assert (told.exit_code, f"{level} of version" in told.output) == (0, True), told.output


@pytest.mark.usefixtures("_worker_env")
def test_a_turn_that_is_over_or_called_twice_does_nothing(app: Flask, client: FlaskClient) -> None:
    game = somebody(client).create("bot:greedy", "bot:greedy")["id"]
    work_all(app)
    book = app.extensions["cabildo"].shelf.book
    head = book.head(UUID(game))
    jobs.take_turn(game, 2)
    jobs.take_turn(game, head.seq)
    assert book.head(UUID(game)) == head


@pytest.mark.usefixtures("_worker_env")
def test_a_poisoned_job_fails_where_one_can_see_it_and_stops_no_queue(app: Flask, client: FlaskClient) -> None:
    world = app.extensions["cabildo"]
    queue = Queue(BOTS, connection=world.stores.redis, serializer=JSONSerializer)
    queue.enqueue("workers.jobs.take_turn", "not a game", 1)
    game = somebody(client).create("bot:random", "bot:random")["id"]
    work_all(app)
    assert world.shelf.take(UUID(game)).known.status == "finished"
    assert 'cabildo_queue_failed_jobs{queue="bots"} 1.0' in client.get("/metrics").text
