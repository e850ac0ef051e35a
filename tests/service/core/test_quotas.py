"""Quotas of accounts: told in /v1/me, refused with a type, and not exceeded by two requests at once."""

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.core.command_handler import Request
from service.games.commands.seats import CreateGame, create_game
from service.games.decisions.proposals import Proposal, new_seed
from tests.service.conftest import opened_app
from tests.support.service.players import Person, answer, problem

LIMITS: Final = {
    "games": 4,
    "open_tables": 2,
    "bot_seats": 6,
    "studies": 2,
    "webhooks": 2,
    "tokens": 4,
    "bots": 2,
    "programs": 2,
}
AT_ONCE: Final = 8
GAME: Final = {"game": "spice_road", "seats": ["bot:random", "bot:random"]}
TABLE: Final = {"game": "spice_road", "seats": ["me", "open"]}
REQUESTS: Final[dict[str, tuple[str, dict[str, Any], int]]] = {  # what adds one to a quota, and how many fit
    "bot_seats": ("/v1/games", GAME, 3),
    "open_tables": ("/v1/games", TABLE, 2),
    "games": ("/v1/games", {"game": "spice_road", "seats": ["me", "bot:random"]}, 4),
    "studies": ("/v1/studies", {"title": "Openings", "games": []}, 2),
    "webhooks": ("/v1/webhooks", {"url": "http://127.0.0.1:9/hook"}, 2),
    "tokens": ("/v1/tokens", {"label": "more", "scopes": ["read"]}, 3),
}


@pytest.fixture
def app(environ: dict[str, str]) -> Iterator[Flask]:
    """The application with low limits."""
    changes = {f"CABILDO_MOST_{name.upper()}": str(most) for name, most in LIMITS.items()}
    with opened_app(environ, CABILDO_WEBHOOKS="anywhere", **changes) as app:
        yield app


def used(player: Person) -> dict[str, int]:
    """Returns the use of each quota that is not 0, beside the first token."""
    quotas = answer(player.ask("GET", "/v1/me"), 200)["quotas"]
    assert {name: quota["limit"] for name, quota in quotas.items()} == LIMITS
    return {name: quota["used"] for name, quota in quotas.items() if quota["used"] > (name == "tokens")}


@pytest.mark.parametrize("quota", REQUESTS)
def test_requests_at_once_do_not_exceed_a_quota(quota: str, app: Flask) -> None:
    anna, (path, body, fit) = Person(app.test_client(), "Anna"), REQUESTS[quota]

    def send(_number: int) -> tuple[int, dict[str, Any]]:
        told = Person.ask(anna_elsewhere(app, anna), "POST", path, body)
        return told.status_code, told.get_json()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        answers = list(threads.map(send, range(AT_ONCE)))
    assert Counter(status for status, _ in answers) == {201: fit, 422: AT_ONCE - fit}
    for status, refused in answers:
        if status == 422:
            assert (problem(refused), refused["quota"], refused["limit"]) == ("quota_reached", quota, LIMITS[quota])
    assert used(anna)[quota] == LIMITS[quota]


def anna_elsewhere(app: Flask, anna: Person) -> Person:
    """Returns the same account with a client of its own, for another thread."""
    other = Person.__new__(Person)
    other.__dict__ = {**anna.__dict__, "client": app.test_client()}
    return other


def test_an_account_and_its_bots_share_the_quotas(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    token = anna.post("/v1/bots", {"name": "Annabot", "engine": "own 1"})["token"]
    bot = {"Authorization": f"Bearer {token}"}
    assert used(anna) == {"bots": 1, "tokens": 2}
    for _ in range(2):
        answer(client.post("/v1/games", json=TABLE, headers=bot), 201)
    assert problem(anna.post("/v1/games", TABLE, 422)) == "quota_reached"
    assert answer(client.get("/v1/me", headers=bot), 200)["quotas"]["games"] == {"used": 2, "limit": 4}
    anna.post("/v1/bots", {"name": "Annabot 2", "engine": "own 1"})
    refused = anna.post("/v1/bots", {"name": "Annabot 3", "engine": "own 1"}, 422)
    assert (problem(refused), refused["quota"]) == ("quota_reached", "bots")
    birgir = Person(client, "Birgir")
    birgir.post("/v1/games", TABLE)
    assert used(birgir) == {"games": 1, "open_tables": 1}


def test_what_ends_or_is_deleted_gives_room_again(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    tables = [anna.create("me", "open")["id"] for _ in range(2)]
    anna.create("me", "open", status=422)
    anna.post(f"/v1/games/{tables[0]}/abort")
    anna.create("me", "open")
    studies = [anna.post("/v1/studies", {"title": "Openings", "games": []}) for _ in range(2)]
    anna.post("/v1/studies", {"title": "Openings", "games": []}, 422)
    study = studies[0]
    deleted = anna.ask("DELETE", f"/v1/studies/{study['study']}?saw={study['version']}")
    assert deleted.status_code == 200, deleted.text
    anna.post("/v1/studies", {"title": "Openings", "games": []})
    assert used(anna) == {"games": 2, "open_tables": 2, "studies": 2}


def test_a_table_that_another_player_fills_needs_no_room(client: FlaskClient) -> None:
    anna, birgir = Person(client, "Anna"), Person(client, "Birgir")
    for _ in range(4):
        birgir.join(anna.create("me", "open")["id"])
    assert used(anna) == {"games": 4}
    assert used(birgir) == {}
    assert problem(anna.create("me", "open", status=422)) == "quota_reached"


def test_games_of_the_operator_have_no_quota(app: Flask) -> None:
    container, proposal = app.extensions["cabildo"], Proposal("spice_road", {}, ["bot:random", "bot:random"])
    for _ in range(LIMITS["games"] + 1):
        create_game(container, CreateGame(proposal, new_seed()), Request("operator"))


def test_a_repeated_request_is_answered_beyond_the_quota(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    anna.create("me", "open")
    second = anna.post("/v1/games", TABLE, Idempotency_Key="second")
    assert anna.post("/v1/games", TABLE, Idempotency_Key="second") == second
    anna.create("me", "open", status=422)
