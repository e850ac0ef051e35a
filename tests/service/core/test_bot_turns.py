"""Waiting turns of bots: the makers of games are served in turn, and games of bots alone have a queue of their own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from rq import Queue, SimpleWorker
from rq.serializers import JSONSerializer

from projections.games.record import GameRecord
from service.core.bot_turns import BotTurn
from service.core.queues import BOT_GAMES, BOTS, waiting_jobs
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
def test_a_maker_of_many_games_delays_another_by_one_job(app: Flask, client: FlaskClient) -> None:
    container, anna, birgir = app.extensions["cabildo"], Person(client, "Anna"), Person(client, "Birgir")
    bot = anna.post("/v1/bots", {"name": "Annabot", "engine": "own 1"})["token"]
    for number in range(MANY):  # games of an account and of its bot count together
        body = {"game": "spice_road", "seats": [*SEARCHING, "me"], "start_player": 0}
        token = anna.token if number % 2 else bot
        answer(client.post("/v1/games", json=body, headers={"Authorization": f"Bearer {token}"}), 201)
    game = birgir.create("me", "bot:greedy", start_player=1)["id"]
    assert container.announcer.flush(PATIENCE)
    assert waiting_jobs(container.stores.redis)[BOTS] == MANY + 1
    queue = Queue(BOTS, connection=container.stores.redis, serializer=JSONSerializer)
    SimpleWorker([queue], connection=container.stores.redis, serializer=JSONSerializer).work(burst=True, max_jobs=2)
    turn = record_reader(app)(game).turn
    assert turn is not None
    assert turn.seat == 1  # the bot began, and has moved


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
