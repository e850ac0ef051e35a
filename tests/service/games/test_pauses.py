"""Agreed pauses over HTTP, in frozen time: consent, clocks that stand, ends by hand and by themselves."""

from typing import Any

from flask.testing import FlaskClient
from freezegun import freeze_time

from projections.verify.bundle import verify
from service.core.clock import iso_time
from tests.service.games.test_clocks import BANK, LONG, NOON, clock_of, keeper, kinds
from tests.support.service.players import Person, answer, problem, running

__all__ = ["keeper"]  # a fixture of this module, too
HOUR = 3600
DAY = 24 * HOUR


def pause(player: Person, game: str, seconds: int = HOUR, status: int = 201) -> dict[str, Any]:
    return player.post(f"/v1/games/{game}/pause", {"seconds": seconds}, status)


def agree(player: Person, game: str, *, agrees: bool = True) -> None:
    player.post(f"/v1/games/{game}/offer", {"agrees": agrees})


def times(player: Person, game: str) -> dict[str, Any]:
    events = answer(player.ask("GET", f"/v1/games/{game}/events"), 200)["events"]
    return {event["kind"]: event for event in events}


def report(player: Person, game: str) -> Any:
    return verify(player.ask("GET", f"/v1/games/{game}/bundle").data, None)


def test_clocks_stand_from_the_last_consent_until_the_agreed_end(client: FlaskClient, keeper: Any) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second, third) = running(client, "Anna", "Birgir", "Carla", clock=BANK)
        clock.tick(30)
        pause(first, game)
        offered = answer(first.ask("GET", f"/v1/games/{game}"), 200)["offer"]
        assert (offered["what"], offered["seconds"]) == ("pause", HOUR)
        agree(second, game)
        assert clock_of(first, game)["paused_until"] is None  # Carla has not answered
        clock.tick(10)
        agree(third, game)
        stands = clock_of(first, game)
        assert stands["paused_until"] == stands["stands_until"] == "2026-11-18T13:00:40.000000Z"
        assert stands["deadline"] == "2026-11-18T13:01:40.000000Z"  # 60 s were left
        clock.tick(HOUR - 1)
        keeper()
        assert kinds(first, game)[-1] == "clock_paused"
        clock.tick(2)
        keeper()
        keeper()
        assert kinds(first, game)[-1] == "clock_resumed"  # once
        assert (
            clock_of(first, game)["deadline"] == "2026-11-18T13:01:40.000000Z"
        )  # by the agreed end, not by the keeper
        clock.tick(8)
        first.move(game, "play create_2")
        assert clock_of(first, game)["banks"][0] == 100 - 40 - 9 + 5
        assert report(first, game).failure is None


def test_any_player_resumes_and_the_clock_runs_at_once(client: FlaskClient) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=LONG)
        assert problem(second.post(f"/v1/games/{game}/pause/end", {}, 409)) == "pause_refused"
        pause(first, game, 30 * DAY)
        agree(second, game)
        assert (problem(told := pause(first, game, status=409)), told["reason"]) == ("pause_refused", "paused")
        clock.tick(10 * DAY)
        second.post(f"/v1/games/{game}/pause/end")
        assert clock_of(first, game)["deadline"] == "2026-11-28T13:00:00.000000Z"
        assert times(first, game)["clock_resumed"]["data"]["seat"] == 1
        assert report(first, game).failure is None


