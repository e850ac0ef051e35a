"""Processes with different master keys side by side, as while they are restarted one by one."""

import base64
from collections.abc import Iterator
from contextlib import ExitStack
from typing import NamedTuple

import pytest
from flask import Flask

from tests.service.conftest import Environ, opened_app
from tests.support.service.players import Person, answer, problem, somebody

OLD, NEW = (base64.b64encode(bytes([number]) * 32).decode() for number in (1, 2))


class Fleet(NamedTuple):
    """Web processes of the three steps: with the old key, with both, and encrypting under the new one."""

    untouched: Flask
    prepared: Flask
    changed: Flask


@pytest.fixture
def fleet(environ: Environ) -> Iterator[Fleet]:
    with ExitStack() as opened:
        yield Fleet(
            opened.enter_context(opened_app(environ, CABILDO_MASTER_KEY=OLD)),
            opened.enter_context(opened_app(environ, CABILDO_MASTER_KEY=OLD, CABILDO_MASTER_KEY_NEXT=NEW)),
            opened.enter_context(opened_app(environ, CABILDO_MASTER_KEY=NEW, CABILDO_MASTER_KEY_PREVIOUS=OLD)),
        )


def at(app: Flask, person: Person) -> Person:
    """Returns the person, whose requests go to another process."""
    person.client = app.test_client()
    return person


def draw(person: Person, game: str) -> int:
    """Buys a card, so that the next one is drawn by the secret seed."""
    return person.ask("POST", f"/v1/games/{game}/moves", {"move": "buy 1"}).status_code


@pytest.mark.parametrize(("first", "second"), [("prepared", "changed"), ("changed", "prepared")])
def test_games_of_one_process_go_on_in_the_other(fleet: Fleet, first: str, second: str) -> None:
    here, there = getattr(fleet, first), getattr(fleet, second)
    anna, birna = somebody(here.test_client()), somebody(here.test_client())
    table = anna.create("me", "invite", start_player=0)
    at(there, birna).join(table["id"], invite=table["invites"]["1"])
    assert draw(at(there, anna), table["id"]) == 201


def test_a_repeated_request_gets_a_code_that_every_process_takes(fleet: Fleet) -> None:
    anna = somebody(fleet.prepared.test_client())
    body = {"game": "spice_road", "seats": ["me", "invite", "invite"]}
    first = answer(anna.ask("POST", "/v1/games", body, **{"Idempotency-Key": "1"}), 201)
    again = answer(at(fleet.changed, anna).ask("POST", "/v1/games", body, **{"Idempotency-Key": "1"}), 201)
    assert again["id"] == first["id"]
    assert again["invites"]["1"] != first["invites"]["1"]
    somebody(fleet.changed.test_client()).join(first["id"], invite=first["invites"]["1"])
    somebody(fleet.prepared.test_client()).join(first["id"], invite=again["invites"]["2"])


def test_a_process_without_the_new_key_says_so(fleet: Fleet) -> None:
    anna, birna = somebody(fleet.changed.test_client()), somebody(fleet.changed.test_client())
    table = anna.create("me", "open", start_player=0)
    birna.join(table["id"])
    refused = at(fleet.untouched, anna).ask("POST", f"/v1/games/{table['id']}/moves", {"move": "buy 1"})
    assert problem(answer(refused, 500)) == "sealed_seed_lost"
    assert draw(at(fleet.prepared, anna), table["id"]) == 201
