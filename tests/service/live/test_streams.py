"""Streams over a real web server of several processes: every event once and in order, whatever breaks."""

import json
import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from flask.testing import FlaskClient

from events.log.sequencer import sequence_once
from events.store.connections import connect
from projections.read_models.registry import advance_all
from tests.service.conftest import Environ
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.flooding_app import ITEMS
from tests.support.service.players import Person, in_turn, somebody
from tests.support.service.shared_fixtures import client, environ
from tests.support.service.tournament_fixture import Hall

__all__ = ["client", "environ"]  # shared by the tests of this module
FLOODING = "tests.support.service.flooding_app:create_flooding_app()"
NDJSON = {"Accept": "application/x-ndjson"}
SSE = {"Accept": "text/event-stream"}
MOVES = ("play upgrade_2", "rest")


Server = tuple[psutil.Process, str]


@contextmanager
def web_server(environ: Environ, log: Path) -> Iterator[Server]:
    """A web server of two processes, and its address."""
    with serving(environ, FLOODING, log) as (process, url):
        assert eventually(lambda: answers(url))
        yield psutil.Process(process.pid), url


@pytest.fixture(scope="module")
def server(environ: Environ, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The web server that these tests share."""
    with web_server(environ, tmp_path_factory.mktemp("web") / "log") as running:
        yield running


def two_at_a_table(client: FlaskClient, **more: Any) -> tuple[str, Person, Person]:
    """A running game of two, and its people in turn order."""
    one, other = somebody(client), somebody(client)
    game = one.create("me", "open", **more)["id"]
    first, second = in_turn(other.join(game), one, other)
    return game, first, second


class Listener:
    """A client that follows a game line by line."""

    def __init__(self, url: str, game: str, after: int = 0, **headers: str) -> None:
        self._follow(f"{url}/v1/games/{game}/events?after={after}", headers)

    def _follow(self, url: str, headers: dict[str, str]) -> None:
        self._exits = httpx.stream("GET", url, headers=NDJSON | headers, timeout=PATIENCE)
        self._response = self._exits.__enter__()
        assert self._response.status_code == 200, self._response.read()
        self._lines = self._response.iter_lines()
        self.heard: list[dict[str, Any]] = []

    def until(self, number: int) -> list[int]:
        """The numbers heard when this one has come."""
        for line in self._lines:
            if line:
                self.heard.append(json.loads(line))
                if self.heard[-1].get("seq", number) >= number:
                    break
        return [event["seq"] for event in self.heard if "seq" in event]

    def rest(self) -> dict[str, Any]:
        """Returns the last message of the stream."""
        lines = [line for line in self._lines if line]
        last: dict[str, Any] = json.loads(lines[-1])
        return last

    def leave(self) -> None:
        """Hang up."""
        self._exits.__exit__(None, None, None)


def play(game: str, first: Person, second: Person, moves: int, made: int = 0) -> None:
    """Go on with a game in which so many moves were made."""
    for number in range(made, made + moves):
        (first, second)[number % 2].move(game, MOVES[number // 2 % 2])


def test_everybody_hears_the_past_and_every_move_as_it_is_made(client: FlaskClient, server: Server) -> None:
    game, first, second = two_at_a_table(client)
    listeners = [Listener(server[1], game, after) for after in (0, 0, 2, 4, 4, 4)]
    play(game, first, second, 20)
    heard = [listener.until(24) for listener in listeners]
    assert heard == [[*range(after + 1, 25)] for after in (0, 0, 2, 4, 4, 4)]
    stored = first.ask("GET", f"/v1/games/{game}/events").get_json()["events"]
    assert listeners[0].heard == stored
    for listener in listeners:
        listener.leave()


def test_every_move_reaches_fifty_listeners(client: FlaskClient, server: Server) -> None:
    game, first, second = two_at_a_table(client)
    listeners = [Listener(server[1], game, 4) for _ in range(50)]
    with ThreadPoolExecutor(50) as people:
        for made in range(3):
            told = [people.submit(listener.until, 5 + made) for listener in listeners]
            play(game, first, second, 1, made=made)
            assert [one.result() for one in told] == [[*range(5, 6 + made)]] * 50
    for listener in listeners:
        listener.leave()


def test_who_was_cut_off_goes_on_without_a_gap_or_a_double(client: FlaskClient, server: Server) -> None:
    game, first, second = two_at_a_table(client)
    listener = Listener(server[1], game)
    play(game, first, second, 6)
    heard = listener.until(8)
    listener.leave()
    play(game, first, second, 6, made=6)
    again = Listener(server[1], game, heard[-1])
    play(game, first, second, 6, made=12)
    assert heard + again.until(22) == [*range(1, 23)]
    again.leave()


def test_a_killed_web_process_costs_listeners_only_the_connection(client: FlaskClient, server: Server) -> None:
    master, url = server
    game, first, second = two_at_a_table(client)
    listener = Listener(url, game)
    play(game, first, second, 4)
    heard = listener.until(8)
    for worker in master.children():
        worker.kill()
    with pytest.raises(httpx.TransportError):
        listener.until(100)
    play(game, first, second, 4, made=4)
    assert eventually(lambda: answers(url))
    again = Listener(url, game, heard[-1])
    assert heard + again.until(12) == [*range(1, 13)]
    again.leave()


def test_a_server_that_stops_says_so_and_where_to_go_on(client: FlaskClient, environ: Environ, tmp_path: Path) -> None:
    game, first, second = two_at_a_table(client)
    with web_server(environ, tmp_path / "log") as (master, url):
        listener = Listener(url, game)
        play(game, first, second, 2)
        assert listener.until(6)[-1] == 6
        master.send_signal(signal.SIGTERM)
        assert listener.rest() == {"closed": "server_is_stopping", "next": 6}


def test_server_sent_events_carry_the_same_numbers_and_go_on_from_the_last(client: FlaskClient, server: Server) -> None:
    game, first, second = two_at_a_table(client)
    play(game, first, second, 4)
    path = f"{server[1]}/v1/games/{game}/events"
    with httpx.stream("GET", path, headers=SSE | {"Last-Event-ID": "6"}, timeout=PATIENCE) as response:
        lines = response.iter_lines()
        told = [next(lines) for _ in range(8)]
    assert response.headers["Content-Type"].startswith("text/event-stream")
    assert [told[0], told[1], told[4], told[5]] == ["id: 7", "event: moved", "id: 8", "event: moved"]
    assert json.loads(told[2].removeprefix("data: "))["seq"] == 7
    assert told[3] == told[7] == ""


def test_the_stream_of_a_finished_game_ends_for_good(client: FlaskClient, server: Server) -> None:
    game, first, second = two_at_a_table(client, leaver="forfeit")
    listener = Listener(server[1], game)
    first.post(f"/v1/games/{game}/resign")
    last = second.ask("GET", f"/v1/games/{game}/events").get_json()["next"]
    assert listener.rest() == {"closed": "game_is_over", "next": last}
    path = f"{server[1]}/v1/games/{game}/events"
    assert httpx.get(path, headers=SSE | {"Last-Event-ID": str(last)}, timeout=PATIENCE).status_code == 204
    again = httpx.get(path, headers=NDJSON, timeout=PATIENCE).text.splitlines()
    assert [json.loads(line).get("seq") for line in again if line] == [*range(1, last + 1), None]


def test_spectators_hear_a_delayed_game_late_and_the_end_at_once(client: FlaskClient, server: Server) -> None:
    game, first, second = two_at_a_table(client, spectator_delay=3, leaver="forfeit")
    spectator = Listener(server[1], game)
    player = Listener(server[1], game, Authorization=f"Bearer {first.token}")
    play(game, first, second, 8)
    assert player.until(12)[-1] == 12
    assert spectator.until(9) == [*range(1, 10)]
    first.post(f"/v1/games/{game}/resign")
    assert spectator.until(13)[-1] == 13
    spectator.leave()
    player.leave()


def test_a_long_poll_answers_as_soon_as_something_happens(client: FlaskClient, server: Server) -> None:
    game, first, second = two_at_a_table(client)
    path = f"{server[1]}/v1/games/{game}/events?after=4&wait="
    with ThreadPoolExecutor() as threads:
        asked = threads.submit(httpx.get, f"{path}20", timeout=PATIENCE)
        began = time.monotonic()
        play(game, first, second, 1)
        page = asked.result().json()
    assert ([event["seq"] for event in page["events"]], page["next"]) == ([5], 5)
    assert time.monotonic() - began < 15  # and not when its twenty seconds were over
    nothing = httpx.get(f"{server[1]}/v1/games/{game}/events?after=5&wait=1", timeout=PATIENCE).json()
    assert nothing == {"events": [], "next": 5}


def test_silence_is_filled_with_signs_of_life(server: Server) -> None:
    for headers, sign in ((NDJSON, ""), (SSE, ": still here")):
        with httpx.stream("GET", f"{server[1]}/silence", headers=headers, timeout=PATIENCE) as response:
            lines = response.iter_lines()
            assert [next(lines) for _ in range(3)] == ([sign] * 3 if headers is NDJSON else [sign, "", sign])


def has_hung_up(reader: socket.socket) -> bool:
    """Whether the server has closed a connection, although not everything it sent has been read."""
    ours = reader.getsockname()
    return not [end for end in psutil.net_connections("tcp4") if end.raddr == ours and end.status == "ESTABLISHED"]


def test_a_slow_reader_is_closed_without_a_gap_before_it(
    server: Server,
) -> None:
    host, port = server[1].removeprefix("http://").split(":")
    with socket.socket() as reader:
        reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        reader.connect((host, int(port)))
        reader.settimeout(PATIENCE)
        reader.sendall(b"GET /flood HTTP/1.0\r\nHost: x\r\nAccept: application/x-ndjson\r\n\r\n")
        began = reader.recv(100)  # and then nothing for longer than the server's patience
        assert began.startswith(b"HTTP/1.")
        assert eventually(lambda: has_hung_up(reader))
        said = b"".join(iter(lambda: reader.recv(65_536), b""))
    *items, last = [json.loads(line) for line in (began + said).partition(b"\r\n\r\n")[2].splitlines() if line]
    assert [item["seq"] for item in items] == [*range(1, len(items) + 1)]
    assert last == {"closed": "too_slow", "next": len(items)}
    assert len(items) < ITEMS


def test_a_reader_who_keeps_up_gets_all_of_a_flood(server: Server) -> None:
    with httpx.stream("GET", f"{server[1]}/flood", headers=NDJSON, timeout=PATIENCE) as response:
        numbers = []
        for line in filter(None, response.iter_lines()):
            numbers.append(json.loads(line)["seq"])
            if numbers[-1] == ITEMS:
                break
    assert numbers == [*range(1, ITEMS + 1)]


class Player(Listener):
    """A player that follows the own stream."""

    def __init__(self, url: str, person: Person, query: str = "") -> None:
        self._follow(f"{url}/v1/me/stream{query}", {"Authorization": f"Bearer {person.token}"})

    def live(self) -> "Player":
        """Returns itself once the stream gave its first sign of life: no game waits, and what happens now is news."""
        assert next(self._lines) == ""
        return self

    def news(self, number: int) -> list[tuple[str, str]]:
        """Returns so many more notifications: kind and game."""
        told: list[tuple[str, str]] = []
        while len(told) < number:
            if line := next(self._lines):
                self.heard.append(json.loads(line))
                told.append((self.heard[-1]["event"], self.heard[-1]["game"]))
        return told


@pytest.fixture(scope="module")
def _keeper(environ: Environ) -> Iterator[None]:
    """The duties that number events and bring the read models on."""
    stop = threading.Event()

    def work() -> None:
        with connect(environ["DATABASE_URL"]) as connection:
            while not stop.wait(0.02):
                sequence_once(connection)
                advance_all(connection)

    keeper = threading.Thread(target=work)
    keeper.start()
    yield
    stop.set()
    keeper.join()


@pytest.mark.usefixtures("_keeper")
def test_a_player_follows_all_games_in_one_resumable_stream(client: FlaskClient, server: Server) -> None:
    one, other = somebody(client), somebody(client)
    listening = Player(server[1], one).live()
    first = one.create("me", "open", leaver="forfeit", start_player=0)["id"]
    other.join(first)
    second = one.create("me", "open", start_player=1)["id"]
    other.join(second)
    assert listening.news(3) == [("game_started", first), ("your_turn", first), ("game_started", second)]
    listening.leave()
    one.move(first, "play upgrade_2")
    other.move(second, "play upgrade_2")
    other.post(f"/v1/games/{first}/resign")
    again = Player(server[1], one, f"?after={listening.heard[-1]['number']}")
    assert again.news(2) == [("your_turn", second), ("game_over", first)]
    again.leave()
    anew = Player(server[1], one)
    assert anew.news(1) == [("your_turn", second)]
    anew.leave()


@pytest.mark.usefixtures("_keeper")
@pytest.mark.parametrize("no_show", [None, {"minutes": 10, "then": "leaver"}])
def test_a_tournament_player_hears_of_the_table_and_the_start(
    client: FlaskClient, server: Server, no_show: dict[str, Any] | None
) -> None:
    hall = Hall(client.application, [{"format": "swiss", "rounds": 1, "sizes": [3]}], no_show=no_show).open(people=3)
    listening = [Player(server[1], person).live() for person in hall.people]
    hall.direct("stages")
    hall.start()
    game = str(hall.games()[0])
    for own in listening:
        assert own.news(1) == [("seat_kept", game)]
    for person in hall.people if no_show else ():
        person.join(game)
    for own in listening:
        assert own.news(1) == [("game_started", game)]
    starts = hall.read("rounds/1")["tables"][0]["seats"][0]["player"]
    first = next(own for own, person in zip(listening, hall.people, strict=True) if person.id == starts)
    assert first.news(1) == [("your_turn", game)]
    for own in listening:
        own.leave()


def test_the_own_stream_takes_a_token(server: Server) -> None:
    assert httpx.get(f"{server[1]}/v1/me/stream", timeout=PATIENCE).status_code == 401
