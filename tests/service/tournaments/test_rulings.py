"""What directors rule: events with author and reason, in the games they are about too, visible to players."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from projections.verify.archive import verify_archive
from projections.verify.bundle import INVALID
from tests.support.service.players import Person, answer, problem, somebody
from tests.support.service.tournament_fixture import Hall, play

SWISS = {"format": "swiss", "rounds": 1, "sizes": [4, 3]}
BANK = {"kind": "bank", "seconds": 600, "increment": 5}
WON: dict[str, Any] = {
    "round": 1,
    "table": 1,
    "points": [30, 20, 10],
    "places": [1, 2, 3],
    "reason": "The lamp went out",
}


@pytest.fixture
def hall(app: Flask) -> Hall:
    """A running table of three players, and an entrant in the reserve."""
    hall = Hall(app, [SWISS], most=3, clock=BANK).open(people=4)
    hall.direct("stages")
    start(hall)
    return hall


def start(hall: Hall) -> None:
    hall.direct("rounds")
    hall.direct("rounds/current/publication")
    hall.direct("rounds/current/start")
    hall.keep()


def seats(hall: Hall) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hall.read("rounds/1")["tables"][0]["seats"]
    return found


def game(hall: Hall) -> dict[str, Any]:
    return answer(hall.client.get(f"/v1/games/{hall.games()[0]}"), 200)


def told(hall: Hall) -> list[dict[str, Any]]:
    """The events of the game that rulings brought about."""
    events = answer(hall.client.get(f"/v1/games/{hall.games()[0]}/events"), 200)["events"]
    return [event for event in events if event["actor"] == hall.host.id]


def person(hall: Hall, seat: int) -> Person:
    return next(one for one in hall.people if one.id == seats(hall)[seat]["player"])


def test_lists_show_a_replaced_player_as_late_as_spectators_may_know(app: Flask) -> None:
    hall = Hall(app, [SWISS], most=3, clock=BANK, spectator_delay=2).open(people=4)
    hall.direct("stages")
    start(hall)
    old = seats(hall)[0]
    hall.direct("rulings/substitution", {"round": 1, "table": 1, "entrant": old["entrant"], "by": 4, "reason": "Ill"})
    hall.keep()
    reader = somebody(app.test_client())
    listed = answer(reader.ask("GET", "/v1/games?status=running"), 200)["games"]
    known = [seat["player"] for game in listed if game["tournament"] == hall.id for seat in game["seats"]]
    assert old["player"] in {player["id"] for player in known if player}
    own = answer(hall.people[3].ask("GET", "/v1/games?status=running"), 200)["games"]
    assert hall.people[3].id in {seat["player"]["id"] for game in own for seat in game["seats"] if seat["player"]}


def test_added_time_reaches_the_clock_of_the_game_once(hall: Hall) -> None:
    entrant = seats(hall)[1]["entrant"]
    about = {"round": 1, "table": 1, "entrant": entrant, "seconds": 60, "reason": "A fire alarm"}
    (ruling,) = hall.direct("rulings/time", about)["rulings"]
    hall.keep()
    hall.keep()
    ruled, changed = told(hall)
    assert (ruled["kind"], ruled["data"]["details"]) == ("ruled", {"tournament": hall.id, "event": ruling["event"]})
    assert (changed["kind"], changed["data"]["cause"]) == ("clock_changed", "ruling")
    assert game(hall)["clock"]["banks"][1] == 660
    assert (ruling["by"]["id"], ruling["reason"]) == (hall.host.id, "A fire alarm")
    assert hall.read("rulings")["rulings"] == [ruling]


def test_where_each_move_is_timed_added_time_is_for_the_one_who_is_to_act(app: Flask) -> None:
    hall = Hall(app, [SWISS], clock={"kind": "per_move", "seconds": 600}).open(people=3)
    hall.direct("stages")
    start(hall)
    before = game(hall)["clock"]["deadline"]
    for seat in (0, 1):
        about = {
            "round": 1,
            "table": 1,
            "entrant": seats(hall)[seat]["entrant"],
            "seconds": 60,
            "reason": "A fire alarm",
        }
        hall.direct("rulings/time", about)
        hall.keep()
    after = game(hall)["clock"]["deadline"]
    assert datetime.fromisoformat(after) - datetime.fromisoformat(before) == timedelta(seconds=60)
    assert [event["kind"] for event in told(hall)] == ["ruled", "clock_changed", "ruled"]


def test_time_is_added_to_no_clock_that_does_not_run(app: Flask) -> None:
    hall = Hall(app, [SWISS]).open(people=3)
    hall.direct("stages")
    start(hall)
    about = {"round": 1, "table": 1, "entrant": 1, "seconds": 60, "reason": "A fire alarm"}
    assert hall.direct("rulings/time", about, 422)["reason"] == "no_clock"


def test_an_adjudicated_table_is_not_played_on_and_counts(hall: Hall) -> None:
    hall.direct("rulings/result", WON)
    hall.keep()
    assert (game(hall)["status"], game(hall)["result"]) == ("aborted", {"cause": "ruling"})
    table = hall.direct("rounds/current/closing")["tables"][0]
    assert (table["result"]["ruling"], table["result"]["places"]) == ("adjudicated", [1, 2, 3])
    first = hall.read("standings")["lines"][0]
    assert first["player"] == seats(hall)[0]["player"]


def test_standings_follow_a_result_corrected_after_its_round(hall: Hall) -> None:
    hall.direct("rulings/result", WON)
    hall.keep()
    hall.direct("rounds/current/closing")
    before = hall.read("standings")
    hall.direct("rulings/result", {**WON, "places": [3, 2, 1], "points": [10, 20, 30], "reason": "Read upside down"})
    after = hall.read("standings")
    assert before["lines"][0]["player"] == after["lines"][-1]["player"]
    assert after["version"] == before["version"] + 1
    assert hall.read("rounds/1")["tables"][0]["result"]["ruling"] == "corrected"


def test_a_void_table_counts_for_nothing(hall: Hall) -> None:
    hall.direct("rulings/void", {"round": 1, "table": 1, "reason": "Wrong options"})
    hall.keep()
    hall.direct("rounds/current/closing")
    assert {line["values"]["points"] for line in hall.read("standings")["lines"]} == {"0"}
    assert problem(hall.direct("rulings/result", WON, 422)) == "ruling_refused"


def test_a_substitute_plays_on_with_the_seat(hall: Hall) -> None:
    old = seats(hall)[2]
    hall.direct("rulings/substitution", {"round": 1, "table": 1, "entrant": old["entrant"], "by": 4, "reason": "Ill"})
    hall.keep()
    assert [seat["entrant"] for seat in seats(hall)][2] == 4
    assert game(hall)["seats"][2]["player"]["id"] == hall.people[3].id
    assert [event["kind"] for event in told(hall)] == ["ruled", "player_replaced"]


def test_a_disqualified_player_leaves_the_game_and_ranks_last(hall: Hall) -> None:
    out = seats(hall)[0]
    hall.direct("rulings/disqualification", {"entrant": out["entrant"], "reason": "Two accounts"})
    hall.keep()
    assert game(hall)["seats"][0]["stand_in"] == "random"
    hall.direct("rulings/result", WON)
    assert hall.read("standings")["lines"][-1]["player"] == out["player"]
    assert person(hall, 0).post(f"{hall.path}/entrants", {}, 409)["reason"] == "too_late"


def test_rulings_that_cannot_be_given_are_refused(hall: Hall) -> None:
    at, why = {"round": 1, "table": 1}, {"reason": "Because"}
    refused = [
        ("result", {**WON, "table": 2}, "no_such_table"),
        ("result", {**WON, "places": [1, 2]}, "seats"),
        ("result", {**WON, "places": [2, 2, 3]}, "places"),
        ("result", {**WON, "forfeited": [3]}, "seats"),
        ("substitution", {**at, **why, "entrant": 1, "by": 2}, "seated"),
        ("substitution", {**at, **why, "entrant": 4, "by": 4}, "not_at_table"),
        ("time", {**at, **why, "entrant": 4, "seconds": 5}, "not_at_table"),
    ]
    for name, body, reason in refused:
        document = hall.direct(f"rulings/{name}", body, 422)
        assert (problem(document), document["reason"]) == ("ruling_refused", reason)
        if "forfeited" in body and reason == "seats":
            assert document["detail"] == "the table has only 3 seats"
    assert problem(hall.direct("rulings/void", at, 422)) == "invalid_request"  # without a reason
    assert problem(hall.people[0].post(f"{hall.path}/rulings/void", {**at, **why}, 403)) == "not_allowed"
    assert hall.read("rulings")["rulings"] == []


@pytest.mark.parametrize(("what", "body"), [("abort", {}), ("take-back", {"to": 1})])
def test_tournament_players_cannot_agree_to_abort_or_take_back(hall: Hall, what: str, body: dict[str, Any]) -> None:
    refused = person(hall, 0).post(f"/v1/games/{hall.games()[0]}/{what}", body, 403)
    assert (problem(refused), refused["reason"]) == ("not_allowed", "tournament")


@pytest.mark.parametrize("duplicate", [False, True])
def test_a_table_that_is_decided_before_its_game_begins_is_not_played(app: Flask, duplicate: bool) -> None:
    hall = Hall(app, [SWISS], bots="random", duplicate=duplicate).open(bots=10)
    hall.direct("stages")
    hall.direct("rounds")
    hall.direct("rounds/current/publication")
    hall.direct("rulings/result", {**WON, "table": 3})
    hall.direct("rulings/void", {"round": 1, "table": 2, "reason": "The room is locked"})
    hall.direct("rounds/current/start")
    hall.keep()
    assert [hall.client.get(f"/v1/games/{game}").status_code for game in hall.games()] == [
        403 if duplicate else 200,  # the table with the same deal still plays
        404,
        404,
    ]
    play(hall.container, hall.games()[0])
    hall.keep()
    hall.direct("rounds/current/closing")
    hall.direct("stages/current/closing")
    hall.direct("closing")
    report = verify_archive(hall.client.get(f"{hall.path}/archive").data, None)
    assert len(report.games) == 2  # the tournament, and the only game that was played
    assert report.verdict != INVALID, report
