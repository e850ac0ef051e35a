"""Programmed answers: what players leave is played as their own ordinary move, and never otherwise."""

from collections.abc import Callable, Iterator
from typing import Any, Final
from uuid import UUID

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import settings
from service.core.bot_turns import BotTurn
from service.core.command_handler import ExpectedVersion, Request
from service.live.programmed_games import KEY
from service.programmed_answers.answers import MOST
from service.programmed_answers.commands import PlayAnswer, play_answer
from service.programmed_answers.errors import AnswerRefused
from service.programmed_answers.queries import standing_answers
from tests.service.conftest import Environ
from tests.support.service.answering import answers, container_of, leave, moves, serve
from tests.support.service.players import Person, answer, problem, running, somebody, two_at_a_table
from workers import jobs, programmed_answers
from workers.keeper.clocks import CallAnswers
from workers.keeper.duty_context import KeeperContext

OWN_TURN: Final = "play create_2"  # of Spice Road, legal in the first round


@pytest.fixture(autouse=True)
def _worker_here(app: Flask, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "container", lambda: container_of(app))


@pytest.fixture
def sweep(environ: Environ) -> Iterator[Callable[[], None]]:
    """The keeper's look for answers that nobody played."""
    context = KeeperContext(settings.load(environ), environ)
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as database:

        def look() -> None:
            database.execute("UPDATE games SET changed = changed - 60000000")
            CallAnswers(context)(database)

        yield look
    context.close()


def island(client: FlaskClient, *names: str, **more: Any) -> tuple[str, list[Person]]:
    """A game of Puerto Rico that has started, and its people in turn order."""
    return running(client, *names, game="puerto_rico", **more)


