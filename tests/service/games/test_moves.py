"""Moves over HTTP: one request validates, writes and answers; nothing is made twice, and undo never crosses a draw."""

import random
import threading
from functools import partial
from itertools import islice
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time

from events.event import Head
from events.log.receipts import open_receipt, receipt_key
from events.merkle.notes import Note
from events.store.connections import connect
from projections.rules.errors import IllegalMove, UnreadableMove
from projections.rules.protocol import Game
from projections.rules.registry import GAMES
from service.core.clock import SECOND, now
from service.core.outages import note_work
from service.games import command_handler
from service.games.game_repository import GameRepository
from tests.support.projections.perturbed_moves import perturb
from tests.support.service.players import Person, answer, problem, running


def events(player: Person, game: str, after: int = 0) -> list[dict[str, Any]]:
    """The log of a game."""
    told: list[dict[str, Any]] = answer(player.ask("GET", f"/v1/games/{game}/events?after={after}"), 200)["events"]
    return told


def board(player: Person, game: str) -> dict[str, Any]:
    """The board as it is."""
    document = answer(player.ask("GET", f"/v1/games/{game}/position"), 200)
    document.pop("version", None)
    return document


def test_a_move_is_answered_with_its_event_and_the_next_turn(client: FlaskClient) -> None:
    game, (first, _) = running(client)
    made = first.move(game, "  PLAY create_2 ")
    assert made["event"]["data"]["move"] == "play create_2"
    assert made["event"]["actor"] == first.id
    assert made["version"] == made["event"]["seq"] == 5
    assert made["turn"] == {"seat": 1, "decision": "action"}
    assert events(first, game, 4) == [made["event"]]


def test_a_receipt_promises_that_the_event_is_in_the_book(app: Flask, client: FlaskClient) -> None:
    game, (first, _) = running(client)
    made = first.move(game, "play create_2")
    settings = app.extensions["cabildo"].settings
    note = Note.parse(made["receipt"].encode())
    origin = note.text.splitlines()[1]
    receipt = open_receipt(note, [receipt_key(origin, settings.master_keys.current).verifier])
    assert (receipt.stream, receipt.seq, receipt.hash.hex()) == (UUID(game), 5, made["event"]["hash"])
    assert Head(receipt.head_seq, receipt.head) == Head(5, bytes.fromhex(made["head"]))


def test_who_is_not_to_act_is_told_who_is(client: FlaskClient) -> None:
    game, (_, second) = running(client)
    refused = second.move(game, "play create_2", 422)
    assert (problem(refused), refused["detail"]) == ("not_your_turn", "Seat 1 is to act.")


def test_an_illegal_move_is_refused_with_reason_rule_and_choices(client: FlaskClient) -> None:
    game, (first, _) = running(client)
    refused = first.move(game, "rest", 422)
    assert problem(refused) == "illegal_move"
    assert refused["reason"]
    assert refused["rule"]
    assert refused["sentence"]
    legal = answer(first.ask("GET", f"/v1/games/{game}/legal"), 200)
    assert refused["alternatives"] == [move["move"] for move in legal["moves"]]


def test_what_is_no_move_is_unreadable_and_nothing_is_written(client: FlaskClient) -> None:
    game, (first, _) = running(client)
    refused = first.move(game, "castle kingside", 400)
    assert problem(refused) == "unreadable_move"
    assert "play create_2" in refused["alternatives"]
    assert events(first, game, 4) == []


def test_a_finished_game_takes_no_move(client: FlaskClient) -> None:
    game, (first, second) = running(client, leaver="forfeit")
    second.post(f"/v1/games/{game}/resign")
    assert problem(first.move(game, "play create_2", 422)) == "game_is_over"


