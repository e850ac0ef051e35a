"""What a seat may keep to itself while the game runs is told to nobody else, by no door."""

import json
from collections.abc import Callable
from contextlib import closing
from typing import Any
from uuid import UUID

from flask import Flask
from flask.testing import FlaskClient

from events.json_types import JsonObject
from projections.games.redaction import conceal
from projections.rules.registry import GAMES
from service.live.game_source import game_source
from tests.support.projections.random_games import random_game, written
from tests.support.service.players import Person, answer, problem, somebody

EMPTY: dict[str, Any] = {"drew": [], "then": [], "facts": []}
Stop = Callable[[dict[str, Any], dict[str, Any]], bool]
DOORS = ("", "/position", "/events", "/events?after=3", "/replay", "/replay?undone=true", "/outline?undone=true")
CLOSED = ("/record", "/bundle")


def table(client: FlaskClient, **options: Any) -> tuple[str, dict[int, Person]]:
    """A game of Puerto Rico of two, by seat."""
    one, other = somebody(client), somebody(client)
    game = one.create("me", "open", game="puerto_rico", options=options, start_player=0)["id"]
    other.join(game)
    return game, {0: one, 1: other}


def play_until(stop: Stop, game: str, people: dict[int, Person], *wanted: str) -> tuple[Person, Person, dict[str, Any]]:
    """Plays until a move matches; seat 0 prefers the wanted move, then moves that name most of it.

    Returns the player of the move, the other player, and the answer.
    """
    names = {move.split()[-1] for move in wanted}
    seat = 0
    for _ in range(400):
        offers = people[seat].ask("GET", f"/v1/games/{game}/legal").get_json()
        moves = [offer["move"] for offer in offers["moves"]]
        best = max(moves, key=lambda move: sum(f"{name}=" in move for name in names))
        made = people[seat].move(game, moves[0] if seat else next((move for move in wanted if move in moves), best))
        if stop(offers, made):
            return people[seat], people[1 - seat], made
        seat = made["turn"]["seat"]
    raise AssertionError("it never came to that")


def facts(made: dict[str, Any]) -> set[str]:
    """Returns the names of a move's facts."""
    return {fact[0] for fact in made["event"]["data"]["facts"]}


def seal_a_placement(game: str, people: dict[int, Person]) -> tuple[Person, Person, dict[str, Any]]:
    """Play until one of two has decided on a placement and the other has not."""

    def sealed(offers: dict[str, Any], made: dict[str, Any]) -> bool:
        return bool(offers["decision"] == "D-MAY-PLACE" and "people_placed" not in facts(made))

    wanted = ("role mayor", "take indigo", "role builder", "build small_indigo_plant", "role settler")
    return play_until(sealed, game, people, *wanted)


def heard(app: Flask, game: str, listener: Person | None) -> list[dict[str, Any]]:
    """Returns the messages of a live stream from its beginning."""
    container = app.extensions["cabildo"]
    source = game_source(
        container.event_cache, container.games, container.deals, UUID(game), None if listener is None else listener.id
    )
    with closing(source):
        return [json.loads(item.document) for item in source.after(0)]


def test_simultaneous_placements_stay_secret_until_all_are_in(app: Flask, client: FlaskClient) -> None:
    game, people = table(client, mayor_placement="simultaneous")
    path = f"/v1/games/{game}"
    owner, watcher, made = seal_a_placement(game, people)
    move = made["event"]["data"]["move"]

    assert made["event"]["withheld"] == ["digest", "salt"]  # with them the little that is hidden could be guessed
    assert owner.ask("GET", f"{path}/events").get_json()["events"][-1]["data"]["move"] == move
    for listener in (watcher, None):
        headers = {"Authorization": f"Bearer {listener.token}"} if listener else {}
        last = answer(client.get(f"{path}/events", headers=headers), 200)["events"][-1]
        assert last["withheld"] == ["digest", "salt", "drew", "facts", "then", "move"]
        assert heard(app, game, listener)[-1] == last
        assert (last["data"]["move"], last["salt"]) == (None, None)
        step = answer(client.get(f"{path}/replay", headers=headers), 200)["steps"][-1]
        assert (step["move"], step["label"]) == (None, None)
        told = json.dumps([step, last, *heard(app, game, listener)[-1:]])
        assert [secret for secret in (move, "placement_sealed") if secret in told] == []
        assert [problem(client.get(path + door, headers=headers).get_json()) for door in CLOSED] == ["not_allowed"] * 2
    assert client.get(f"{path}/legal").status_code == 403
    assert watcher.ask("GET", f"{path}/legal").status_code == 200


