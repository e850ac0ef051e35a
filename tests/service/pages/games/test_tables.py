"""Who may come to a table: those who sit at it, those who may sit down; others watch, or learn nothing of it."""

from flask.testing import FlaskClient

from service.web.auth import SESSION_COOKIE
from tests.support.service.players import Person, two_at_a_table

PASSWORD = "correct horse"


def enter(client: FlaskClient, name: str) -> None:
    """Log a browser in."""
    client.delete_cookie(SESSION_COOKIE)
    assert client.post("/v1/session", json={"name": name, "password": PASSWORD}).status_code == 201


def test_the_table_is_for_those_who_sit_at_it(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client)
    Person(client, "Ada", password=PASSWORD)
    mine = first.create("me", "open")["id"]
    hidden = first.create("me", "open", visibility="private")["id"]
    first.ask("PATCH", "/v1/me", {"password": PASSWORD})

    nobody = client.get(f"/games/{game}/play")
    assert (nobody.status_code, nobody.headers["Location"]) == (303, f"/login?next=%2Fgames%2F{game}%2Fplay")
    enter(client, "Ada")
    assert client.get(f"/games/{game}/play").headers["Location"] == f"/games/{game}"  # she may watch
    assert client.get(f"/games/{mine}/play").status_code == 200  # she may sit down
    assert client.get(f"/games/{hidden}/play").status_code == 404
    enter(client, first.name)
    table = client.get(f"/games/{game}/play")
    assert table.status_code == 200
    assert f'"player": "{first.id}"' in table.text
    assert second.id not in table.text
    assert "script-src 'self'" in table.headers["Content-Security-Policy"]


def test_a_post_by_session_repeats_its_csrf_value(client: FlaskClient) -> None:
    game, first, _ = two_at_a_table(client)
    first.ask("PATCH", "/v1/me", {"password": PASSWORD})
    enter(client, first.name)
    csrf = client.get("/v1/session").get_json()["csrf"]
    move, path = {"move": "play create_2"}, f"/v1/games/{game}/moves"
    assert client.post(path, json=move).status_code == 403
    assert client.post(path, json=move, headers={"X-CSRF-Token": "made up"}).status_code == 403
    assert client.post(path, json=move, headers={"X-CSRF-Token": csrf}).status_code == 201


def test_every_page_tells_how_many_games_wait(client: FlaskClient) -> None:
    _, first, second = two_at_a_table(client)
    for person in (first, second):
        person.ask("PATCH", "/v1/me", {"password": PASSWORD})
    enter(client, first.name)
    assert "1 game waits for you" in client.get("/").text
    enter(client, second.name)
    assert "for you" not in client.get("/").text
