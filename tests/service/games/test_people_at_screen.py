"""Several people at one screen: one account seats them, and sees and plays each seat, one at a time."""

from flask import Flask
from flask.testing import FlaskClient

from service.players.people_at_screen import MOST
from service.web.auth import SESSION_COOKIE
from tests.support.service.opened_sessions import open_session
from tests.support.service.players import Person, answer, somebody

SEAT = "X-Seat-Of"


def seated(host: Person, **more: object) -> tuple[str, dict[str, str]]:
    """A running game of the host, Anna and a bot; the players' ids by name."""
    fields = {"game": "puerto_rico", "seats": ["me", "here:Anna", "bot:random"], "start_player": 0, **more}
    made = host.post("/v1/games", fields)
    assert made["status"] == "running"
    return made["id"], {seat["player"]["name"]: seat["player"]["id"] for seat in made["seats"] if seat["player"]}


def test_one_account_plays_each_seat_with_the_rights_of_that_seat(client: FlaskClient) -> None:
    host, stranger = somebody(client), somebody(client)
    game, ids = seated(host)
    anna = ids[f"Anna ({host.name})"]
    played = host.move(game, "role settler")
    assert played["event"]["data"]["seat"] == 0
    for seat, headers in ((0, {}), (1, {SEAT: anna})):
        position = host.ask("GET", f"/v1/games/{game}/position", **headers).get_json()
        hidden = [name for name in position["hides"] if name.startswith(f"players[{seat}]")]
        assert (hidden, position["viewer"]) == ([], seat)
        assert any(name.startswith(f"players[{1 - seat}]") for name in position["hides"])
    assert host.ask("GET", f"/v1/games/{game}/position?as=1").status_code == 403
    for asker in (stranger, Person(client, "Nina")):
        assert asker.ask("GET", f"/v1/games/{game}/position", **{SEAT: anna}).status_code == 404
        assert asker.ask("GET", f"/v1/games/{game}/position", **{SEAT: host.id}).status_code == 404
    assert client.get(f"/v1/games/{game}/position", headers={SEAT: anna}).get_json()["viewer"] is None


def test_the_log_names_the_person_who_moved(client: FlaskClient) -> None:
    host = somebody(client)
    made = host.create("here:Anna", "here:Birgir", start_player=0)
    anna, birgir = (seat["player"]["id"] for seat in made["seats"])
    host.move(made["id"], "play create_2", 403)
    host.post(f"/v1/games/{made['id']}/moves", {"move": "play create_2"}, 422, **{SEAT: birgir})
    moved = host.post(f"/v1/games/{made['id']}/moves", {"move": "play create_2"}, **{SEAT: anna})
    assert moved["event"]["actor"] == anna
    again = host.create("here:Anna", "here:Cora", start_player=0)
    assert again["seats"][0]["player"]["id"] == anna  # a name stays the same person


def test_people_at_a_screen_play_unrated_and_do_nothing_else(client: FlaskClient) -> None:
    host = somebody(client)
    host.post("/v1/games", {"game": "spice_road", "seats": ["me", "here:Anna"], "rated": True}, 422)
    host.create("me", "here:", status=422)
    anna = host.create("me", "here:Anna", start_player=0)["seats"][1]["player"]["id"]
    for path, body in (("/v1/tokens", {"scopes": ["read"]}), ("/v1/studies", {"title": "x"})):
        assert host.ask("POST", path, body, **{SEAT: anna}).status_code == 403
    for number in range(MOST - 1):
        host.create("me", f"here:Guest {number}")
    refused = host.create("me", "here:One more", status=422)
    assert "seats" in str(refused["errors"])
    assert answer(host.ask("GET", "/v1/me"), 200)["id"] == host.id


def test_people_at_a_screen_take_no_seats_of_rated_games_and_seat_nobody(client: FlaskClient) -> None:
    host, other = somebody(client), somebody(client)
    anna = host.create("me", "here:Anna", start_player=0)["seats"][1]["player"]["id"]
    rated = other.create("me", "open", "open", rated=True)["id"]
    host.post(f"/v1/games/{rated}/seats", {}, 403, **{SEAT: anna})
    host.post("/v1/games", {"game": "spice_road", "seats": ["me", "open"], "rated": True}, 403, **{SEAT: anna})
    host.post("/v1/games", {"game": "spice_road", "seats": ["me", "here:Zita"]}, 403, **{SEAT: anna})
    bot = host.post("/v1/bots", {"name": f"bot of {host.id[-12:]}", "engine": "x"})
    of_bot = {"Authorization": f"Bearer {bot['token']}"}
    body = {"game": "spice_road", "seats": ["me", "here:Zita"]}
    assert client.post("/v1/games", json=body, headers=of_bot).status_code == 403
    assert host.join(rated)["seats"]  # the account itself may


def test_people_at_a_screen_are_no_accounts_of_bots(client: FlaskClient) -> None:
    host = somebody(client)
    host.create("me", "here:Anna", "here:Birgir")
    quotas = answer(host.ask("GET", "/v1/me"), 200)["quotas"]
    assert quotas["bots"]["used"] == 0


def test_a_new_name_of_the_host_ends_the_names_at_the_screen(client: FlaskClient) -> None:
    host = Person(client, "Ólafur (old)")
    made = host.create("me", "here:Anna (2)")
    answer(host.ask("PATCH", "/v1/me", {"name": "Ólöf"}), 200)
    names = [seat["player"]["name"] for seat in answer(client.get(f"/v1/games/{made['id']}"), 200)["seats"]]
    assert sorted(names) == ["Anna (2) (Ólöf)", "Ólöf"]
    again = host.create("me", "here:Anna (2)")  # the same person
    assert {seat["player"]["id"] for seat in again["seats"]} == {seat["player"]["id"] for seat in made["seats"]}


def test_a_host_who_does_not_play_is_led_to_the_seat_of_another(app: Flask, client: FlaskClient) -> None:
    host = somebody(client)
    made = host.create("here:Anna", "bot:random", start_player=0)
    anna = made["seats"][0]["player"]["id"]
    table = f"/games/{made['id']}/play"
    browser = app.test_client()
    browser.set_cookie(SESSION_COOKIE, open_session(app.extensions["cabildo"], host.id).secret)
    mine = browser.get("/mine").text
    assert 'class="listed waits"' in mine
    assert f'href="{table}"' in mine
    assert "● 1" in mine  # games that wait
    assert browser.get(table).location == f"{table}?as={anna}"
    assert f'"screen": [{{"id": "{anna}", "name": "Anna"}}]' in browser.get(f"{table}?as={anna}").text
    alone = somebody(client)
    own = alone.create("me", "bot:random")["id"]
    browser.set_cookie(SESSION_COOKIE, open_session(app.extensions["cabildo"], alone.id).secret)
    assert '"screen": []' in browser.get(f"/games/{own}/play").text
