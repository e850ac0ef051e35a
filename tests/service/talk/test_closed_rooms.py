"""Closed rooms: the spectators' alone, as its host sees it, opened again, and swept with the game."""

from functools import partial

import psycopg
from flask import Flask
from flask.testing import FlaskClient

from service import settings
from service.core.clock import SECOND
from tests.service.conftest import Environ
from tests.support.service.held_accounts import asked_at_once
from tests.support.service.players import Person, answer, problem, somebody, two_at_a_table
from workers.keeper.duty_context import KeeperContext
from workers.keeper.talk import SweepOldTalk

DAYS = 181 * 86_400 * SECOND  # more than CABILDO_TALK_DAYS


def closed(person: Person, game: str) -> list[str]:
    """The closed rooms that a client is told of."""
    told: list[str] = answer(person.ask("GET", f"/v1/games/{game}/talk"), 200)["closed"]
    return told


def host_and_other(client: FlaskClient) -> tuple[str, Person, Person]:
    game, first, second = two_at_a_table(client, leaver="forfeit")
    leads = answer(first.ask("GET", f"/v1/games/{game}/talk"), 200)["may_close"]
    return game, *((first, second) if leads else (second, first))


def test_a_closed_room_of_spectators_leaves_the_players_theirs(client: FlaskClient) -> None:
    game, host, other = host_and_other(client)
    talk, watcher = f"/v1/games/{game}/talk", somebody(client)
    assert host.ask("PUT", f"{talk}/rooms", {"room": "spectators", "closed": True}).status_code == 200
    refused = watcher.post(talk, {"text": "She holds the caravan"}, 409)
    assert (problem(refused), refused["reason"]) == ("talk_refused", "closed")
    assert other.post(talk, {"text": "Good luck"})["room"] == "players"
    assert closed(watcher, game) == ["spectators"]
    assert closed(other, game) == []  # players learn nothing of the spectators before the end


def test_a_host_sees_which_room_is_closed_and_opens_it(client: FlaskClient) -> None:
    game, host, _ = host_and_other(client)
    talk, watcher = f"/v1/games/{game}/talk", somebody(client)
    for shut, told in ((True, ["spectators"]), (False, [])):
        host.ask("PUT", f"{talk}/rooms", {"room": "spectators", "closed": shut})
        assert closed(host, game) == told
    watcher.post(talk, {"text": "What a start"})


def test_rooms_that_are_closed_at_once_are_both_closed(app: Flask, environ: Environ) -> None:
    game, host, _ = host_and_other(app.test_client())
    asks = [partial(closing, app, host, game, room) for room in ("players", "spectators")]
    assert asked_at_once(environ, "LOCK TABLE talks IN SHARE MODE", *asks) == [200, 200]
    assert closed(host, game) == ["players", "spectators"]


def closing(app: Flask, host: Person, game: str, room: str) -> int:
    """Closes a room by a client of its own. Returns the status."""
    body, headers = {"room": room, "closed": True}, {"Authorization": f"Bearer {host.token}"}
    return app.test_client().put(f"/v1/games/{game}/talk/rooms", json=body, headers=headers).status_code


def test_a_closed_room_without_messages_is_swept(client: FlaskClient, environ: Environ) -> None:
    game, host, _ = host_and_other(client)
    host.ask("PUT", f"/v1/games/{game}/talk/rooms", {"room": "players", "closed": True})
    host.post(f"/v1/games/{game}/resign")
    context = KeeperContext(settings.load(environ), environ)
    try:
        with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as database:
            sweep = SweepOldTalk(context)
            sweep(database)
            assert database.execute("SELECT count(*) FROM talks").fetchone() == (1,)
            database.execute("UPDATE games SET changed = changed - %s", (DAYS,))
            sweep(database)
            assert database.execute("SELECT count(*) FROM talks").fetchone() == (0,)
    finally:
        context.close()
