"""What shared caches may keep: finished public games, asked for by nobody in particular, and nothing else."""

from typing import Any, Final, NamedTuple

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.web.auth import SESSION_COOKIE
from service.web.responses import LANGUAGE_COOKIE
from tests.support.service.annotators import a_finished_game, a_running_game
from tests.support.service.players import Person, somebody
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]

KEPT: Final = ("replay", "outline", "record", "position", "points", "events")
ELSE: Final = ("", "legal", "bundle", "talk", "decisions")
HIDDEN: Final = {"hand_visibility": "owner_only"}
PUBLIC: Final = "public, max-age=0, must-revalidate"


class Played(NamedTuple):
    """A game and one of its players."""

    game: str
    player: Person


@pytest.fixture(scope="module")
def games(client: FlaskClient) -> dict[str, Played]:
    """Games by what may be seen of them."""
    made: dict[str, Played] = {}
    for visibility in ("public", "unlisted", "private"):
        for name, make in (("running", a_running_game), ("over", a_finished_game)):
            game, player, _ = make(client, visibility=visibility)
            made[f"{visibility} {name}"] = Played(game, player)
    game, player, _ = a_running_game(client, options=HIDDEN)
    made["hidden running"] = Played(game, player)
    game, player, _ = a_running_game(client, spectator_delay=2)
    made["delayed running"] = Played(game, player)
    return made


def asked_by(app: Flask, kind: str, played: Played) -> tuple[FlaskClient, dict[str, str]]:
    """A client of each kind, and the headers of its requests."""
    client = app.test_client()
    if kind == "cookie":
        client.set_cookie(LANGUAGE_COOKIE, "is")
    if kind == "expired":
        client.set_cookie(SESSION_COOKIE, "nothing")
    tokens = {"player": played.player.token, "wrong token": "cab_nothing"}
    if kind == "spectator":
        tokens[kind] = somebody(client).token
    return client, {"Authorization": f"Bearer {tokens[kind]}"} if kind in tokens else {}


ASKERS: Final = ("nobody", "cookie", "expired", "player", "spectator", "wrong token")


@pytest.mark.parametrize("asker", ASKERS)
def test_only_finished_public_games_asked_by_nobody_are_kept(app: Flask, games: dict[str, Played], asker: str) -> None:
    public = set()
    for name, played in games.items():
        client, headers = asked_by(app, asker, played)
        for what in (*KEPT, *ELSE):
            answer = client.get(f"/v1/games/{played.game}/{what}".rstrip("/"), headers=headers)
            if answer.headers.get("Cache-Control", "").startswith("public"):
                assert (answer.status_code, answer.headers["Cache-Control"]) == (200, PUBLIC)
                assert "Set-Cookie" not in answer.headers
                public.add((name, what))
    assert public == ({("public over", what) for what in KEPT} if asker == "nobody" else set())


def test_kept_answers_vary_by_all_they_depend_on(app: Flask, games: dict[str, Played]) -> None:
    path = f"/v1/games/{games['public over'].game}/replay"
    first = app.test_client().get(path)
    depends: set[Any] = set(first.vary)
    assert {"accept", "accept-encoding", "accept-language", "authorization", "cookie"} <= {
        one.lower() for one in depends
    }
    again = app.test_client().get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.headers["Cache-Control"]) == (304, PUBLIC)


def test_a_game_that_ends_becomes_public_only_then(app: Flask, client: FlaskClient) -> None:
    game, _, second = a_running_game(client, leaver="forfeit")
    path = f"/v1/games/{game}/replay"
    assert "private" in app.test_client().get(path).headers["Cache-Control"]
    second.post(f"/v1/games/{game}/resign")
    assert app.test_client().get(path).headers["Cache-Control"] == PUBLIC
