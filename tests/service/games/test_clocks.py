"""Clocks over HTTP, in frozen time: decided from recorded times, after restarts too, never charged for an outage."""

from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from freezegun.api import StepTickTimeFactory

from events.store.connections import connect
from service import settings
from service.app import create_app
from service.core.clock import SECOND, iso_time, now
from service.core.outages import note_work
from tests.support.service.players import Person, answer, problem, running
from workers.keeper.clocks import SettleClocks
from workers.keeper.duty_context import KeeperContext

PER_MOVE = {"kind": "per_move", "seconds": 60}
BANK = {"kind": "bank", "seconds": 100, "increment": 5}
LONG = {"kind": "per_move", "seconds": 3600}
NOON = "2026-11-18 12:00:00"


def clock_of(player: Person, game: str) -> dict[str, Any]:
    """How the clocks stand."""
    told: dict[str, Any] = answer(player.ask("GET", f"/v1/games/{game}"), 200)["clock"]
    return told


def kinds(player: Person, game: str) -> list[str]:
    """Returns the events since the start."""
    events = answer(player.ask("GET", f"/v1/games/{game}/events?after=4"), 200)["events"]
    return [event["kind"] for event in events]


@pytest.fixture
def keeper(environ: dict[str, str]) -> Any:
    """One step of the keeper's duty to watch time."""
    timing = SettleClocks(KeeperContext(settings.load(environ), environ))

    def step() -> None:
        with connect(environ["DATABASE_URL"]) as connection:
            timing(connection)

    yield step
    timing.container.close()


def test_one_reading_of_the_clock_decides_and_dates_a_move(client: FlaskClient) -> None:
    """Each request is sent at another time before the flag falls, while each reading finds the clock further on."""
    with freeze_time(NOON, auto_tick_seconds=0.000001, ignore=["psycopg_pool", "events.store"]) as clock:
        assert isinstance(clock, StepTickTimeFactory)
        for early in range(2, 40, 2):
            game, (first, _) = running(client, f"Anna {early}", f"Birgir {early}", clock=PER_MOVE)
            deadline = first.ask("GET", f"/v1/games/{game}").get_json()["clock"]["deadline"]
            clock.tick(60 - early)
            clock.update_step_width(3)
            first.ask("POST", f"/v1/games/{game}/moves", {"move": "play create_2", "expected": 4})
            clock.update_step_width(0.000001)
            events = answer(first.ask("GET", f"/v1/games/{game}/events?after=4"), 200)["events"]
            late = [event for event in events if event["kind"] == "moved" and iso_time(event["at"]) > deadline]
            assert late == [], early


def test_without_a_clock_nobody_hurries(client: FlaskClient, keeper: Any) -> None:
    with freeze_time(NOON) as clock:
        game, (first, _) = running(client)
        clock.tick(10 * 365 * 86_400)
        keeper()
        assert clock_of(first, game) == {"kind": "none", "deadline": None}


def test_each_move_has_its_own_deadline(client: FlaskClient) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=PER_MOVE)
        assert clock_of(first, game)["deadline"] == "2026-11-18T12:01:00.000000Z"
        clock.tick(59)
        first.move(game, "play create_2")
        assert clock_of(first, game)["deadline"] == "2026-11-18T12:01:59.000000Z"
        assert clock_of(second, game)["running"] == 1


def test_a_bank_is_charged_for_time_used_and_gains_for_each_turn(client: FlaskClient) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=BANK)
        clock.tick(30)
        first.move(game, "play create_2")
        assert clock_of(first, game)["banks"] == [75, 100]
        clock.tick(70)
        second.move(game, "play create_2")
        assert clock_of(first, game)["banks"] == [75, 35]
        assert clock_of(first, game)["deadline"] == "2026-11-18T12:02:55.000000Z"


def test_a_flag_falls_on_time_and_a_bot_plays_on(client: FlaskClient, keeper: Any) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=PER_MOVE)
        clock.tick(59)
        keeper()
        assert kinds(second, game) == []
        clock.tick(1)
        keeper()
        assert kinds(second, game) == ["flag_fell"]
        seat = answer(second.ask("GET", f"/v1/games/{game}"), 200)["seats"][0]
        assert (seat["stand_in"], seat["forfeited"]) == ("random", False)
        assert clock_of(first, game)["deadline"] is None  # no time is counted for a bot
        keeper()
        assert kinds(second, game) == ["flag_fell"]


def test_who_moves_too_late_has_lost_the_seat_also_when_no_keeper_looked(client: FlaskClient) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=PER_MOVE, leaver="forfeit")
        clock.tick(61)
        assert first.move(game, "play create_2", 403)["reason"] == "gone"
        ended = answer(second.ask("GET", f"/v1/games/{game}"), 200)
        assert (ended["status"], ended["result"]["places"]) == ("finished", [2, 1])
        assert kinds(second, game) == ["flag_fell", "game_ended", "seed_revealed"]


def test_a_flag_falls_after_a_restart_too(environ: dict[str, str], keeper: Any) -> None:
    with freeze_time(NOON, ignore=["psycopg_pool"]) as clock:  # its threads end by a clock that goes on
        app = create_app(settings.load(environ))
        game, (_, second) = running(app.test_client(), clock=PER_MOVE)
        app.extensions["cabildo"].close()
        clock.tick(60)
        keeper()
        again = create_app(settings.load(environ))
        second.client = again.test_client()
        assert kinds(second, game) == ["flag_fell"]
        again.extensions["cabildo"].close()


