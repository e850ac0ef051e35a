"""The bots of the house: called after the commit, they play on by themselves."""

from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from service.announce import BOTS
from tests.service.people import somebody
from workers import jobs


@pytest.fixture
def _worker_env(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    jobs.world.cache_clear()


@pytest.mark.usefixtures("_worker_env")
def test_bots_alone_play_a_game_to_its_end(app: Flask, client: FlaskClient) -> None:
    game = somebody(client).create("bot:random", "bot:random")
    world = app.extensions["cabildo"]
    assert world.announcer.told(5)
    queue = Queue(BOTS, connection=world.stores.redis, serializer=JSONSerializer)
    worker = SimpleWorker([queue], connection=world.stores.redis, serializer=JSONSerializer)
    worker.work(burst=True)
    table = world.shelf.take(UUID(game["id"]))
    assert table.known.status == "finished"
