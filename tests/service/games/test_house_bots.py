"""The bots of the house: called after the commit, they play on by themselves."""

from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from deploy.cli import main
from events.json_types import JsonObject
from service.core.bot_turns import BotTurn
from service.core.queues import BOT_GAMES, BOTS, QUEUES
from tests.support.running_program import PATIENCE
from tests.support.service.players import somebody
from tests.support.service.scrape import scraped
from workers import jobs
from workers.bots.bot import Budget

STEPS: Final = 12
TABLES: Final[list[tuple[str, JsonObject]]] = [
    ("puerto_rico", {}),
    ("puerto_rico", {"expansions": ["new_buildings", "nobles"], "exp1_selection": "all", "forest_face": "owner_only"}),
    ("spice_road", {"hand_visibility": "owner_only"}),
]


@pytest.fixture
def _worker_env(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("CABILDO_SEARCH_STEPS", str(STEPS))
    jobs.container.cache_clear()
    yield
    jobs.container().close()
    jobs.container.cache_clear()


def work_all(app: Flask) -> None:
    """Runs the queued jobs."""
    container = app.extensions["cabildo"]
    assert container.announcer.flush(PATIENCE)
    client = container.stores.redis
    queues = [Queue(name, connection=client, serializer=JSONSerializer) for name in (BOTS, BOT_GAMES)]
    SimpleWorker(queues, connection=client, serializer=JSONSerializer).work(burst=True)


@pytest.mark.usefixtures("_worker_env")
def test_bots_alone_play_a_game_to_its_end(app: Flask, client: FlaskClient) -> None:
    game = somebody(client).create("bot:random", "bot:random")
    container = app.extensions["cabildo"]
    work_all(app)
    table = container.games.load(UUID(game["id"]))
    assert table.known.status == "finished"


@pytest.mark.usefixtures("_worker_env")
@pytest.mark.parametrize(("game", "options"), TABLES)
def test_a_bots_moves_say_what_they_were_decided_with_and_are_repeated(
    game: str, options: JsonObject, app: Flask, client: FlaskClient, environ: dict[str, str]
) -> None:
    id = alone(client, game, options)
    work_all(app)
    moves = made(app, id)
    steps = {move["bot"]["steps"] for move in moves.values() if move["bot"]["level"] == "search"}
    assert {STEPS} <= steps <= {0, STEPS}  # none where there is one move only
    for level in ("random", "greedy", "search"):
        own = [seq for seq, move in moves.items() if move["bot"]["level"] == level]
        for seq in (own[0], own[len(own) // 2]):
            assert f"{level} of version" in explained(environ, id, seq)


@pytest.mark.parametrize(("game", "options"), TABLES)
def test_a_search_that_time_ended_is_repeated_by_the_steps_it_made(
    game: str, options: JsonObject, app: Flask, client: FlaskClient, environ: dict[str, str]
) -> None:
    id = alone(client, game, options)
    container = app.extensions["cabildo"]
    jobs.play_on(container, UUID(id), container.games.load(UUID(id)).head.seq, Budget(5000, 0.01))
    searched = {seq: move["bot"] for seq, move in made(app, id).items() if move["bot"]["steps"]}
    assert all(bot["level"] == "search" and bot["steps"] < 5000 for bot in searched.values())
    assert len({bot["steps"] for bot in searched.values()}) > 1
    for seq in list(searched)[:3]:
        assert f"{searched[seq]['steps']} steps decides" in explained(environ, id, seq)


def alone(client: FlaskClient, game: str, options: JsonObject) -> str:
    """A game of one bot of each level, which has begun."""
    seats = [f"bot:{level}" for level in ("greedy", "search", "random")]
    return str(somebody(client).post("/v1/games", {"game": game, "seats": seats, "options": options})["id"])


def made(app: Flask, id: str) -> dict[int, Any]:
    """The moves of a game by their number."""
    events = app.extensions["cabildo"].games.store.read(UUID(id), 0)
    return {event.seq: event.data for event in events if event.kind == "moved"}


def explained(environ: dict[str, str], id: str, seq: int) -> str:
    """Returns the output of `cabildo bot explain` for a repeated move."""
    told = CliRunner().invoke(main, ["bot", "explain", id, str(seq)], env=environ)
    assert told.exit_code == 0, told.output
    return told.output


@pytest.mark.usefixtures("_worker_env")
def test_a_turn_that_is_over_or_called_twice_does_nothing(app: Flask, client: FlaskClient) -> None:
    game = somebody(client).create("bot:greedy", "bot:greedy")["id"]
    work_all(app)
    book = app.extensions["cabildo"].games.store
    head = book.head(UUID(game))
    announcer = app.extensions["cabildo"].announcer
    for version in (2, head.seq, head.seq):
        announcer.call_bot(BotTurn(UUID(game), version, "the maker", alone=True))
        jobs.take_turns(BOT_GAMES)
    assert book.head(UUID(game)) == head


@pytest.mark.usefixtures("_worker_env")
def test_a_poisoned_job_fails_where_one_can_see_it_and_stops_no_queue(app: Flask, client: FlaskClient) -> None:
    container = app.extensions["cabildo"]
    queue = Queue(BOTS, connection=container.stores.redis, serializer=JSONSerializer)
    queue.enqueue("workers.jobs.take_turns", "not a game", 1)
    game = somebody(client).create("bot:random", "bot:random")["id"]
    work_all(app)
    assert container.games.load(UUID(game)).known.status == "finished"
    told = scraped(client.application)
    assert 'cabildo_queue_failed_jobs{queue="bots"} 1.0' in told
    assert all(f'cabildo_queue_jobs{{queue="{name}"}} 0.0' in told for name in QUEUES)  # also where nothing ever waited
