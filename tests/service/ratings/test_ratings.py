"""Ratings over HTTP: rated games alone, each change with its event, the same when rebuilt, names that are forgotten."""

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from psycopg import Connection

from events.canonical import canonical
from events.log.sequencer import sequence_once
from events.store.connections import connect
from events.store.postgres import read
from projections.ratings.game_inputs import inputs_of
from projections.ratings.model import POOLS, recomputed
from projections.ratings.read_model import Ratings
from projections.read_models.rebuild import rebuild
from projections.read_models.registry import advance_all
from tests.service.conftest import Environ
from tests.support.service.held_accounts import asked_at_once
from tests.support.service.players import GAME, Person, answer, problem

LIST = f"/v1/ratings?game={GAME}"
RATED = """
SELECT stream, coalesce(jsonb_object_agg(pool, convert_from(i.body, 'UTF8')) FILTER (WHERE pool IS NOT NULL), '{}')
FROM events LEFT JOIN rating_inputs AS i ON convert_from(i.body, 'UTF8')::jsonb ->> 'stream' = stream::text
WHERE kind = 'game_ended' GROUP BY stream
"""


@pytest.fixture
def service(database: str) -> Iterator[Connection]:
    """A connection in the service's role."""
    with connect(database) as connection:
        yield connection


def follow(connection: Connection) -> None:
    """Bring the read models level with the log."""
    while sequence_once(connection):
        pass
    while advance_all(connection):
        pass
    for stream, rated in connection.execute(RATED).fetchall():  # the read model and a fold of the games agree
        found = {pool: canonical(json.loads(body)) for pool, body in rated.items()}
        assert inputs_of(read(connection, stream)) == found


def a_game(loser: Person, *others: Person, **more: Any) -> str:
    """A game that ends because all but the last of these people resign, the loser first."""
    first, *rest = loser, *others
    game: str = first.create("me", *("open" for _ in rest), **{"rated": True, "leaver": "forfeit", **more})["id"]
    for one in rest:
        one.join(game)
    for one in (first, *rest)[:-1]:
        one.post(f"/v1/games/{game}/resign")
    return game


def listed(client: FlaskClient, path: str = LIST) -> list[tuple[str | None, int]]:
    return [(row["player"]["name"], row["games"]) for row in answer(client.get(path), 200)["ratings"]]


def history(player: Person, path: str = "") -> dict[str, Any]:
    return answer(player.ask("GET", f"/v1/players/{player.id}/ratings{path}"), 200)


@pytest.fixture
def people(client: FlaskClient) -> list[Person]:
    return [Person(client, name) for name in ("Anna", "Birgir", "Csilla")]