def test_moves_of_a_pause_are_played_use_no_time_and_bring_no_increment(client: FlaskClient) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=BANK)
        pause(first, game)
        agree(second, game)
        clock.tick(HOUR // 2)
        first.move(game, "play create_2")
        clock.tick(HOUR // 4)
        second.move(game, "play create_2")
        told = clock_of(first, game)
        assert (told["banks"], told["paused_until"]) == ([100.0, 100.0], "2026-11-18T13:00:00.000000Z")
        assert told["deadline"] == "2026-11-18T13:01:40.000000Z"
        undone = first.ask("POST", f"/v1/games/{game}/undo", {})
        assert problem(answer(undone, 422)) == "undo_refused"  # the other seat has moved
        second.post(f"/v1/games/{game}/undo")
        clock.tick(HOUR // 4 + 10)
        second.move(game, "play create_2")
        assert clock_of(first, game)["banks"] == [100.0, 95.0]  # 10 s after the end, and the increment
        assert report(first, game).failure is None


def test_bots_and_programs_agree(client: FlaskClient) -> None:
    with freeze_time(NOON):
        anna = Person(client, "Anna")
        program = anna.post("/v1/bots", {"name": "Annabot", "engine": "own 7"})
        game = anna.create(
            "me", "bot:random", program["player"]["id"] if "player" in program else program["id"], clock=LONG
        )["id"]
        answer(
            client.post(f"/v1/games/{game}/seats", json={}, headers={"Authorization": f"Bearer {program['token']}"}),
            201,
        )
        pause(anna, game)
        assert clock_of(anna, game)["paused_until"] == "2026-11-18T13:00:00.000000Z"


def test_alone_among_bots_nobody_stops_the_clocks_of_a_rated_game(client: FlaskClient) -> None:
    with freeze_time(NOON):
        game, (first, second) = running(client, clock=LONG, rated=True, leaver="bot:random")
        alone = first.create("me", "bot:random", "bot:random", clock=LONG, rated=True)["id"]
        assert (problem(told := pause(first, alone, status=409)), told["reason"]) == ("pause_refused", "nobody_to_ask")
        assert clock_of(first, alone)["paused_until"] is None
        pause(second, game)
        agree(first, game)
        assert clock_of(first, game)["paused_until"] == "2026-11-18T13:00:00.000000Z"
        second.post(f"/v1/games/{game}/pause/end")
        pause(second, game)
        first.post(f"/v1/games/{game}/resign")  # a bot plays on
        assert clock_of(second, game)["paused_until"] is None
        second.post(f"/v1/games/{game}/offer/withdrawal")


def test_a_pause_that_is_declined_resigned_or_forbidden(client: FlaskClient, keeper: Any) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=LONG)
        pause(first, game)
        agree(second, game, agrees=False)
        assert clock_of(first, game)["paused_until"] is None
        for wrong in (59, 30 * DAY + 1, None, "1"):
            assert problem(first.post(f"/v1/games/{game}/pause", {"seconds": wrong}, 422)) == "invalid_request"
        pause(first, game)
        agree(second, game)
        second.post(f"/v1/games/{game}/resign")
        clock.tick(HOUR + 1)
        keeper()
        assert kinds(first, game)[-1] == "clock_resumed"
        unclocked, (third, _) = running(client, "Dora", "Einar")
        assert pause(third, unclocked, status=409)["reason"] == "no_clock"
        never, (fourth, _) = running(client, "Finn", "Gerda", clock=LONG, pauses=False)
        assert pause(fourth, never, status=409)["reason"] == "forbidden"
        assert report(first, game).failure is None


def test_an_outage_in_a_pause_moves_nothing_twice(client: FlaskClient, keeper: Any) -> None:
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=LONG)
        keeper()
        pause(first, game, HOUR)
        agree(second, game)
        clock.tick(2 * HOUR)  # no keeper for two hours: one of them is the pause
        keeper()
        assert clock_of(first, game)["deadline"] == "2026-11-18T15:00:00.000000Z"
        assert kinds(first, game)[-2:] == ["service_was_away", "clock_resumed"]
        assert report(first, game).failure is None


def test_a_keeper_that_dies_before_it_records_the_end_loses_nothing(client: FlaskClient, keeper: Any) -> None:
    """A move after the pause finds the end itself, once; the flag falls when it should."""
    with freeze_time(NOON) as clock:
        game, (first, second) = running(client, clock=BANK)
        keeper()
        pause(first, game, 60)
        agree(second, game)
        clock.tick(61)
        first.move(game, "play create_2")
        assert kinds(first, game)[-2:] == ["clock_resumed", "moved"]
        keeper()
        pause(second, game, 60)
        agree(first, game)
        for _ in range(17):
            clock.tick(10)
            keeper()
        fell = times(first, game)["flag_fell"]
        assert iso_time(fell["data"]["deadline"]) == "2026-11-18T12:03:41.000000Z"
        assert report(first, game).failure is None
