"""The client over a bad network and at the end of its budget: nothing is lost, nothing is done twice."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path
from time import monotonic
from typing import NamedTuple
from uuid import uuid4

import httpx
import pytest
from cabildo_client import AsyncClient, BotRunner, Client
from cabildo_client.documents import PlayerNotice
from cabildo_client.errors import Unreachable
from flask import Response, request
from werkzeug.serving import make_server

from service import settings
from service.app import create_app
from service.web import rate_limits
from tests.support.running_program import PATIENCE, PROJECT, eventually, up
from tests.support.service.flaky_proxy import wire
from workers.external_bot import HouseBot

WINDOW = 3  # seconds of a limit, in place of a minute


@pytest.fixture(scope="module")
def url(module_directory: Path) -> Iterator[str]:
    """The address of a whole service: web, worker and keeper."""
    with up(module_directory / "for-bad-networks") as running:
        yield running.ready()


def newcomer(url: str, keep: Path | None = None) -> Client:
    """A client of a new player."""
    client = Client(url, keep=keep)
    client.register(f"bot {uuid4().hex[:12]}")
    return client


def play_out(client: Client, games: set[str]) -> None:
    """Run a bot until all these games are over."""
    left = set(games)

    def over(news: PlayerNotice) -> bool:
        left.difference_update([str(news.game)] if news.event == "game_over" else [])
        return not left

    BotRunner(client, HouseBot("greedy")).run(over)


def moves_of(client: Client, game: str) -> list[str]:
    """The moves that a client has made in a game."""
    told = client.ask("GET", f"/v1/games/{game}/events?after=0")["events"]
    events = [event for event in told if event["kind"] == "moved"]
    return [event["data"]["move"] for event in events if event["actor"] == client.player()]


def test_a_stream_tells_every_event_once_while_its_connections_are_cut(url: str) -> None:
    with newcomer(url) as host, wire(url) as cutting:
        game = host.create("spice_road", ["me", "bot:greedy"]).id
        told: list[int] = []

        def follow() -> None:
            with Client(cutting.url, host.token) as follower:
                for event in follower.events(game):
                    told.append(event.seq)
                    if len(told) % 7 == 0:
                        cutting.cut()

        follower = threading.Thread(target=follow)
        follower.start()
        play_out(host, {str(game)})
        follower.join(PATIENCE)
        assert not follower.is_alive()
        assert cutting.cuts >= 3
        assert told == [event.seq for event in host.events(game)]
        assert told == list(range(1, len(told) + 1))


def test_a_bot_plays_its_games_to_the_end_while_its_answers_are_lost(url: str, tmp_path: Path) -> None:
    with wire(url, loses=16) as cutting, newcomer(url) as watching:
        with Client(cutting.url, watching.token, keep=tmp_path) as client:
            games = {str(client.create("spice_road", ["me", "bot:greedy"]).id) for _ in range(2)}
            play_out(client, games)
        assert cutting.cuts > 5
        made = [moves_of(watching, game) for game in games]
        kept = (tmp_path / "receipts.ndjson").read_text().splitlines()
        assert {watching.game(game).status for game in games} == {"finished"}
        assert len(kept) == sum(map(len, made))  # a lost answer is asked for again, with its receipt


def test_a_move_whose_answer_is_lost_is_made_once(url: str) -> None:
    with newcomer(url) as client, wire(url) as cutting:
        game = client.create("spice_road", ["me", "bot:greedy"]).id
        with Client(cutting.url, client.token) as far:
            far.player()
            cutting.loses = 3
            asked: list[str] = []
            for _ in range(4):
                assert eventually(lambda: client.turn(game) is not None)
                turn = far.turn(game)
                assert turn is not None
                asked.append(turn.legal[0])
                far.move(game, turn.legal[0], turn.version)
            assert cutting.cuts >= 4
        assert moves_of(client, str(game)) == asked


def test_in_a_hurry_no_request_is_repeated() -> None:
    ended = list[str]()

    def ask() -> None:
        try:
            client.player()
        except Unreachable as problem:
            ended.append(str(problem))

    with Client("http://127.0.0.1:1", "token", retry_seconds=1_000) as client:  # nobody listens there
        asking = threading.Thread(target=ask, daemon=True)
        asking.start()
        client.hurry()
        asking.join(PATIENCE)
    assert len(ended) == 1


def test_in_a_hurry_no_awaited_request_is_repeated() -> None:
    async def ask() -> None:
        async with AsyncClient("http://127.0.0.1:1", "token", retry_seconds=1_000) as client:
            asking = asyncio.create_task(client.player())
            await asyncio.sleep(0)
            await client.hurry()
            await asyncio.wait_for(asking, PATIENCE)

    with pytest.raises(Unreachable):
        asyncio.run(ask())


def test_what_is_asked_of_a_closed_client_is_refused_as_by_a_lost_service(url: str) -> None:
    client = newcomer(url)
    game = client.create("spice_road", ["me", "bot:greedy"]).id
    client.close()
    with pytest.raises(Unreachable, match="closed"):
        client.game(game)
    assert list(client.events(game)) == []


class Asked(NamedTuple):
    """A request that reached the service, and its answer."""

    at: float
    path: str
    status: int
    retry_after: int


@pytest.fixture
def narrow(environ: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, list[Asked]]]:
    """Returns the address of a service with a limit of ten requests, and the requests it got."""
    monkeypatch.setattr(rate_limits, "MINUTE", WINDOW)
    app = create_app(settings.load({**environ, "CABILDO_REQUESTS_PER_MINUTE": "10"}))
    asked: list[Asked] = []

    @app.after_request
    def note(response: Response) -> Response:
        told = int(response.headers.get("Retry-After", 0))
        asked.append(Asked(monotonic(), request.path, response.status_code, told))
        return response

    server = make_server("127.0.0.1", 0, app, threaded=True)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    yield f"http://127.0.0.1:{server.server_port}", asked
    server.shutdown()
    serving.join()
    server.server_close()
    app.extensions["cabildo"].close()


def waited(asked: list[Asked]) -> list[bool]:
    """For each refusal, whether the next request came no sooner than the refusal said."""
    return [
        later.at >= earlier.at + earlier.retry_after
        for earlier, later in pairwise(asked)
        if earlier.status == HTTPStatus.TOO_MANY_REQUESTS
    ]


def test_a_client_that_has_spent_its_limit_waits_as_long_as_it_is_told(narrow: tuple[str, list[Asked]]) -> None:
    url, asked = narrow
    with newcomer(url) as client:
        answered = 0
        while len(waited(asked)) < 2:
            assert client.ask("GET", "/v1/me")["id"] == client.player()
            answered += 1
    assert [one.status for one in asked].count(HTTPStatus.OK) == answered
    assert all(waited(asked))


def test_a_stream_waits_for_its_limit_too(narrow: tuple[str, list[Asked]]) -> None:
    url, asked = narrow
    with newcomer(url) as client:
        game = client.create("spice_road", ["me", "open"]).id

        def streamed() -> list[Asked]:
            """Returns the result of a stream request beyond the limit."""
            while asked[-1].status != HTTPStatus.TOO_MANY_REQUESTS:
                httpx.get(f"{url}/v1/me", headers={"Authorization": f"Bearer {client.token}"}, timeout=PATIENCE)
            spent = len(asked)
            with closing(client.events(game)) as events:
                assert next(events).seq == 1
            return asked[spent:]

        while len(told := streamed()) < 2:
            continue  # a window of the limit may end just before the stream is asked for
    assert {one.path for one in told} == {f"/v1/games/{game}/events"}
    assert [one.status for one in told[:-1]] == [HTTPStatus.TOO_MANY_REQUESTS] * (len(told) - 1)
    assert told[-1].status == HTTPStatus.OK
    assert all(waited(told))


BOT = """
class Stubborn:
    def choose(self, turn):
        return turn.legal[-1]
