"""Races and retries against real web servers of several processes: nothing is ever done twice, whoever dies."""

import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple
from uuid import uuid4

import httpx
import pytest
from flask.testing import FlaskClient

from tests.service.conftest import Environ
from tests.service.live.test_streams import two_at_a_table
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, eventually
from tests.support.service.annotators import Study, a_finished_game, begin
from tests.support.service.players import GAME, Person, answer, problem, somebody
from tests.support.service.shared_fixtures import client, environ

__all__ = ["client", "environ"]  # shared by the tests of this module
APP = "service.app:create_app()"
AT_ONCE = 12
DYING = {"before it writes": "append.before_commit=kill", "before it answers": "append.after_commit=kill"}


@pytest.fixture(scope="module")
def server(environ: Environ, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a web server of four processes."""
    with serving({**environ, "CABILDO_WORKERS": "4"}, APP, tmp_path_factory.mktemp("web") / "log") as (_, url):
        assert eventually(lambda: answers(url))
        yield url


class Request(NamedTuple):
    """A request of a player."""

    person: Person
    path: str
    body: Any
    key: str | None = None


def send(url: str, request: Request) -> httpx.Response:
    """Returns the response to a request over a connection of its own."""
    headers = {"Authorization": f"Bearer {request.person.token}"}
    if request.key is not None:
        headers["Idempotency-Key"] = request.key
    return httpx.post(f"{url}{request.path}", json=request.body, headers=headers, timeout=PATIENCE)


def at_once(url: str, requests: Sequence[Request]) -> list[httpx.Response]:
    """Returns the responses to simultaneous requests."""
    begin = threading.Barrier(len(requests))

    def run(request: Request) -> httpx.Response:
        begin.wait()
        return send(url, request)

    with ThreadPoolExecutor(len(requests)) as threads:
        return list(threads.map(run, requests))


def processes(responses: Sequence[httpx.Response]) -> set[str]:
    """Returns the processes that answered, by the request ids."""
    return {response.headers["X-Request-Id"][12:20] for response in responses}


def kinds(person: Person, game: str, after: int) -> list[str]:
    """Returns the events after a version."""
    log = answer(person.ask("GET", f"/v1/games/{game}/events?after={after}"), 200)
    return [event["kind"] for event in log["events"]]


def test_one_request_sent_many_times_at_once_is_one_move_with_one_answer(client: FlaskClient, server: str) -> None:
    answered: list[httpx.Response] = []
    for _ in range(3):
        game, first, _second = two_at_a_table(client)
        move = Request(first, f"/v1/games/{game}/moves", {"move": "play create_2"}, str(uuid4()))
        sent = at_once(server, [move] * AT_ONCE)
        assert {response.status_code for response in sent} == {201}
        assert len({response.text for response in sent}) == 1
        assert kinds(first, game, 4) == ["moved"]
        answered += sent
    assert len(processes(answered)) > 1


def test_of_moves_that_expect_the_same_version_one_is_made(client: FlaskClient, server: str) -> None:
    answered: list[httpx.Response] = []
    for _ in range(3):
        game, first, _second = two_at_a_table(client)
        moves = ["play create_2", "play upgrade_2", "buy 1"] * (AT_ONCE // 3)
        sent = at_once(
            server, [Request(first, f"/v1/games/{game}/moves", {"move": move, "expected": 4}) for move in moves]
        )
        made = [response for response in sent if response.status_code == 201]
        late = [response.json() for response in sent if response.status_code == 409]
        assert (len(made), len(late)) == (1, AT_ONCE - 1)
        assert {(problem(told), told["version"]) for told in late} == {("stale_version", 5)}
        assert kinds(first, game, 4) == ["moved"]
        answered += sent
    assert len(processes(answered)) > 1


def test_concurrent_moves_undos_and_offers_are_done_at_most_once(client: FlaskClient, server: str) -> None:
    answered = [response for _ in range(3) for response in in_flight_together(client, server)]
    assert len(processes(answered)) > 1


def in_flight_together(client: FlaskClient, server: str) -> list[httpx.Response]:
    """Returns the responses to all requests of two players after a move, each sent three times with its key."""
    game, first, second = two_at_a_table(client)
    first.move(game, "play create_2")  # the other's turn: the move can still be undone, and all can agree to go back
    path = f"/v1/games/{game}"
    wishes = [
        Request(first, f"{path}/undo", {"expected": 5}, "undo" + game),
        Request(second, f"{path}/moves", {"move": "play create_2", "expected": 5}, "move" + game),
        Request(second, f"{path}/moves", {"move": "play create_2"}, "any time" + game),
        Request(second, f"{path}/take-back", {"to": 4}, "go back" + game),
        Request(first, f"{path}/offer", {"agrees": True}, "agreed" + game),
    ]
    sent = at_once(server, wishes * 3)
    assert {response.status_code for response in sent} <= {201, 409, 422}
    done: dict[str | None, dict[str, Any]] = {}
    for wish, response in zip(wishes * 3, sent, strict=True):
        if response.status_code == 201:
            assert done.setdefault(wish.key, response.json()) == response.json()
    assert done
    for wish in wishes:
        if wish.key in done:  # whatever has happened since
            assert send(server, wish).json() == done[wish.key]
    log = answer(first.ask("GET", f"{path}/events?after=5"), 200)["events"]
    written = [told["event"]["seq"] for told in done.values()]
    assert len(set(written)) == len(done)
    consequences = [event["kind"] for event in log if event["seq"] not in written]
    assert consequences == ["undone"] * ("agreed" + game in done)
    assert answer(first.ask("GET", f"{path}/replay"), 200)["steps"]
    return sent


def test_the_last_seat_is_taken_once_and_the_game_starts_once(client: FlaskClient, server: str) -> None:
    host, *guests = [somebody(client) for _ in range(9)]
    game = host.create("me", "open")["id"]
    sent = at_once(server, [Request(guest, f"/v1/games/{game}/seats", {}) for guest in guests])
    assert sorted(response.status_code for response in sent) == [201] + [409] * 7
    late = [response.json() for response in sent if response.status_code == 409]
    assert {problem(told) for told in late} <= {"not_open", "no_free_chair"}
    assert kinds(host, game, 0).count("seat_taken") == 2
    assert kinds(host, game, 0).count("game_started") == 1


def test_one_game_created_many_times_at_once_with_a_key_is_one_game(client: FlaskClient, server: str) -> None:
    host = somebody(client)
    sent = at_once(server, [Request(host, "/v1/games", {"game": GAME, "seats": ["me", "open"]}, "the game")] * AT_ONCE)
    assert {response.status_code for response in sent} == {201}
    assert len({response.json()["id"] for response in sent}) == 1
    assert len(host.ask("GET", f"/v1/games?player={host.id}").get_json()["games"]) == 1


def test_what_many_write_into_a_study_at_once_is_all_there(client: FlaskClient, server: str) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    said = sorted(f"thought {number}" for number in range(AT_ONCE))
    sent = at_once(server, [comment(study, text) for text in said])
    assert {response.status_code for response in sent} == {201}
    assert sorted(map(str, study.said("6"))) == said
    assert len(processes(sent)) > 1


def comment(study: Study, text: str) -> Request:
    """A comment at a place of a study by an editor with an old version."""
    edit = {"do": "comment", "chapter": 1, "at": "6", "text": text}
    return Request(study.person, f"{study.path}/edits", {"edits": [edit], "saw": 0})


def test_one_edit_sent_many_times_at_once_is_made_once_with_one_answer(client: FlaskClient, server: str) -> None:
    game, first, _ = a_finished_game(client)
    study = begin(first, game)
    edit = {"do": "delete_comment", "chapter": 1, "at": "6", "comment": study.say("6", "once")}
    saw = study.read()["version"]
    sent = at_once(server, [Request(first, f"{study.path}/edits", {"edits": [edit], "saw": saw}, "k")] * AT_ONCE)
    assert {response.status_code for response in sent} == {201}
    assert len({response.text for response in sent}) == 1
    assert study.read()["version"] == saw + 1


@pytest.mark.parametrize("dying", DYING.values(), ids=DYING.keys())
def test_a_process_killed_in_the_middle_of_a_move_never_doubles_it(
    client: FlaskClient, server: str, environ: Environ, tmp_path_factory: pytest.TempPathFactory, dying: str
) -> None:
    game, first, second = two_at_a_table(client)
    with serving(
        {**environ, "CABILDO_WORKERS": "1", "CABILDO_FAILPOINTS": dying}, APP, tmp_path_factory.mktemp("web") / "log"
    ) as (_, url):
        for turn, move in enumerate(("play create_2", "play create_2")):
            request = Request((first, second)[turn % 2], f"/v1/games/{game}/moves", {"move": move}, str(uuid4()))
            assert eventually(lambda: answers(url))
            with pytest.raises(httpx.TransportError):
                send(url, request)
            again = send(server, request)
            assert (again.status_code, again.json()["version"]) == (201, 5 + turn)
    assert kinds(first, game, 4) == ["moved"] * 2
