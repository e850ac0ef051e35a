"""Lists of games: page by page, and found by who, what, how, when and by what happened."""

from typing import Any, cast

import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.json_types import Json
from events.log.sequencer import sequence_once
from projections.read_models.move_search import landmarks
from projections.read_models.registry import advance_all
from projections.rules.registry import GAMES
from tests.service.games.test_import_game import enter
from tests.service.games.test_queries import read
from tests.support.projections.random_games import PlayedGame, random_game, written
from tests.support.service.players import problem, somebody


def found(client: FlaskClient, **query: Any) -> list[str]:
    """The ids of the games that fit."""
    response = client.get("/v1/games", query_string=query)
    assert response.status_code == 200, response.text
    return [game["id"] for game in response.get_json()["games"]]


def test_games_are_listed_newest_first_page_by_page(client: FlaskClient) -> None:
    host = somebody(client)
    games = [host.create("me", "open")["id"] for _ in range(5)]
    seen, path = [], "/v1/games?limit=2"
    while path:
        page = client.get(path)
        seen += [game["id"] for game in page.get_json()["games"]]
        link = page.headers.get("Link", "")
        assert bool(link) is bool(page.get_json()["next"])
        path = link.removeprefix("<").partition(">")[0]
        host.create("me", "open")  # new games do not shift the later pages
    assert seen == games[::-1]


def test_games_are_found_by_player_game_state_and_options(client: FlaskClient) -> None:
    anna, birgir = somebody(client), somebody(client)
    base = anna.create("me", "open", options={"cube_scoring": "all"})["id"]
    other = birgir.create("me", "bot:random", game="puerto_rico", options={"expansions": ["nobles"]})["id"]
    assert found(client) == [other, base]
    assert found(client, player=anna.id) == [base]
    assert found(client, game="puerto_rico") == found(client, status="running") == [other]
    assert found(client, option="cube_scoring:all") == found(client, status="open") == [base]
    assert found(client, option="expansions:nobles") == [other]
    assert found(client, option=["expansions:nobles", "variant:balanced"]) == []
    assert found(client, rated="true") == []
    assert found(client, since="2020-01-01") == [other, base]
    assert found(client, until="2020-01-01") == []


def test_a_list_tells_of_a_game_what_its_summary_tells(client: FlaskClient) -> None:
    anna = somebody(client)
    game = anna.create("me", "bot:random")
    listed = read(client, "/v1/games")["games"][0]
    assert {name: listed[name] for name in ("id", "game", "options", "status", "host")} == {
        name: game[name] for name in ("id", "game", "options", "status", "host")
    }


def test_a_list_tells_the_terms_of_a_game_before_and_after_its_start(client: FlaskClient) -> None:
    anna, birgir = somebody(client), somebody(client)
    clock = {"kind": "bank", "seconds": 600, "increment": 5}
    game = anna.create("me", "open", clock=clock, silent=True)["id"]
    other = anna.create("me", "open", rated=True)["id"]
    terms = {
        listed["id"]: (listed["clock"], listed["silent"], listed["rated"])
        for listed in read(client, "/v1/games")["games"]
    }
    assert terms == {game: (clock, True, False), other: ({"kind": "none"}, False, True)}
    birgir.join(game)
    (running,) = read(client, "/v1/games?status=running")["games"]
    assert (running["clock"], running["silent"]) == (clock, True)


def test_a_draft_is_found_in_round_0() -> None:  # rules 6.1
    told: list[Json] = [
        ["building_drafted", 0, "wharf"],
        ["role_taken", 0, "mayor"],
        ["round_ended", 1],
        ["role_taken", 1, "mayor"],
    ]
    marks = [*landmarks(told)]
    ended = [sum(mark.seat is None for mark in marks[:number]) for number in range(len(marks))]
    rounds = zip(marks, ended, strict=True)
    found = [(mark.fact, mark.began + before) for mark, before in rounds if mark.seat is not None]
    assert found == [("building_drafted", 0), ("role_taken", 1), ("role_taken", 2)]


def test_private_games_are_listed_for_those_who_may_know_of_them(client: FlaskClient) -> None:
    anna = somebody(client)
    hidden = [anna.create("me", "open", visibility=visibility)["id"] for visibility in ("private", "unlisted")]
    assert found(client) == []
    own = anna.ask("GET", "/v1/games").get_json()["games"]
    assert {game["id"] for game in own} == set(hidden)


def test_a_list_does_not_tell_spectators_how_a_delayed_game_stands(client: FlaskClient) -> None:
    anna, birgir = somebody(client), somebody(client)
    game = anna.create("me", "open", spectator_delay=2)["id"]
    version = birgir.join(game)["version"]
    listed = read(client, "/v1/games")["games"][0]
    assert (listed["version"], listed["turn"], listed["head"]) == (version - 2, None, None)
    assert anna.ask("GET", "/v1/games").get_json()["games"][0]["turn"] is not None


@pytest.fixture
def entered(app: Flask, client: FlaskClient) -> dict[str, tuple[str, PlayedGame]]:
    """A finished game of each kind, and the read models level with the log."""
    games = {name: random_game(game, 3, seed=5) for name, game in GAMES.items()}
    ids = {name: enter(somebody(client), written(played))["id"] for name, played in games.items()}
    with app.extensions["cabildo"].stores.pool.connection() as connection:
        while sequence_once(connection) or advance_all(connection):
            pass
    return {name: (ids[name], games[name]) for name in GAMES}


def facts(played: PlayedGame, *wanted: str) -> list[list[Any]]:
    told = [fact for event in played.events[1:] for fact in cast(list[Any], event.data["facts"])]
    return [fact for fact in told if fact[0] in wanted]


def test_games_are_found_by_what_happened_in_them(
    client: FlaskClient, entered: dict[str, tuple[str, PlayedGame]]
) -> None:
    game, played = entered["puerto_rico"]
    names = [fact[0] for fact in facts(played, "building_bought", "round_ended")]
    rounds = 1 + names.index("building_bought")
    _, seat, building, _ = facts(played, "building_bought")[0]
    bought = {"fact": "building_bought", "subject": building}
    assert found(client, **bought, by_round=rounds, seat=seat, nth=1) == [game]
    assert rounds == 1 or found(client, **bought, by_round=rounds - 1) == []
    assert found(client, **bought, nth=9_999) == []
    first_role = facts(played, "role_taken")[0][2]
    assert found(client, fact="role_taken", subject=first_role, nth=1) == [game]
    road, other = entered["spice_road"]
    card = facts(other, "point_card_claimed")[0]
    assert found(client, fact="point_card_claimed", subject=card[2], seat=card[1]) == [road]
    assert found(client, fact="point_card_claimed", subject="nothing") == []


@pytest.mark.parametrize(
    "query", ["after=nonsense", "limit=0", "subject=harbor", "place=1", "status=lost", "option=x", "gmae=spice_road"]
)
def test_a_question_that_makes_no_sense_is_refused(client: FlaskClient, query: str) -> None:
    assert problem(read(client, f"/v1/games?{query}", 422)) == "invalid_request"


def test_games_are_found_by_who_won_them(client: FlaskClient) -> None:
    anna, birgir = somebody(client), somebody(client)
    game = anna.create("me", "open", leaver="forfeit")["id"]
    birgir.join(game)
    anna.post(f"/v1/games/{game}/resign")
    assert found(client, player=birgir.id, place=1) == found(client, player=anna.id, place=2) == [game]
    assert found(client, player=anna.id, place=1) == []
