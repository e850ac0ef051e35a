"""Days away: slow clocks stand while a player is away, within the days of a year, and run again by themselves."""

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time

from events.store.connections import connect
from projections.verify.bundle import verify
from service import settings
from service.core.outages import note_work
from tests.service.games.test_clocks import NOON, clock_of, keeper, kinds
from tests.support.service.held_accounts import asked_at_once
from tests.support.service.players import Person, answer, problem, running
from tests.support.service.tournament_fixture import Hall
from workers.keeper.duty_context import KeeperContext
from workers.keeper.vacations import KeepVacations

__all__ = ["keeper"]  # a fixture of this module, too
SLOW = {"kind": "bank", "seconds": 2 * 86_400, "increment": 3600}
FAST = {"kind": "per_move", "seconds": 86_399}
DAY = 86_400


@pytest.fixture
def duty(environ: dict[str, str]) -> Any:
    """The keeper's duty for days away; a step does all there is."""
    keeping = KeepVacations(KeeperContext(settings.load(environ), environ))

    def step() -> None:
        with connect(environ["DATABASE_URL"]) as connection:
            while keeping(connection):
                pass

    yield step
    keeping.container.close()


def be_away(player: Person, days: int = 7, status: int = 200, **more: Any) -> dict[str, Any]:
    return answer(player.ask("PUT", "/v1/me/vacation", {"days": days, **more}), status)


def come_back(player: Person, status: int = 200) -> dict[str, Any]:
    return answer(player.ask("DELETE", "/v1/me/vacation"), status)


def away_until(player: Person, game: str) -> list[str | None]:
    seats = answer(player.ask("GET", f"/v1/games/{game}"), 200)["seats"]
    return [seat["away_until"] for seat in seats]


def keeper_was_there(client: FlaskClient) -> None:
    """Notes that a keeper has worked until now, so that nothing counts as an outage."""
    here = client.application.extensions["cabildo"]
    with here.stores.pool.connection() as connection:
        note_work(connection, here.now(), 10 * DAY * 1_000_000)


def verified(player: Person, game: str) -> bool:
    return verify(player.ask("GET", f"/v1/games/{game}/bundle").data, None).failure is None


def test_slow_clocks_stand_while_their_player_is_away(client: FlaskClient, keeper: Any, duty: Any) -> None:
    with freeze_time(NOON) as clock:
        slow, (first, second) = running(client, clock=SLOW)
        fast, _ = running(client, "Carla", "David", clock=FAST)
        clock.tick(DAY)
        keeper()
        told = be_away(first)
        assert (told["away"], told["until"], told["days_left"]) == (True, "2026-11-26T12:00:00.000000Z", 23)
        duty()
        duty()
        assert kinds(first, slow) == ["away_began"]
        assert away_until(second, slow) == ["2026-11-26T12:00:00.000000Z", None]
        assert clock_of(second, slow)["stands_until"] == "2026-11-26T12:00:00.000000Z"
        clock.tick(2 * DAY)
        first.move(slow, "play create_2")  # a player who is away may move; it brings no increment
        assert clock_of(first, slow)["banks"][0] == DAY
        assert clock_of(first, slow)["stands_until"] is None  # the other clock runs
        second.move(slow, "play create_2")
        assert come_back(first)["days_left"] == 28
        duty()
        assert kinds(first, slow)[-1] == "away_ended"
        assert away_until(second, slow) == [None, None]
        assert problem(come_back(first, 409)) == "vacation_refused"
        assert "away_began" not in kinds(first, fast)
        assert verified(first, slow)


def test_days_away_end_by_themselves_after_an_outage_too(client: FlaskClient, keeper: Any, duty: Any) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=SLOW)
        keeper()
        be_away(first, 1, since="2026-11-19T12:00:00Z")
        assert away_until(second, game) == [None, None]
        for tick in (DAY - 10, 10):  # the first of them is an outage
            clock.tick(tick)
            keeper()
        duty()
        assert kinds(first, game)[-1] == "away_began"
        clock.tick(DAY + 5)  # nobody works while the days away end
        keeper()
        assert kinds(first, game)[-2:] == ["service_was_away", "away_ended"]
        assert clock_of(first, game)["stands_until"] is None
        duty()
        keeper()
        assert kinds(first, game)[-1] == "away_ended"
        assert verified(first, game)