"""


@pytest.mark.parametrize(
    ("player", "stop"),
    [(("--level", "greedy"), signal.SIGINT), (("--own", "stubborn:Stubborn"), signal.SIGTERM)],
)
def test_the_command_plays_many_games_at_once_until_a_signal(
    url: str, tmp_path: Path, player: tuple[str, str], stop: signal.Signals
) -> None:
    (tmp_path / "stubborn.py").write_text(BOT)
    with newcomer(url) as bot, newcomer(url) as host:
        games = [str(bot.create("spice_road", ["me", "bot:greedy"]).id) for _ in range(4)]
        games.append(str(host.create("spice_road", [bot.player(), "bot:greedy"], chance=3).id))  # before it comes
        command = ("bot", "run", "--url", url, "--keep", str(tmp_path / "kept"), *player)
        running = subprocess.Popen(
            [sys.executable, "-m", "deploy.cli", *command],
            cwd=PROJECT,
            env={**os.environ, "PYTHONPATH": str(tmp_path), "CABILDO_TOKEN": str(bot.token)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            assert eventually(lambda: begun(bot, games[0]))
            games.append(str(host.create("spice_road", [bot.player(), "bot:greedy"]).id))
            assert eventually(lambda: all(begun(bot, game) for game in games))
        finally:
            running.send_signal(stop)
            said, warned = running.communicate(timeout=PATIENCE)
    assert (running.returncode, warned) == (0, ""), said
    assert said.startswith(f"playing for {bot.player()}")
    assert "stopped" in said
    receipts = (tmp_path / "kept" / "receipts.ndjson").read_text().splitlines()
    assert {json.loads(receipt)["game"] for receipt in receipts} == set(games)


def begun(client: Client, game: str) -> bool:
    """Whether the client has made three moves in a game."""
    return len(moves_of(client, game)) >= 3