def test_an_answer_is_played_when_the_turn_comes_as_an_ordinary_move(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    left = leave(second, game, "play create_2", "once", decision="action")
    assert (left["move"], left["decision"], left["until"], left["played"]) == ("play create_2", "action", "once", 0)
    assert left["label"]
    serve(app)
    assert moves(app, game) == []
    by_hand = first.move(game, "play create_2")["event"]
    serve(app)
    assert moves(app, game) == [(0, "play create_2"), (1, "play create_2")]
    event = container_of(app).games.history(UUID(game))[-1]
    assert (event.actor, {*event.data}) == (second.id, {*by_hand["data"]})
    assert answers(second, game) == []


def test_on_the_own_turn_an_answer_is_played_at_once(app: Flask, client: FlaskClient) -> None:
    game, first, _ = two_at_a_table(client)
    leave(first, game, "play create_2")
    serve(app)
    assert moves(app, game) == [(0, "play create_2")]
    assert answers(first, game) == ["play create_2"]
    assert answer(first.ask("GET", f"/v1/games/{game}/answers"), 200)["answers"][0]["played"] == 1


def test_of_several_answers_the_first_legal_one_is_played(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    for move in ("claim 1", "play create_2", "rest"):
        leave(first, game, move, decision="action")
    serve(app)
    second.move(game, "play create_2")
    serve(app)
    assert [move for seat, move in moves(app, game) if seat == 0] == ["play create_2", "rest"]


def test_pass_until_the_phase_or_the_next_own_role_ends(app: Flask, client: FlaskClient) -> None:
    game, people = island(client, "Anna", "Birgir", "Carla", options={})
    people[0].move(game, "role settler")
    for person, until in ((people[1], "phase"), (people[2], "own_choice")):
        ends = {end["until"] for end in answer(person.ask("GET", f"/v1/games/{game}/answers"), 200)["ends"]}
        assert ends == {"once", "phase", "round", "own_choice", "last_round", "game"}
        leave(person, game, "pass", until)
    taken = people[0].ask("GET", f"/v1/games/{game}/legal").get_json()["moves"][0]["move"]
    people[0].move(game, taken)
    serve(app)
    assert moves(app, game)[2:] == [(1, "pass"), (2, "pass")]
    assert (answers(people[1], game), answers(people[2], game)) == ([], ["pass"])
    people[1].move(game, "role builder")
    people[1].move(game, "pass")
    serve(app)
    assert moves(app, game)[-1] == (2, "pass")
    people[0].move(game, "pass")
    serve(app)
    assert (moves(app, game)[-1], answers(people[2], game)) == ((0, "pass"), [])  # the own role choice has come


def test_nobody_else_sees_an_answer(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    before = first.ask("GET", f"/v1/games/{game}/events").get_data()
    left = leave(second, game, "claim 3")
    path = f"/v1/games/{game}/answers"
    assert answers(first, game) == []
    assert first.ask("DELETE", f"{path}/{left['id']}").status_code == 404
    assert somebody(client).ask("GET", path).status_code == 403
    assert client.get(path).status_code == 401
    serve(app)
    assert first.ask("GET", f"/v1/games/{game}/events").get_data() == before
    first.ask("DELETE", path)
    assert answers(second, game) == ["claim 3"]
    for _ in range(2):
        assert second.ask("DELETE", path).status_code == 204
    assert answers(second, game) == []


def test_a_hand_move_clears_the_answer_that_would_have_made_another(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    for move in ("claim 5", "play create_2", "rest"):  # the first is not legal, and stays
        leave(second, game, move)
    leave(first, game, "rest", decision="caravan_limit")
    serve(app)
    first.move(game, "play create_2")
    second.move(game, "buy 1")  # before a worker came
    assert answers(second, game) == ["claim 5", "rest"]  # nothing was played before, so nothing was there to rest
    serve(app)
    assert (answers(first, game), answers(second, game)) == (["rest"], ["claim 5", "rest"])
    assert moves(app, game) == [(0, "play create_2"), (1, "buy 1")]
    with container_of(app).stores.pool.connection() as connection:
        assert connection.execute("SELECT count(*) FROM programmed_answers").fetchone() == (3,)


def test_a_move_taken_back_clears_the_answers_of_its_seat(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    leave(second, game, "claim 5")
    leave(first, game, "play create_2")
    serve(app)
    assert moves(app, game) == [(0, "play create_2")]
    first.post(f"/v1/games/{game}/undo")
    serve(app)
    assert (answers(first, game), answers(second, game)) == ([], ["claim 5"])
    assert moves(app, game) == [(0, "play create_2")]  # and nothing after it


def test_answers_end_with_the_seat_and_with_the_game(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client, leaver="bot:random")
    leave(first, game, "claim 5")
    leave(second, game, "claim 4")
    first.post(f"/v1/games/{game}/resign")
    assert answers(second, game) == ["claim 4"]
    assert first.ask("GET", f"/v1/games/{game}/answers").status_code == 403
    second.post(f"/v1/games/{game}/resign")
    with container_of(app).stores.pool.connection() as connection:
        assert connection.execute("SELECT count(*) FROM programmed_answers").fetchone() == (0,)
    over = answer(second.ask("GET", f"/v1/games/{game}/answers"), 403)
    assert problem(over) == "not_allowed"


def test_a_game_that_is_over_is_marked_no_more(app: Flask, client: FlaskClient) -> None:
    redis = container_of(app).stores.redis
    game, first, second = two_at_a_table(client, leaver="forfeit")
    leave(second, game, "play create_2")
    serve(app)
    assert redis.sismember(KEY, game)
    first.post(f"/v1/games/{game}/resign")
    serve(app)
    assert not redis.sismember(KEY, game)


def test_an_answer_cleared_before_its_move_is_stored_is_not_played(app: Flask, client: FlaskClient) -> None:
    here = container_of(app)
    game, first, _ = two_at_a_table(client)
    left = leave(first, game, "play create_2")
    state = here.games.load(UUID(game))
    (stored,) = standing_answers(here, state)
    assert first.ask("DELETE", f"/v1/games/{game}/answers/{left['id']}").status_code == 204
    request = Request(first.id, expected=ExpectedVersion(state.head.seq))
    with pytest.raises(AnswerRefused, match="was cleared"):
        play_answer(here, PlayAnswer(stored, "play create_2"), request)
    serve(app)
    assert moves(app, game) == []


@pytest.mark.parametrize("dies", ["before", "after"])
def test_a_worker_that_dies_in_the_middle_leaves_one_move(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, sweep: Callable[[], None], dies: str
) -> None:
    game, first, second = two_at_a_table(client)
    leave(second, game, "play create_2")
    serve(app)
    first.move(game, "play create_2")

    class Killed(BaseException):
        pass

    def killed(*arguments: Any) -> None:
        if dies == "after":
            play_answer(*arguments)
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(programmed_answers, "play_answer", killed)
        with pytest.raises(Killed):
            serve(app)
    serve(app)
    sweep()
    serve(app)
    assert moves(app, game) == [(0, "play create_2"), (1, "play create_2")]


def test_a_turn_that_comes_twice_or_late_adds_nothing(app: Flask, client: FlaskClient) -> None:
    here = container_of(app)
    game, first, _ = two_at_a_table(client)
    leave(first, game, "play create_2")
    version = here.games.load(UUID(game)).head.seq
    serve(app)
    for _ in range(2):
        here.announcer.call_bot(BotTurn(UUID(game), version, "Anna", alone=False))
    serve(app)
    assert moves(app, game) == [(0, "play create_2")]


def test_the_keeper_finds_answers_whose_mark_was_lost(
    app: Flask, client: FlaskClient, sweep: Callable[[], None]
) -> None:
    redis = container_of(app).stores.redis
    game, first, second = two_at_a_table(client)
    leave(second, game, "play create_2")
    serve(app)
    redis.delete(KEY)
    first.move(game, "play create_2")
    serve(app)
    assert len(moves(app, game)) == 1
    sweep()
    serve(app)
    assert len(moves(app, game)) == 2
    assert redis.smembers(KEY)
    second.ask("DELETE", f"/v1/games/{game}/answers")
    first.move(game, "rest")
    serve(app)
    assert not redis.smembers(KEY)


def test_an_answer_about_a_card_follows_it_to_its_place(app: Flask, client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    row = answer(first.ask("GET", f"/v1/games/{game}/position"), 200)["merchant_row"]
    assert leave(second, game, "buy 2 y", "once")["move"] == "buy 2 y"
    first.move(game, "buy 1")
    assert answers(second, game) == ["buy 1"]
    serve(app)
    assert moves(app, game)[-1] == (1, "buy 1")
    hand = answer(first.ask("GET", f"/v1/games/{game}/position"), 200)["players"][1]["hand"]
    assert row[1]["card"] in hand


def test_answers_are_bounded_checked_and_replaced(app: Flask, client: FlaskClient) -> None:
    game, _, second = two_at_a_table(client)
    for number in range(MOST):
        leave(second, game, f"drop y={number + 1}")
    assert leave(second, game, "rest", status=409)["reason"] == "too_many"
    leave(second, game, "drop y=2", "round")
    assert len(answers(second, game)) == MOST
    second.ask("DELETE", f"/v1/games/{game}/answers")
    unreadable = leave(second, game, "dance", status=400)
    assert problem(unreadable) == "unreadable_move"
    assert "/rules/" in unreadable["rule_page"]
    assert leave(second, game, "claim 9", status=409)["reason"] == "no_card"
    assert leave(second, game, "rest", "phase", status=409)["reason"] == "span_over"
    assert leave(second, game, "rest", "round", status=409, span=7)["reason"] == "span_over"
    assert problem(leave(second, game, "rest", status=422, decision="D-ROLE")) == "invalid_request"
    assert problem(leave(second, game, "rest", "noon", status=422)) == "invalid_request"
    key: Any = {"Idempotency_Key": "once"}
    body = {"move": "rest", "until": "round"}
    path = f"/v1/games/{game}/answers"
    assert second.post(path, body, **key) == second.post(path, body, **key)
    assert answers(second, game) == ["rest"]


def test_people_at_one_screen_have_answers_of_their_own(app: Flask, client: FlaskClient) -> None:
    host = somebody(client)
    made = host.create("me", "here:Anna", start_player=0)
    anna = {"X-Seat-Of": made["seats"][1]["player"]["id"]}
    path = f"/v1/games/{made['id']}/answers"
    host.post(path, {"move": "play create_2"}, **anna)
    assert answers(host, made["id"]) == []
    host.move(made["id"], "play create_2")
    serve(app)
    assert moves(app, made["id"]) == [(0, "play create_2"), (1, "play create_2")]
    assert len(answer(host.ask("GET", path, **anna), 200)["answers"]) == 1