def test_a_game_that_has_not_started_takes_no_move(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    game = anna.create("me", "open")["id"]
    assert anna.move(game, "play create_2", 403)["reason"] == "not_seated"


def test_a_stale_version_is_told_the_current_one(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    made = first.move(game, "play create_2", expected=4)
    stale = second.move(game, "play create_2", 409, expected=4)
    assert problem(stale) == "stale_version"
    assert (stale["version"], stale["head"]) == (5, made["head"])
    second.move(game, "play create_2", expected=5)


def test_a_head_that_was_seen_is_kept_as_a_statement_of_the_player(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    seen = first.move(game, "play create_2")["head"]
    assert problem(second.move(game, "play create_2", 409, expected_head="00" * 32)) == "stale_version"
    assert second.move(game, "play create_2", expected_head=seen)["event"]["data"]["saw"] == seen


def test_the_same_request_with_the_same_key_is_made_once(client: FlaskClient) -> None:
    game, (first, _) = running(client)
    path, body = f"/v1/games/{game}/moves", {"move": "play create_2"}
    answers = [first.post(path, body, Idempotency_Key="one") for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert len(events(first, game)) == 5


def test_a_repeated_request_gets_its_answer_whatever_has_happened_since(client: FlaskClient) -> None:
    with freeze_time("2026-11-18 12:00:00") as clock:
        game, (first, second) = running(client, clock={"kind": "per_move", "seconds": 60})
        ask = partial(first.post, f"/v1/games/{game}/moves", {"move": "play create_2", "expected": 4})
        made = ask(Idempotency_Key="one")
        second.move(game, "play create_2")
        assert ask(Idempotency_Key="one") == made  # the same move is legal again for another seat
        clock.tick(61)
        assert ask(Idempotency_Key="one") == made  # the own flag has fallen
        assert ask(status=403, Idempotency_Key="two")["reason"] == "gone"


@pytest.mark.parametrize("clock", [{"kind": "none"}, {"kind": "bank", "seconds": 600, "increment": 5}])
def test_a_move_of_who_tells_what_was_seen_asks_the_database_once(
    app: Flask, client: FlaskClient, clock: dict[str, Any]
) -> None:
    def asked() -> int:
        return int(app.extensions["cabildo"].stores.pool.get_stats()["requests_num"])

    with freeze_time("2026-11-18 12:00:00"), connect(app.extensions["cabildo"].settings.database_url) as keeper:
        note_work(keeper, now(), 15 * SECOND)
        game, people = running(client, clock=clock)
        for player in people:
            version = player.move(game, "play create_2")["version"]
        before = asked()
        people[0].post(f"/v1/games/{game}/moves", {"move": "rest", "expected": version}, Idempotency_Key="one")
        assert asked() - before == 1


def test_a_key_belongs_to_one_request(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    path = f"/v1/games/{game}/moves"
    first.post(path, {"move": "play create_2"}, Idempotency_Key="one")
    assert problem(first.post(path, {"move": "rest"}, 422, Idempotency_Key="one")) == "key_reused"
    second.post(path, {"move": "play create_2"}, Idempotency_Key="one")  # another player's keys are others


def test_a_game_created_twice_with_a_key_is_one_game(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    body = {"game": "spice_road", "seats": ["me", "open"]}
    first, second = (anna.post("/v1/games", body, Idempotency_Key="my game") for _ in range(2))
    assert first == second


def test_a_tried_move_tells_what_would_happen_and_leaves_no_trace(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    before = board(first, game)
    path = f"/v1/games/{game}/moves?dry_run=true"
    tried = first.post(path, {"move": "Play create_2", "expected": 4}, 200)
    assert (tried["move"], tried["chance"], tried["turn"]) == (
        "play create_2",
        "none",
        {"seat": 1, "decision": "action"},
    )
    assert board(first, game) == before
    assert first.move(game, "play create_2")["event"]["data"]["facts"] == tried["facts"]
    assert problem(first.post(path, {"move": "rest"}, 422)) == "not_your_turn"
    assert problem(second.post(path, {"move": "rest", "expected": 4}, 409)) == "stale_version"
    assert problem(second.post(path, {"move": "rest"}, 422)) == "illegal_move"


def test_a_tried_move_does_not_reveal_what_would_be_drawn(client: FlaskClient) -> None:
    game, (first, _) = running(client)
    card = board(first, game)["merchant_row"][0]["card"]
    tried = first.post(f"/v1/games/{game}/moves?dry_run=true", {"move": "buy 1"}, 200)
    assert (tried["chance"], tried["facts"], tried["turn"]) == ("hidden", [], None)
    assert len(tried["drawn_from"]) == 37
    assert card not in tried["drawn_from"]


@pytest.mark.parametrize("kind", GAMES)
def test_perturbed_moves_are_judged_by_the_service_as_by_the_rules(app: Flask, client: FlaskClient, kind: str) -> None:
    game, people = running(client, game=kind)
    source, rules, judged = random.Random(kind), GAMES[kind], set[bool]()
    for _ in range(12):
        position = app.extensions["cabildo"].games.load(UUID(game)).board
        seat, move = rules.actor(position), rules.legal(position).sample(source)
        assert seat is not None
        for text in islice(perturb(rules.notation(move), source), 8):
            legal = is_legal(rules, position, text)
            tried = people[seat].ask("POST", f"/v1/games/{game}/moves?dry_run=true", {"move": text})
            assert (tried.status_code == 200) is legal, text
            assert legal or problem(answer(tried, tried.status_code)) in ("illegal_move", "unreadable_move"), text
            judged.add(legal)
        people[seat].move(game, rules.notation(move))
    assert judged == {True, False}


def is_legal(rules: Game[Any, Any], position: Any, text: str) -> bool:
    """Whether a text means one of the listed moves."""
    try:
        return rules.canonical(position, rules.parse(text)) in [*rules.legal(position)]
    except (IllegalMove, UnreadableMove):
        return False


def test_of_two_moves_at_the_same_moment_one_is_made(app: Flask, client: FlaskClient) -> None:
    game, (first, _) = running(client)
    begin, statuses = threading.Barrier(6), []

    def race() -> None:
        own = app.test_client()
        headers = {"Authorization": f"Bearer {first.token}"}
        begin.wait()
        sent = own.post(f"/v1/games/{game}/moves", json={"move": "play create_2"}, headers=headers)
        statuses.append(sent.status_code)

    threads = [threading.Thread(target=race) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [201, 422, 422, 422, 422, 422]
    assert [event["kind"] for event in events(first, game, 4)] == ["moved"]


def test_retries_at_the_same_moment_get_one_answer(app: Flask, client: FlaskClient) -> None:
    game, (first, _) = running(client)
    begin, answers = threading.Barrier(6), []

    def retry() -> None:
        own = app.test_client()
        headers = {"Authorization": f"Bearer {first.token}", "Idempotency-Key": "again"}
        begin.wait()
        answers.append(own.post(f"/v1/games/{game}/moves", json={"move": "play create_2"}, headers=headers).get_json())

    threads = [threading.Thread(target=retry) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {told["version"] for told in answers} == {5}
    assert len({told["head"] for told in answers}) == 1
    assert len(events(first, game)) == 5


def test_a_process_that_knows_an_old_board_follows_what_others_wrote(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command_handler, "BOARD_EVERY", 16)  # so long can all seats play and rest in turn
    game, (first, second) = running(client)
    here = app.extensions["cabildo"]
    other = GameRepository(here.stores.pool, here.seeds)
    table = other.load(UUID(game))
    for turn in range(19):
        (first, second)[turn % 2].move(game, ("play create_2", "play upgrade_2 y>r", "rest")[turn // 2 % 3])
    newest = here.games.load(UUID(game))
    assert other.load(UUID(game)) == newest != table
    assert GameRepository(here.stores.pool, here.seeds).load(UUID(game)) == newest


def test_the_own_last_move_can_be_undone_while_nobody_else_has_acted(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    before = board(first, game)
    first.move(game, "play create_2")
    assert second.post(f"/v1/games/{game}/undo", status=422)["reason"] == "somebody_else_acted"
    undone = first.post(f"/v1/games/{game}/undo")
    assert undone["event"]["data"]["to"] == 4
    assert undone["turn"] == {"seat": 0, "decision": "action"}
    assert board(first, game) == before
    assert [event["kind"] for event in events(first, game, 4)] == ["moved", "undone"]
    assert first.post(f"/v1/games/{game}/undo", status=422)["reason"] == "nothing_to_undo"
    first.move(game, "play upgrade_2 y>r y>r")
    second.move(game, "play create_2")
    assert first.post(f"/v1/games/{game}/undo", status=422)["reason"] == "somebody_else_acted"


def test_a_draw_is_never_undone(client: FlaskClient) -> None:
    game, (first, second) = running(client)
    first.move(game, "buy 1")
    assert first.post(f"/v1/games/{game}/undo", status=422)["reason"] == "drew"
    assert second.post(f"/v1/games/{game}/take-back", {"to": 4}, 422)["reason"] == "drew"


def test_everybody_together_can_take_several_moves_back(client: FlaskClient) -> None:
    game, (first, second, third) = running(client, "Anna", "Birgir", "Carla")
    start = first.ask("GET", f"/v1/games/{game}").get_json()["version"]
    before = board(first, game)
    for player in (first, second):
        player.move(game, "play create_2")
    second.post(f"/v1/games/{game}/take-back", {"to": start})
    assert first.post(f"/v1/games/{game}/offer", {"agrees": True})["event"]["kind"] == "offer_answered"
    assert board(first, game) != before
    assert problem(first.post(f"/v1/games/{game}/offer", {"agrees": True}, 422)) == "offer_refused"
    third.post(f"/v1/games/{game}/offer", {"agrees": True})
    assert board(first, game) == before
    assert events(first, game)[-1]["data"]["agreed"] == [1, 0, 2]
    first.move(game, "play create_2")


@pytest.mark.parametrize("to", [3, 5, 99])
def test_a_version_without_an_earlier_board_is_nothing_to_return_to(client: FlaskClient, to: int) -> None:
    game, (first, _) = running(client)
    first.move(game, "play create_2")
    assert first.post(f"/v1/games/{game}/take-back", {"to": to}, 422)["reason"] == "no_such_version"
