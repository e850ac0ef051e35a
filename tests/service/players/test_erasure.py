"""Erasing an account: nothing waits for it any more, however often the process is killed on the way."""

import os
import signal
import subprocess
import sys
from typing import Any, Final

import psycopg
import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time

from events.store.connections import connect
from events.store.failpoints import VARIABLE
from projections.verify.bundle import verify
from service import settings
from service.players.reserved_names import DAY, RESERVED_FOR
from tests.support.running_program import PATIENCE, PROJECT
from tests.support.service.players import Person, answer, problem
from workers.keeper.duty_context import KeeperContext
from workers.keeper.erasures import FinishErasures

LOGIN: Final = {"password": "correct horse"}
NOTED: Final = "SELECT count(*) FROM erasures"
MOST_DEATHS: Final = 30


class Scene:
    """Anna and her bot in the middle of everything that waits for a player."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.client = client = app.test_client()
        self.anna = Person(client, "Anna", **LOGIN)
        self.birgir, self.cecilia = Person(client, "Birgir"), Person(client, "Cecilia")
        self.bot = self.anna.post("/v1/bots", {"name": "Annabot", "engine": "own 1"})
        self.cancelled = self.anna.create("me", "open")["id"]
        self.left = self.birgir.create("me", "open", "open")["id"]
        self.anna.join(self.left)
        self.kept = self.birgir.create("me", self.anna.id, "open")["id"]
        self.offering = self._running(self.birgir, self.anna)
        self.anna.post(f"/v1/games/{self.offering}/abort")
        self.asked = self._running(self.birgir, self.cecilia, self.anna)
        self.birgir.post(f"/v1/games/{self.asked}/abort")
        self.cecilia.post(f"/v1/games/{self.asked}/offer", {"agrees": True})
        self.of_bot = self.birgir.create("me", "open", start_player=0)["id"]
        self.send_as_bot("POST", f"/v1/games/{self.of_bot}/seats", {}, 201)
        self.tournament = self._entered()

    def _running(self, *players: Person) -> str:
        """Returns a game in its second round."""
        first, *others = players
        game = str(first.create("me", *("open" for _ in others), start_player=0, leaver="bot:random")["id"])
        for player in others:
            player.join(game)
        for player in players:
            player.move(game, "play create_2")
        return game

    def _entered(self) -> str:
        regulations = {"game": "spice_road", "stages": [{"format": "swiss", "rounds": 1}]}
        made = self.birgir.post("/v1/tournaments", {"title": "The open", "regulations": regulations})
        self.birgir.post(f"/v1/tournaments/{made['id']}/publication")
        self.anna.post(f"/v1/tournaments/{made['id']}/entrants")
        return str(made["id"])

    def send_as_bot(self, method: str, path: str, body: Any, status: int) -> dict[str, Any]:
        """Sends a request with the token of Anna's bot."""
        headers = {"Authorization": f"Bearer {self.bot['token']}"}
        return answer(self.client.open(path, method=method, json=body, headers=headers), status)

    def game(self, id: str) -> dict[str, Any]:
        """Returns the summary of a game as Birgir reads it."""
        return answer(self.birgir.ask("GET", f"/v1/games/{id}"), 200)

    def keep(self, environ: dict[str, str]) -> None:
        """Runs the keeper's duty."""
        context = KeeperContext(settings.load(environ), environ)
        with connect(environ["DATABASE_URL"]) as connection:
            FinishErasures(context)(connection)
        context.close()

    def noted(self) -> int:
        """Returns the number of accounts whose erasure is not finished."""
        with self.app.extensions["cabildo"].stores.pool.connection() as connection:
            return int(connection.execute(NOTED).fetchone()[0])

    def check_nothing_waits(self) -> None:
        """Asserts that no table, game, offer, seat or tournament waits for Anna or her bot."""
        assert self.game(self.cancelled)["status"] == "aborted"
        for table in (self.left, self.kept):
            waiting = self.game(table)
            assert waiting["status"] == "open"
            assert [seat["player"] and seat["player"]["id"] for seat in waiting["seats"]] == [
                self.birgir.id,
                None,
                None,
            ]
            assert self.cecilia.join(table)["seats"][1]["player"]["id"] == self.cecilia.id
        assert self.game(self.asked)["result"]["cause"] == "agreement"  # the others had agreed
        for game, player in ((self.offering, self.anna.id), (self.of_bot, self.bot["player"]["id"])):
            table = self.game(game)
            (own,) = (seat for seat in table["seats"] if seat["player"] and seat["player"]["id"] == player)
            assert (table["status"], own["stand_in"], own["player"]["name"]) == ("running", "random", None)
            assert table["offer"] is None
        entrants = answer(self.birgir.ask("GET", f"/v1/tournaments/{self.tournament}/entrants"), 200)["entrants"]
        assert [entry["status"] for entry in entrants] == ["withdrawn"]
        for game in (self.cancelled, self.left, self.kept, self.asked, self.offering, self.of_bot):
            assert verify(self.birgir.ask("GET", f"/v1/games/{game}/bundle").data, None).failure is None