def test_a_rated_game_orders_those_who_played_it(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, csilla = people
    game = a_game(anna, birgir, csilla)
    follow(service)
    assert listed(client) == [("Csilla", 1), ("Birgir", 1), ("Anna", 1)]
    (change,) = history(anna)["history"]
    assert (change["place"], change["players"], change["stream"]) == (3, 3, game)
    assert change["before"] == {"rating": 1500, "deviation": 500, "mu": 25_000_000, "sigma": 8_333_333}
    assert change["after"] == {name: history(anna)["ratings"][0][name] for name in change["after"]}
    event = answer(client.get(f"/v1/games/{game}/events?after={change['seq'] - 1}"), 200)["events"][0]
    assert event["kind"] == "game_ended"


def test_a_list_names_the_input_that_it_was_computed_from(
    app: Flask, environ: Environ, client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, csilla = people
    a_game(anna, birgir)
    follow(service)
    a_game(birgir, csilla)  # is rated while the list is read

    def read_list() -> tuple[Any, int]:
        told = answer(app.test_client().get(LIST), 200)
        return told["input"]["number"], max(row["games"] for row in told["ratings"])

    def rate() -> tuple[Any, int]:
        follow(service)
        return None, 0

    told, _ = asked_at_once(environ, "LOCK TABLE players IN ACCESS EXCLUSIVE MODE", read_list, rate)
    assert told == (1, 1)
    assert read_list() == (2, 2)


def test_what_is_not_rated_aborted_or_alone_among_bots_changes_nothing(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, _ = people
    a_game(anna, birgir, rated=False)
    aborted = anna.create("me", "open", rated=True)["id"]
    birgir.join(aborted)
    anna.post(f"/v1/games/{aborted}/abort")
    against_bot = anna.create("me", "bot:random", rated=True, leaver="forfeit")["id"]
    anna.post(f"/v1/games/{against_bot}/resign")
    follow(service)
    assert listed(client) == listed(client, f"{LIST}&pool=programs") == []
    assert service.execute("SELECT count(*) FROM rating_games").fetchone() == (0,)


def test_accounts_of_programs_are_rated_among_programs(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, _ = people
    bots = [anna.post("/v1/bots", {"name": f"Automaton {n}", "engine": "mine 1"}) for n in (1, 2)]
    programs = [Person(client, f"stand-in {n}") for n in (1, 2)]
    for person, bot in zip(programs, bots, strict=True):
        person.id, person.token = bot["player"]["id"], bot["token"]
    a_game(programs[0], anna, programs[1], birgir)
    follow(service)
    assert listed(client) == [("Birgir", 1), ("Anna", 1)]
    assert listed(client, f"{LIST}&pool=programs") == [("Automaton 2", 1), ("Automaton 1", 1)]


def test_bots_of_the_house_are_named_by_their_level(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna = people[0]
    bot = anna.post("/v1/bots", {"name": "Automaton", "engine": "mine 1"})
    program = Person(client, "stand-in")
    program.id, program.token = bot["player"]["id"], bot["token"]
    game = program.create("me", "bot:random", rated=True, leaver="forfeit")["id"]
    program.post(f"/v1/games/{game}/resign")
    follow(service)
    assert listed(client, f"{LIST}&pool=programs") == [("random", 1), ("Automaton", 1)]


def test_a_rebuild_from_the_log_gives_the_same_bit_for_bit(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, csilla = people
    for seats in ((anna, birgir), (csilla, anna, birgir), (birgir, csilla)):
        a_game(*seats)
    follow(service)
    before = answer(client.get(LIST), 200)
    done = rebuild(service, Ratings(), lambda _done, _total: None)
    assert done.compared
    assert answer(client.get(LIST), 200) == before


def test_anybody_can_compute_the_ratings_again_from_their_inputs(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, csilla = people
    for seats in ((anna, birgir), (csilla, anna, birgir), (birgir, csilla)):
        a_game(*seats)
    follow(service)
    shown = answer(client.get(LIST), 200)
    pages = [answer(client.get(f"/v1/ratings/inputs?game={GAME}&limit=2&after={after}"), 200) for after in (0, 2)]
    assert [page["next"] for page in pages] == [2, None]
    inputs = [row["input"] for page in pages for row in page["inputs"]]
    hash = b""
    for document in inputs:
        hash = hashlib.sha256(b"cabildo/ratings/v1" + hash + canonical(document)).digest()
    assert (shown["input"]["number"], shown["input"]["hash"]) == (3, hash.hex())
    assert {row["player"]["id"]: (row["mu"], row["sigma"]) for row in shown["ratings"]} == recomputed(inputs)


def test_a_history_is_read_page_by_page(service: Connection, people: list[Person]) -> None:
    anna, birgir, _ = people
    games = [a_game(anna, birgir) for _ in range(3)]
    follow(service)
    first = history(anna, "?limit=2")
    second = history(anna, f"?limit=2&before={first['next']}&game={GAME}")
    assert [change["stream"] for change in (*first["history"], *second["history"])] == games[::-1]
    assert second["next"] is None
    assert second["history"][0]["after"] == first["history"][-1]["before"]


def test_a_list_is_read_page_by_page(client: FlaskClient, service: Connection, people: list[Person]) -> None:
    a_game(*people)
    follow(service)
    first = answer(client.get(f"{LIST}&limit=2"), 200)
    second = answer(client.get(f"{LIST}&limit=2&after={first['next']}"), 200)
    assert [row["rank"] for row in (*first["ratings"], *second["ratings"])] == [1, 2, 3]
    assert second["next"] is None


def test_a_private_game_is_named_to_those_who_played_it_alone(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, csilla = people
    created = anna.create("me", f"{birgir.id}", rated=True, leaver="forfeit", visibility="private")
    birgir.join(created["id"])
    anna.post(f"/v1/games/{created['id']}/resign")
    follow(service)
    assert history(anna)["history"][0]["stream"] == created["id"]
    seen = answer(csilla.ask("GET", f"/v1/players/{anna.id}/ratings"), 200)
    assert seen["history"][0]["stream"] is None


def test_who_was_forgotten_has_no_name_and_keeps_the_rating(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, _ = people
    a_game(anna, birgir)
    follow(service)
    anna.ask("DELETE", "/v1/me")
    assert listed(client) == [("Birgir", 1), (None, 1)]
    assert len(answer(client.get(f"/v1/players/{anna.id}/ratings"), 200)["history"]) == 1


def test_nobody_has_the_ratings_of_nobody(client: FlaskClient) -> None:
    refused = answer(client.get("/v1/players/00000000-0000-7000-8000-000000000000/ratings"), 404)
    assert problem(refused) == "not_there"


def test_the_page_of_a_player_draws_how_the_rating_went(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, csilla = people
    games = [a_game(anna, birgir), a_game(csilla, anna), a_game(anna, csilla, birgir)]
    follow(service)
    page = client.get(f"/players/{anna.id}").get_data(as_text=True)
    shown = history(anna)
    assert f"Spice Road: {shown['ratings'][0]['rating']}</strong>" in page
    assert [f'href="/games/{game}#' in page for game in games] == [True] * 3
    assert len(re.findall("<circle", page)) == 3
    (line,) = re.findall('class="way" points="([^"]*)"', page)
    heights = [float(corner.split(",")[1]) for corner in line.split()]
    assert heights[1] > heights[0] > heights[2]  # down with the first game, up with the second
    assert "<svg" not in client.get(f"/players/{Person(client, 'Dora').id}").get_data(as_text=True).split("<main", 1)[1]


def test_the_page_of_ratings_lists_people_and_programs_apart(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    anna, birgir, _ = people
    bot = anna.post("/v1/bots", {"name": "Automaton", "engine": "mine 1"})
    program = Person(client, "stand-in")
    program.id, program.token = bot["player"]["id"], bot["token"]
    game = program.create("me", "bot:random", rated=True, leaver="forfeit")["id"]
    program.post(f"/v1/games/{game}/resign")
    a_game(anna, birgir)
    follow(service)
    among_people, among_programs = (client.get(f"/ratings?game={GAME}&pool={pool}").text for pool in POOLS)
    assert among_people.index("Birgir") < among_people.index("Anna")
    assert "Automaton" not in among_people
    assert among_programs.index("random bot") < among_programs.index("Automaton")
    assert answer(client.get(LIST), 200)["input"]["hash"][:16] in among_people
    assert "from 1 game " in among_people


def test_the_page_of_ratings_goes_on_and_the_lobby_leads_there(
    client: FlaskClient, service: Connection, people: list[Person]
) -> None:
    a_game(*people)
    follow(service)
    first = client.get(f"/ratings?game={GAME}&limit=2").text
    (more,) = re.findall('rel="next" href="([^"]*)"', first)
    assert "Anna" in client.get(more.replace("&amp;", "&")).text
    assert 'href="/ratings"' in client.get("/lobby").text
    assert "No rated game" in client.get("/ratings").text
    answer(client.get("/ratings?game=chess"), 422)
