"""Waiting turns of bots: the makers of games are served in turn, and games of bots alone have a queue of their own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from uuid import UUID

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from projections.games.record import GameRecord
from service.core.bot_turns import BotTurn
from service.core.queues import BOT_GAMES, BOTS, failed_jobs, waiting_jobs
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.browser_players import working
from tests.support.service.players import Person, answer
from workers import jobs

MANY = 30
SEARCHING = ["bot:search"] * 4


@pytest.fixture
def _worker_env(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    jobs.container.cache_clear()
    yield
    jobs.container().close()
    jobs.container.cache_clear()


@contextmanager
def all_workers(environ: dict[str, str]) -> Iterator[None]:
    """Runs a worker process for each queue of bots."""
    with ExitStack() as stack:
        for queue in (BOTS, BOT_GAMES):
            stack.enter_context(working(environ, queue))
        yield


def record_reader(app: Flask) -> Callable[[str], GameRecord]:
    """Returns a function that reads the newest record of a game."""
    return lambda game: app.extensions["cabildo"].games.load(UUID(game)).known


def test_makers_are_served_in_turn_with_their_oldest_turn_first(app: Flask) -> None:
    announcer = app.extensions["cabildo"].announcer
    waiting = [("Anna", 1), ("Anna", 2), ("Anna", 3), ("Birgir", 4), ("Cecilia", 5), ("Cecilia", 6), ("Anna", 1)]
    for maker, game in waiting:
        announcer.call_bot(BotTurn(UUID(int=game), 7, maker, alone=True))
    turns = announcer.waiting_turns(BOT_GAMES)
    taken = [turns.take() for _ in range(7)]
    assert taken == [*((UUID(int=game), 7) for game in (1, 4, 5, 2, 6, 3)), None]
    assert turns.makers() == 0


@pytest.mark.usefixtures("_worker_env")
def test_a_maker_of_many_games_delays_another_by_one_turn(app: Flask, client: FlaskClient) -> None:
    container, anna, birgir = app.extensions["cabildo"], Person(client, "Anna"), Person(client, "Birgir")
    bot = anna.post("/v1/bots", {"name": "Annabot", "engine": "own 1"})["token"]
    hers = []
    for number in range(MANY):  # games of an account and of its bot count together
        body = {"game": "spice_road", "seats": [*SEARCHING, "me"], "start_player": 0}
        token = anna.token if number % 2 else bot
        hers.append(
            answer(client.post("/v1/games", json=body, headers={"Authorization": f"Bearer {token}"}), 201)["id"]
        )
    his = birgir.create("me", "bot:greedy", start_player=1)["id"]
    assert container.announcer.flush(PATIENCE)
    assert container.announcer.waiting_turns(BOTS).makers() == 2
    run_jobs(app, BOTS, 1)
    at = first_move(app, his)
    assert at is not None
    assert sum(1 for game in hers if (first_move(app, game) or at) < at) == 1


def test_one_called_job_serves_all_waiting_turns(app: Flask) -> None:
    announcer, client = app.extensions["cabildo"].announcer, app.extensions["cabildo"].stores.redis
    for number in range(MANY):
        announcer.call_bot(BotTurn(UUID(int=number), 7, "Anna", alone=True))
    assert waiting_jobs(client)[BOT_GAMES] == 1
    announcer.waiting_turns(BOT_GAMES).begin_job()  # a worker has it: an idle one gets the next
    announcer.call_bot(BotTurn(UUID(int=MANY), 7, "Anna", alone=True))
    assert waiting_jobs(client)[BOT_GAMES] == 2


@pytest.mark.usefixtures("_worker_env")
def test_turns_behind_a_turn_that_fails_are_played(app: Flask, client: FlaskClient) -> None:
    container, host = app.extensions["cabildo"], Person(client, "Anna")
    container.announcer.call_bot(BotTurn(UUID(int=1), 7, "Birgir", alone=True))  # no such game
    game = host.create("bot:random", "bot:random")["id"]
    assert container.announcer.flush(PATIENCE)
    run_jobs(app, BOT_GAMES)
    assert record_reader(app)(game).status == "finished"
    assert failed_jobs(container.stores.redis)[BOT_GAMES] == 1


@pytest.mark.usefixtures("_worker_env")
def test_a_turn_that_the_store_does_not_take_is_played_later(
    app: Flask, client: FlaskClient, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "PAUSE_SECONDS", 0.0)
    game = Person(client, "Anna").create("bot:random", "bot:random")["id"]
    container = app.extensions["cabildo"]
    assert container.announcer.flush(PATIENCE)
    with psycopg.connect(database, autocommit=True) as admin:
        admin.execute(f"ALTER DATABASE {admin.info.dbname} SET default_transaction_read_only = on".encode())
        jobs.container().stores.pool.drain()
        try:
            run_jobs(app, BOT_GAMES, 3)
        finally:
            admin.execute("SET default_transaction_read_only = off")
            admin.execute(f"ALTER DATABASE {admin.info.dbname} RESET default_transaction_read_only".encode())
    assert record_reader(app)(game).status == "running"
    assert failed_jobs(container.stores.redis)[BOT_GAMES] == 0
    jobs.container().stores.pool.drain()
    run_jobs(app, BOT_GAMES)
    assert record_reader(app)(game).status == "finished"


def run_jobs(app: Flask, queue: str, most: int | None = None) -> None:
    """Runs the jobs of a queue in this process."""
    client = app.extensions["cabildo"].stores.redis
    waiting = Queue(queue, connection=client, serializer=JSONSerializer)
    SimpleWorker([waiting], connection=client, serializer=JSONSerializer).work(burst=True, max_jobs=most)


def first_move(app: Flask, game: str) -> int | None:
    """Returns the time of a game's first move."""
    events = app.extensions["cabildo"].games.store.read(UUID(game), 0)
    return next((event.at for event in events if event.kind == "moved"), None)


def test_thirty_games_of_bots_delay_no_bot_that_plays_with_a_player(
    app: Flask, client: FlaskClient, environ: dict[str, str]
) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    with all_workers(environ):
        body = {"game": "puerto_rico", "seats": [*SEARCHING, "bot:search"]}
        games = [anna.post("/v1/games", body)["id"] for _ in range(MANY)]
        assert eventually(lambda: app.extensions["cabildo"].games.load(UUID(games[0])).head.seq > 2)  # they play
        game = birgir.create("me", "bot:search", start_player=1)["id"]
        assert eventually(lambda: answer(birgir.ask("GET", f"/v1/games/{game}"), 200)["turn"]["seat"] == 1)
        # The thirty take minutes: the bot did not wait for them.
        assert all(record_reader(app)(one).status == "running" for one in games)


def test_a_game_moves_to_the_other_queue_when_its_last_player_leaves(app: Flask, client: FlaskClient) -> None:
    anna, container = Person(client, "Anna"), app.extensions["cabildo"]
    game = UUID(anna.create("me", "bot:random", "bot:random", start_player=1, leaver="bot:random")["id"])
    before = container.game_commands.bot_turn(container.games.load(game))
    anna.post(f"/v1/games/{game}/resign")
    after = container.game_commands.bot_turn(container.games.load(game))
    assert (before.queue, after.queue) == (BOTS, BOT_GAMES)
    assert before.maker == after.maker == anna.id