def test_the_last_placement_cannot_be_tried_out_to_see_the_others(client: FlaskClient) -> None:
    game, people = table(client, mayor_placement="simultaneous")
    _, watcher, made = seal_a_placement(game, people)
    offers = answer(watcher.ask("GET", f"/v1/games/{game}/legal"), 200)
    move = offers["moves"][0]["move"]
    tried = watcher.post(f"/v1/games/{game}/moves?dry_run=true", {"move": move}, 200)
    assert (tried["chance"], tried["facts"], tried["then"], tried["turn"]) == ("hidden", [], [], None)
    assert made["event"]["data"]["move"] not in json.dumps({**tried, "move": None})
    refused = watcher.move(game, "place quarry=9", 422)
    assert made["event"]["data"]["move"] not in json.dumps({**refused, "alternatives": []})
    assert "people_placed" in facts(watcher.move(game, move))


def test_a_face_that_only_its_owner_knows_is_at_no_other_door(app: Flask, client: FlaskClient) -> None:
    game, people = table(client, forest_face="owner_only", expansions=["new_buildings"])
    path = f"/v1/games/{game}"
    buildings = ("draft hacienda", "draft forest_house", "build forest_house", "build hacienda")
    wanted = ("draw", *buildings, "role builder", "role mayor", "role settler", "role craftsman", "role trader")

    def undecided(_: dict[str, Any], made: dict[str, Any]) -> bool:
        return facts(made) & {"tile_drawn", "drawn_tile_placed"} == {"tile_drawn"}

    owner, watcher, made = play_until(undecided, game, people, *wanted)
    drawn = next(fact for fact in made["event"]["data"]["facts"] if fact[0] == "tile_drawn")
    own = answer(owner.ask("GET", f"{path}/position"), 200)
    assert own["phase"]["drawn_tile"] == drawn[2]
    for listener in (watcher, None):
        headers = {"Authorization": f"Bearer {listener.token}"} if listener else {}
        position = answer(client.get(f"{path}/position", headers=headers), 200)
        assert (position["phase"]["drawn_tile"], "phase.drawn_tile" in position["hides"]) == (None, True)
        told = [client.get(path + door, headers=headers).text for door in DOORS]
        told.append(json.dumps(heard(app, game, listener)))
        assert [door for door in told if "tile_drawn" in door.replace("drawn_tile", "")] == []
        last = answer(client.get(f"{path}/events", headers=headers), 200)["events"][-1]["data"]
        assert (last["drew"], last["digest"], last["move"]) == ([], None, None)


def test_what_a_hidden_move_could_be_guessed_from_is_hidden_with_it() -> None:
    data: JsonObject = {
        "seat": 0,
        "move": "place corn=1",
        "bot": {"level": "greedy", "seed": "7"},
        "signature": "11" * 64,
        "drew": [],
        "then": [],
        "facts": [["placement_sealed", 0, "place corn=1"]],
        "digest": "00" * 32,
    }
    secrets = {"placement_sealed": "people_placed"}
    other = conceal({"salt": "00", "data": data}, secrets, 1)
    own = conceal({"salt": "00", "data": data}, secrets, 0)
    assert other["data"] == {"seat": 0, **dict.fromkeys(("move", "bot", "signature", "digest")), **EMPTY}
    assert own["data"] == {**data, "digest": None}


def test_a_record_from_another_table_hides_nothing_from_its_scribe(client: FlaskClient) -> None:
    lines = written(random_game(GAMES["spice_road"], 2, seed=3, longest=8)).split("\n", 2)
    text = "\n".join([*lines[:2], "option hand_visibility: owner_only", *lines[2:]])
    scribe = somebody(client)
    game = scribe.post("/v1/games/import", {"record": text})["id"]
    assert scribe.ask("GET", f"/v1/games/{game}/record").text == text
    assert scribe.ask("GET", f"/v1/games/{game}/legal").status_code == 200


def test_a_placement_is_taken_back_only_while_it_is_secret(client: FlaskClient) -> None:
    game, people = table(client, mayor_placement="simultaneous")
    owner, watcher, made = seal_a_placement(game, people)
    owner.post(f"/v1/games/{game}/undo")
    owner.move(game, made["event"]["data"]["move"])
    offers = watcher.ask("GET", f"/v1/games/{game}/legal").get_json()
    shown = watcher.move(game, offers["moves"][0]["move"])
    assert "people_placed" in {fact[0] for fact in shown["event"]["data"]["facts"]}
    assert watcher.post(f"/v1/games/{game}/undo", status=422)["reason"] == "revealed"