def test_no_flag_falls_that_was_still_up_when_days_away_began(client: FlaskClient, keeper: Any, duty: Any) -> None:
    """The keeper comes late to the beginning, after the flag; it counts from the time that was declared."""
    with freeze_time(NOON) as clock:
        game, (first, _) = running(client, clock={"kind": "per_move", "seconds": DAY})
        clock.tick(DAY - 5)
        be_away(first, 3)
        keeper_was_there(client)
        clock.tick(8)
        keeper()
        assert kinds(first, game) == ["away_began"]
        assert clock_of(first, game)["deadline"] == "2026-11-22T12:00:00.000000Z"
        duty()
        assert kinds(first, game) == ["away_began"]
        assert verified(first, game)


def test_a_game_that_starts_finds_its_players_away(client: FlaskClient, duty: Any) -> None:
    with freeze_time(NOON):
        first, second = Person(client, "Anna"), Person(client, "Birgir")
        be_away(second, 2)
        duty()
        game = first.create("me", "open", clock=SLOW, start_player=1)["id"]
        second.join(game)
        duty()
        assert "2026-11-20T12:00:00.000000Z" in away_until(first, game)
        first.post(f"/v1/games/{game}/resign")
        assert verified(first, game)


def test_the_days_of_a_year_are_bounded(client: FlaskClient) -> None:
    with freeze_time(NOON) as clock:
        player = Person(client, "Anna")
        assert be_away(player, 31, 422)["type"].endswith("invalid_request")
        be_away(player, 20)
        assert be_away(player, 1, 409)["reason"] == "declared"
        clock.tick(10 * DAY)
        assert come_back(player)["days_left"] == 20
        refused = be_away(player, 21, 409)
        assert (problem(refused), refused["reason"]) == ("vacation_refused", "budget")
        for _ in range(3):  # each time takes a day at least
            clock.tick(60)
            be_away(player, 5)
            come_back(player)
        assert answer(player.ask("GET", "/v1/me/vacation"), 200)["days_left"] == 17
        be_away(player, 30, since="2027-01-01T00:00:00Z")
        assert come_back(player)["since"] is None  # cancelled before it began
        assert be_away(player, 2, 409, since="2026-11-01T00:00:00Z")["reason"] == "since"
        assert be_away(player, 2, 409, since="2028-11-01T00:00:00Z")["reason"] == "since"


def test_days_away_declared_at_once_are_no_more_than_those_of_the_year(app: Flask, environ: dict[str, str]) -> None:
    player, now = Person(app.test_client(), "Anna"), datetime.now(UTC)
    is_early = now.timetuple().tm_yday < 200
    first = now + timedelta(days=5) if is_early else datetime(now.year + 1, 1, 5, tzinfo=UTC)
    begins = [(first + timedelta(days=35 * number)).isoformat() for number in range(3)]  # in the same year
    asks = [partial(declared, app, player.token, {"days": 30, "since": since}) for since in begins]
    assert sorted(asked_at_once(environ, "LOCK TABLE vacations IN SHARE MODE", *asks)) == [200, 409, 409]


def declared(app: Flask, token: str, body: dict[str, Any]) -> int:
    """The status of a declaration, by a client of its own."""
    headers = {"Authorization": f"Bearer {token}"}
    return app.test_client().put("/v1/me/vacation", json=body, headers=headers).status_code


def test_tournaments_may_rule_pauses_out(app: Flask, duty: Any) -> None:
    heats = {"format": "heats", "rounds": 1, "sizes": [2]}
    hall = Hall(app, [heats], pauses=False, clock=SLOW).open(people=2)
    assert answer(hall.host.ask("GET", hall.path), 200)["regulations"]["pauses"] is False
    hall.direct("stages")
    hall.start()
    (game,) = map(str, hall.games())
    first = hall.people[0]
    assert answer(first.ask("POST", f"/v1/games/{game}/pause", {"seconds": 60}), 409)["reason"] == "forbidden"
    be_away(first)
    duty()
    assert away_until(first, game) == [None, None]


def test_a_pause_and_days_away_overlap(client: FlaskClient, keeper: Any, duty: Any) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock={"kind": "per_move", "seconds": DAY})
        first.post(f"/v1/games/{game}/pause", {"seconds": 3 * DAY})
        second.post(f"/v1/games/{game}/offer", {"agrees": True})
        clock.tick(DAY)
        be_away(first, 7)
        duty()
        assert clock_of(first, game)["deadline"] == "2026-11-27T12:00:00.000000Z"
        come_back(first)
        duty()
        assert clock_of(first, game)["deadline"] == "2026-11-22T12:00:00.000000Z"  # the pause goes on
        second.post(f"/v1/games/{game}/pause/end")
        assert clock_of(first, game)["deadline"] == "2026-11-20T12:00:00.000000Z"
        assert verified(first, game)
