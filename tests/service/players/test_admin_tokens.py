"""A token whose only scope is `admin`: it may do everything its player may, and no route ends in a fault."""

from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.players.commands.tokens import store_token
from tests.service.web.test_deep_documents import addressed
from tests.support.service.players import Person, answer, problem, somebody


@pytest.fixture
def admin(app: Flask, client: FlaskClient) -> Person:
    """A person whose only token is for administrators."""
    person = somebody(client)
    container = app.extensions["cabildo"]
    with container.stores.pool.connection() as connection:
        _, person.token = store_token(connection, container.now(), UUID(person.id), "operator", ["admin"])
    return person


def operations(client: FlaskClient) -> list[tuple[str, str]]:
    """Every method and path of the API."""
    paths = client.get("/openapi.json").get_json()["paths"]
    methods = ("get", "post", "put", "patch", "delete")
    return [(method.upper(), path) for path, found in paths.items() for method in methods if method in found]


def test_an_admin_token_alone_plays_annotates_and_hosts(client: FlaskClient, admin: Person) -> None:
    game = admin.create("me", "open")["id"]
    other = somebody(client)
    document = other.join(game)
    first = admin if document["seats"][0]["player"]["id"] == admin.id else other
    first.move(game, "play create_2")
    assert answer(admin.ask("GET", "/v1/me"), 200)["id"] == admin.id
    admin.post("/v1/studies", {"title": "Notes", "games": [game]})
    issued = admin.post("/v1/tokens", {"label": "bot", "scopes": ["read", "play"]})
    assert issued["scopes"] == ["read", "play"]


def test_an_admin_token_does_not_see_what_its_player_may_not(client: FlaskClient, admin: Person) -> None:
    private = somebody(client).create("me", "open", visibility="private")["id"]
    assert admin.ask("GET", f"/v1/games/{private}").status_code == 404


def test_no_route_ends_in_a_fault_for_an_admin_token(app: Flask, client: FlaskClient) -> None:
    container = app.extensions["cabildo"]
    found = operations(client)
    assert len(found) > 100
    for method, path in found:
        person = somebody(client)
        with container.stores.pool.connection() as connection:
            _, person.token = store_token(connection, container.now(), UUID(person.id), "operator", ["admin"])
        bodies: tuple[dict[str, Any] | None, ...] = (None, {})
        for body in bodies:
            answered: Any = person.ask(method, addressed(path), body)
            assert answered.status_code < 500, (method, path, body, answered.get_data(as_text=True)[:300])
            told = answered.get_json(silent=True) or {}
            assert told.get("type") != "/problems#scope_missing", (method, path)


def test_a_token_of_less_cannot_make_one_for_administrators(client: FlaskClient) -> None:
    person = somebody(client)
    refused = person.post("/v1/tokens", {"label": "more", "scopes": ["admin"]}, 403)
    assert problem(refused) == "scope_missing"
    assert person.ask("DELETE", f"/v1/tokens/{uuid4()}").status_code == 404
