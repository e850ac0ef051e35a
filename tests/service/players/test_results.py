"""Results of players by seat, against one another, and the time of moves."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from freezegun import freeze_time

from events.store.connections import connect
from service.core.clock import SECOND, now
from service.core.outages import note_work
from tests.service.games.test_clocks import LONG, NOON, keeper
from tests.support.service.players import Person, answer, problem, two_at_a_table

__all__ = ["keeper"]  # a fixture of this module, too


def test_results_count_public_games_by_seat_and_meeting(client: FlaskClient) -> None:
    game, first, second = two_at_a_table(client, leaver="forfeit")
    first.move(game, "play create_2")
    second.move(game, "play create_2")
    first.post(f"/v1/games/{game}/resign")
    hidden = first.create("me", second.id, visibility="private", leaver="forfeit")["id"]
    second.join(hidden)
    first.post(f"/v1/games/{hidden}/resign")
    told = answer(client.get(f"/v1/players/{second.id}/results?against={first.id}"), 200)
    (seat,) = told["by_seat"]
    shown = ("game", "players", "seat", "played", "won", "mean_place")
    assert [seat[name] for name in shown] == ["spice_road", 2, 1, 1, 1, 1.0]
    assert told["against"] == [{"game": "spice_road", "played": 1, "ahead": 1, "behind": 0}]
    assert (told["time"]["games"], told["time"]["moves"]) == (1, 1)
    assert told["time"]["mean_seconds"] >= 0
    other = answer(client.get(f"/v1/players/{first.id}/results"), 200)
    assert ([row["won"] for row in other["by_seat"]], other["against"]) == ([0], [])
    page = client.get(f"/players/{second.id}").text
    assert "Results by seat" in page
    assert "Mean time of a move" in page


def test_a_player_without_games_has_no_results(client: FlaskClient) -> None:
    anna = Person(client, "Anna")
    assert answer(client.get(f"/v1/players/{anna.id}/results"), 200) == {"by_seat": [], "against": [], "time": None}
    unknown = "00000000-0000-0000-0000-000000000007"
    assert problem(answer(client.get(f"/v1/players/{unknown}/results"), 404)) == "not_there"


@pytest.mark.parametrize(("seconds", "spelled"), [(7, "0:07"), (3723, "1:02:03"), (190_800, "2d 5h")])
def test_the_time_of_a_move_is_spelled_as_on_the_clocks(client: FlaskClient, seconds: int, spelled: str) -> None:
    with freeze_time(NOON) as clock:
        game, first, second = two_at_a_table(client, leaver="forfeit")
        clock.tick(seconds)
        first.move(game, "play create_2")
        second.post(f"/v1/games/{game}/resign")
        assert f"newest games: {spelled} (1 move)" in client.get(f"/players/{first.id}").text


def mean_seconds(player: Person) -> float:
    """Returns the mean time of a move in the results of a player."""
    told = answer(player.ask("GET", f"/v1/players/{player.id}/results"), 200)
    return float(told["time"]["mean_seconds"])


def test_a_pause_is_no_time_of_a_move(client: FlaskClient, keeper: Any) -> None:
    with freeze_time(NOON) as clock:
        game, first, second = two_at_a_table(client, clock=LONG, leaver="forfeit")
        clock.tick(30)
        first.post(f"/v1/games/{game}/pause", {"seconds": 1800})
        second.post(f"/v1/games/{game}/offer", {"agrees": True})
        clock.tick(1800)
        keeper()
        clock.tick(10)
        first.move(game, "play create_2")
        second.post(f"/v1/games/{game}/resign")
        assert mean_seconds(first) == pytest.approx(40)


@pytest.mark.parametrize("more", [{}, {"clock": LONG}], ids=["without clocks", "with clocks"])
def test_an_outage_is_no_time_of_a_move(client: FlaskClient, environ: dict[str, str], more: dict[str, Any]) -> None:
    with freeze_time(NOON) as clock:
        game, first, second = two_at_a_table(client, leaver="forfeit", **more)
        with connect(environ["DATABASE_URL"]) as connection:
            clock.tick(20)
            note_work(connection, now(), 60 * SECOND)
            connection.commit()
            clock.tick(1200)
            note_work(connection, now(), 60 * SECOND)
            connection.commit()
        clock.tick(10)
        first.move(game, "play create_2")
        second.post(f"/v1/games/{game}/resign")
        assert mean_seconds(first) == pytest.approx(30)