def test_clocks_stand_still_while_the_service_is_away(client: FlaskClient, keeper: Any) -> None:
    with freeze_time(NOON) as clock:
        keeper()
        game, (first, _) = running(client, clock=BANK)
        clock.tick(10)
        keeper()
        clock.tick(3600)  # the service is down for an hour
        keeper()
        assert kinds(first, game) == ["service_was_away"]
        assert clock_of(first, game)["deadline"] == "2026-11-18T13:01:40.000000Z"
        clock.tick(12)
        keeper()
        first.move(game, "play create_2")
        assert clock_of(first, game)["banks"][0] == 100 - 10 - 12 + 5


def test_a_move_after_an_outage_is_free_until_a_keeper_is_back(client: FlaskClient, keeper: Any) -> None:
    with freeze_time(NOON) as clock:
        keeper()
        game, (first, _) = running(client, clock=PER_MOVE)
        clock.tick(3600)
        first.move(game, "play create_2")
        assert kinds(first, game) == ["service_was_away", "moved"]


def test_an_outage_before_the_turn_is_not_taken_off_it(client: FlaskClient, environ: dict[str, str]) -> None:
    with freeze_time(NOON) as clock, connect(environ["DATABASE_URL"]) as connection:
        note_work(connection, now(), 15 * SECOND)
        clock.tick(3600)
        game, (first, _) = running(client, clock=PER_MOVE)  # the keeper is still away
        clock.tick(1)
        first.move(game, "play create_2")
        away = answer(first.ask("GET", f"/v1/games/{game}/events?after=4"), 200)["events"][0]["data"]
        assert away["until"] - away["since"] == SECOND


def outages(environ: dict[str, str]) -> list[tuple[int, int]]:
    """The stored outages."""
    with connect(environ["DATABASE_URL"]) as connection:
        return connection.execute("SELECT since, until FROM outages ORDER BY since").fetchall()


def test_outage_is_stored_once_and_stated_with_the_next_event(
    client: FlaskClient, environ: dict[str, str], keeper: Any
) -> None:
    with freeze_time(NOON) as clock:
        keeper()
        game, (first, _) = running(client, clock=LONG)
        began = now()
        clock.tick(60)
        for _ in range(5):
            keeper()
            clock.tick(1)
        assert outages(environ) == [(began, began + 60 * SECOND)]
        assert kinds(first, game) == []
        assert clock_of(first, game)["deadline"] == "2026-11-18T13:01:00.000000Z"
        first.move(game, "play create_2")
        assert kinds(first, game) == ["service_was_away", "moved"]
        stated = answer(first.ask("GET", f"/v1/games/{game}/events?after=4"), 200)["events"][0]["data"]
        assert stated == {"since": began, "until": began + 60 * SECOND, "outage": began}
        keeper()
        assert kinds(first, game) == ["service_was_away", "moved"]


def test_each_outage_since_the_last_event_is_stated_once(
    client: FlaskClient, environ: dict[str, str], keeper: Any
) -> None:
    with freeze_time(NOON) as clock:
        keeper()
        game, (first, second) = running(client, clock=BANK)
        for away in (60, 40):
            clock.tick(10)
            keeper()
            clock.tick(away)
            keeper()
        first.move(game, "play create_2")
        assert kinds(first, game) == ["service_was_away", "service_was_away", "moved"]
        assert clock_of(first, game)["banks"][0] == 100 - 10 - 10 + 5
        clock.tick(5)
        keeper()
        second.move(game, "play create_2")
        assert kinds(first, game) == ["service_was_away", "service_was_away", "moved", "moved"]
        assert clock_of(first, game)["banks"] == [85, 100]


def test_refused_stranger_writes_nothing_during_an_outage(client: FlaskClient, keeper: Any) -> None:
    with freeze_time(NOON) as clock:
        keeper()
        game, (first, _) = running(client, clock=LONG)
        clock.tick(60)
        stranger = Person(client, "Stranger")
        for _ in range(3):
            stranger.post(f"/v1/games/{game}/resign", status=403)
        assert kinds(first, game) == []


def test_pass_that_takes_longer_than_the_grace_is_no_outage(
    client: FlaskClient, environ: dict[str, str], keeper: Any
) -> None:
    with freeze_time(NOON, auto_tick_seconds=0.000001) as clock:
        assert isinstance(clock, StepTickTimeFactory)
        games = [running(client, f"Anna {n}", f"Birgir {n}", clock=PER_MOVE, leaver="forfeit") for n in range(20)]
        keeper()
        clock.tick(61)
        with connect(environ["DATABASE_URL"]) as connection:
            connection.execute("UPDATE heartbeat SET at = %s", (now(),))
        clock.update_step_width(0.1)
        began = now()
        keeper()
        assert now() - began > 20 * SECOND
        clock.update_step_width(0.000001)
        keeper()
        assert outages(environ) == []
        assert [kinds(second, game)[0] for game, (_, second) in games] == ["flag_fell"] * 20


@pytest.mark.parametrize(
    "clock",
    [
        {"kind": "per_move"},
        {"kind": "bank", "seconds": 10},
        {"kind": "none", "seconds": 1},
        {"kind": "sand"},
        {"kind": "per_move", "seconds": 0},
    ],
)
def test_a_clock_is_set_with_its_own_fields(client: FlaskClient, clock: dict[str, Any]) -> None:
    refused = Person(client, "Anna").create("me", "open", status=422, clock=clock)
    assert problem(refused) == "invalid_request"


def test_an_undone_move_does_not_give_time_back(app: Flask, client: FlaskClient) -> None:
    with freeze_time(NOON) as clock:
        game, (first, _) = running(client, clock=BANK)
        clock.tick(30)
        first.move(game, "play create_2")
        first.post(f"/v1/games/{game}/undo")
        clock.tick(10)
        first.move(game, "play create_2")
        assert app.extensions["cabildo"].games.load(UUID(game)).known.clocks.banks[0] == (100 - 30 - 10 + 5) * SECOND
