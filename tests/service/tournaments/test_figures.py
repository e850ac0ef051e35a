"""Cross-table, statistics and explanations over HTTP and as sheets: they add up, and end in events of the log."""

import csv
from fractions import Fraction
from typing import Any

import pytest
from flask import Flask

from events.store.connections import connect
from tests.service.ratings.test_ratings import a_game, follow
from tests.support.service.players import answer, problem, somebody
from tests.support.service.tournament_fixture import Hall

CRITERIA = ["points", "wins", "share", "draw"]
HEATS = {"format": "heats", "rounds": 2, "sizes": [4, 3], "criteria": CRITERIA}


@pytest.fixture(scope="module")
def hall(app: Flask) -> Hall:
    """Seven bots after two heats."""
    hall = Hall(app, [HEATS], bots="random").open(bots=7)
    hall.direct("stages")
    for _ in range(2):
        hall.round()
    return hall


def sheet(hall: Hall, what: str) -> list[list[str]]:
    response = hall.client.get(f"{hall.path}/{what}", headers={"Accept": "text/csv"})
    assert response.status_code == 200
    assert response.content_type == "text/csv; charset=utf-8"
    return list(csv.reader(response.get_data(as_text=True).splitlines()))


def kinds(hall: Hall) -> dict[int, str]:
    """Returns the kinds of the tournament's events."""
    page = answer(hall.client.get(f"{hall.path}/events?limit=500"), 200)
    return {event["seq"]: event["kind"] for event in page["events"]}


def test_figures_add_up_and_name_the_events_they_rest_on(hall: Hall) -> None:
    known = kinds(hall)
    crossed, counted = hall.read("cross-table"), hall.read("statistics")
    for line in crossed["lines"]:
        cells: list[dict[str, Any]] = line["rounds"]
        assert sum(Fraction(cell["points"]) for cell in cells) == Fraction(line["values"]["points"])
        assert [len(cell["met"]) for cell in cells] in ([3, 3], [3, 2], [2, 3], [2, 2])
        assert {known[event] for cell in cells for event in cell["events"]} == {"round_paired", "result_recorded"}
    assert counted["tables"] == 4
    assert sum(Fraction(seat["wins"]) for seat in counted["seats"]) == 4
    assert sum(end["games"] for end in counted["ends"]) >= 4
    assert {known[event] for end in counted["ends"] for event in end["events"]} == {"result_recorded"}


def test_before_the_first_stage_there_is_nothing_to_count(app: Flask) -> None:
    hall = Hall(app, [HEATS], bots="random").open(bots=4)
    told = answer(hall.client.get(f"{hall.path}/standings"), 404)
    assert (problem(told), told["detail"].startswith("there is no stage yet, for none has begun")) == (
        "not_there",
        True,
    )


def test_they_are_sheets_for_who_asks_for_csv(hall: Hall) -> None:
    assert [len(row) for row in sheet(hall, "cross-table")] == [2 + 2 * 3 + 1] * 8
    assert [row[0] for row in sheet(hall, "statistics")][:8] == ["what", *["seat"] * 7]
    assert sheet(hall, "standings")[0] == ["rank", "player", *CRITERIA, "decided by", "left with event"]
    assert len(sheet(hall, "rounds/1")) == 8


def test_the_account_of_a_program_is_known_as_one_at_its_tables(app: Flask) -> None:
    hall = Hall(app, [HEATS], rated=True, programs=True).open(people=3)
    bot = hall.people[0].post("/v1/bots", {"name": f"automaton {hall.id[-12:]}", "engine": "mine 1"})
    hall.direct("entrants", {"player": bot["player"]["id"]})
    hall.direct("stages")
    hall.direct("rounds")
    hall.direct("rounds/current/publication")
    hall.direct("rounds/current/start")
    hall.keep()
    (game,) = hall.games()
    log = answer(hall.client.get(f"/v1/games/{game}/events?limit=500"), 200)["events"]
    taken = {event["data"]["player"]: event["data"].get("program") for event in log if event["kind"] == "seat_taken"}
    assert taken == {**{person.id: None for person in hall.people}, bot["player"]["id"]: True}


def test_advancing_is_told_with_reasons_before_and_after_closing(app: Flask) -> None:
    final = {"format": "pods", "rounds": 1}
    hall = Hall(app, [{**HEATS, "rounds": 1, "advance": {"total": 3}}, final], bots="random").open(bots=7)
    hall.direct("stages")
    hall.round()
    running = hall.read("stages/1/advancing")
    assert (running["closed"], len(running["players"]), len(running["alternates"])) == (None, 3, 4)
    assert [reason["code"] for reason in running["reasons"]] == ["best_of_the_others"] * 3
    known = kinds(hall)
    assert {known[event] for reason in running["reasons"] for event in reason["events"]} == {
        "round_paired",
        "result_recorded",
    }
    hall.direct("stages/current/closing")
    closed = hall.read("stages/1/advancing")
    assert known.keys() < kinds(hall).keys()
    assert kinds(hall)[closed["closed"]] == "stage_closed"
    assert (closed["players"], closed["reasons"]) == (running["players"], running["reasons"])
    assert problem(answer(hall.client.get(f"{hall.path}/stages/2/advancing"), 404)) == "not_there"


def test_the_rating_at_the_entry_parts_tied_entrants(app: Flask) -> None:
    stage = {"format": "swiss", "rounds": 1, "sizes": [3], "criteria": ["points", "rating"]}
    hall = Hall(app, [stage]).open()
    newcomer, loser, winner = (somebody(hall.client) for _ in range(3))
    with connect(hall.container.settings.database_url) as connection:
        a_game(loser, winner)
        follow(connection)
        for one in (newcomer, loser, winner):
            one.post(f"{hall.path}/entrants")
        a_game(winner, loser)
        a_game(winner, loser)
        follow(connection)
    hall.direct("stages")
    hall.start()
    ruled = {"round": 1, "table": 1, "reason": "As the slip says", "points": [5, 5, 5], "places": [1, 1, 1]}
    hall.direct("rulings/result", ruled)
    lines = hall.read("standings")["lines"]
    assert [line["player"] for line in lines] == [winner.id, loser.id, newcomer.id]
    assert [line["decided_by"] for line in lines] == [None, "rating", "rating"]
    entered = [event["data"] for event in answer(hall.client.get(f"{hall.path}/events?limit=500"), 200)["events"]]
    recorded = [data["rating"] for data in entered if "rating" in data]
    assert recorded == sorted(recorded)
    assert len(recorded) == 2
