"""A running service with finished games to look at, sealed into a log of its own, for tests in a real browser."""

import base64
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import pytest
from flask import Flask
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from service import settings as config
from service.app import create_app
from service.core.queues import BOT_GAMES
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.players import Person
from workers import jobs
from workers.keeper.log import PublishLog, SealLog

BOT: Final = "bot:greedy"
LOG_KEY: Final = {"CABILDO_LOG_KEY": base64.b64encode(bytes(range(32))).decode()}
BOTH: Final = {"expansions": ["new_buildings", "nobles"]}
GAMES: Final[dict[str, dict[str, Any]]] = {  # games played before the tests
    "puerto_rico": {"game": "puerto_rico", "seats": [BOT] * 4},
    "spice_road": {"game": "spice_road", "seats": [BOT] * 3},
    "expansions": {"game": "puerto_rico", "seats": [BOT] * 3, "options": BOTH},
    "for_two": {"game": "puerto_rico", "seats": [BOT] * 2},
    "five": {"game": "puerto_rico", "seats": [BOT] * 5, "options": BOTH},
    "caravans": {"game": "spice_road", "seats": [BOT] * 5},
}


class House(NamedTuple):
    """A running service, and its games by name."""

    url: str
    app: Flask
    games: dict[str, str]
    environ: dict[str, str]

    def replay(self, name: str, version: int | None = None) -> str:
        """The address of a moment of a game."""
        return f"{self.url}/games/{self.games[name]}" + ("" if version is None else f"#{version}")


@contextmanager
def opened_house(database: str, redis_url: str, place: Path) -> Iterator[House]:
    """A house over stores of its own, until the tests are through."""
    environ = {
        "DATABASE_URL": database,
        "REDIS_URL": redis_url,
        "CABILDO_DATA_DIR": str(place),
        "CABILDO_REQUESTS_PER_MINUTE": "1000000",
        "CABILDO_LOGINS_PER_MINUTE": "1000000",
        "CABILDO_REGISTRATIONS_PER_HOUR": "1000000",
        "CABILDO_MASTER_KEY": base64.b64encode(bytes(32)).decode(),
    }
    app = create_app(config.load(environ))
    host = Person(app.test_client(), "Ísabella")
    games = {
        name: host.post("/v1/games", {**body, "chance": 0, "seed": "42" * 32})["id"] for name, body in GAMES.items()
    }
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environ.items():
            patch.setenv(name, value)
        _play_out(app, games.values())
    keep(environ)
    with serving(environ, "service.app:create_app()", place / "log") as (_, url):
        assert eventually(lambda: answers(url))
        yield House(url, app, games, environ)
    app.extensions["cabildo"].close()


def _play_out(app: Flask, games: Iterable[str]) -> None:
    """Let the bots play their games to the end."""
    container = app.extensions["cabildo"]
    jobs.container.cache_clear()
    assert container.announcer.flush(PATIENCE)
    queue = Queue(BOT_GAMES, connection=container.stores.redis, serializer=JSONSerializer)
    SimpleWorker([queue], connection=container.stores.redis, serializer=JSONSerializer).work(burst=True)
    assert {container.games.load(UUID(game)).known.status for game in games} == {"finished"}
    jobs.container().close()
    jobs.container.cache_clear()


def keep(environ: dict[str, str]) -> None:
    """Number all events, bring the read models level, seal the log and publish it, as a keeper does."""
    settings = config.load(environ)
    with connect(environ["DATABASE_URL"]) as connection:
        while sequence_once(connection):
            continue
        while advance_all(connection):
            continue
        SealLog(settings, environ | LOG_KEY)(connection)
        PublishLog(settings, environ | LOG_KEY)(connection)