@pytest.fixture
def scene(app: Flask) -> Scene:
    """Everything that waits for a player."""
    return Scene(app)


def test_an_erased_player_and_bot_leave_everything(scene: Scene, environ: dict[str, str]) -> None:
    session = answer(scene.client.post("/v1/session", json={"name": "Anna", **LOGIN}), 201)
    assert scene.client.delete("/v1/me", headers={"X-CSRF-Token": session["csrf"]}).status_code == 204
    scene.check_nothing_waits()
    assert scene.anna.ask("GET", "/v1/me").status_code == 401
    assert problem(scene.send_as_bot("GET", "/v1/me", None, 401)) == "unauthenticated"
    assert scene.client.post("/v1/session", json={"name": "Anna", **LOGIN}).status_code == 401
    assert scene.noted() == 2  # a request from before may still add something
    with freeze_time() as clock:
        clock.tick(11)
        scene.keep(environ)
    assert scene.noted() == 0


@pytest.mark.parametrize("point", ["erasure.after_account", "erasure.after_act", "append.after_commit"])
def test_an_erasure_killed_after_each_step_is_completed(point: str, scene: Scene, environ: dict[str, str]) -> None:
    deaths = 0
    while deaths < MOST_DEATHS and _erase(scene, environ, point) == -signal.SIGKILL:
        deaths += 1
    assert deaths >= (1 if point == "erasure.after_account" else 7)  # once for each thing that was left
    scene.check_nothing_waits()


@pytest.mark.parametrize("point", ["append.before_commit", "erasure.before_done"])
def test_a_keeper_completes_an_erasure_that_was_killed(point: str, scene: Scene, environ: dict[str, str]) -> None:
    assert _erase(scene, environ, point) == -signal.SIGKILL
    for _ in range(2):
        scene.keep(environ)
    scene.check_nothing_waits()


def _erase(scene: Scene, environ: dict[str, str], point: str) -> int:
    """Erases Anna's account, or goes on with it, in a process that dies at a fail point; returns its exit code."""
    command = [sys.executable, "-m", "tests.support.service.erase_account", scene.anna.id]
    env = {**os.environ, **environ, VARIABLE: f"{point}=kill"}
    return subprocess.run(command, env=env, cwd=PROJECT, timeout=PATIENCE).returncode


def test_a_guest_without_a_password_leaves_everything(client: FlaskClient) -> None:
    guest, birgir = Person(client, "Guest"), Person(client, "Birgir")
    game = birgir.create("me", "open", start_player=0)["id"]
    guest.join(game)
    assert guest.ask("DELETE", "/v1/me").status_code == 204
    seats = answer(birgir.ask("GET", f"/v1/games/{game}"), 200)["seats"]
    assert [seat["stand_in"] for seat in seats] == [None, "random"]


def test_the_name_of_an_erased_player_is_free_after_ninety_days(client: FlaskClient) -> None:
    birgir = Person(client, "Birgir")
    with freeze_time("2026-11-19 12:00:00") as clock:
        assert Person(client, "Anna").ask("DELETE", "/v1/me").status_code == 204
        for _ in range(2):
            assert problem(answer(client.post("/v1/players", json={"name": "ANNA"}), 409)) == "name_taken"
            assert birgir.ask("PATCH", "/v1/me", {"name": "Anna"}).status_code == 409
            clock.tick(RESERVED_FOR // DAY * 86_400 - 60)
        assert client.post("/v1/players", json={"name": "Anna"}).status_code == 201


def test_a_game_that_cannot_be_left_holds_up_no_other(scene: Scene, environ: dict[str, str]) -> None:
    anna, birgir = scene.anna, scene.birgir
    broken = birgir.create("me", "open", start_player=0, leaver="forfeit")["id"]
    anna.join(broken)
    with psycopg.connect(environ["DATABASE_URL"], autocommit=True) as connection:  # as its owner
        connection.execute("DELETE FROM seeds WHERE id = %s", (broken,))
    assert _erase(scene, environ, "no.such_point") == 0
    scene.check_nothing_waits()
    with freeze_time() as clock:
        clock.tick(11)
        scene.keep(environ)
    assert scene.noted() == 1  # Anna's, who still plays that game; her bot's is done
