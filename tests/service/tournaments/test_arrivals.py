"""Who does not sit down in time: the no-show timer, substitutes from the reserve, games at higher levels of chance."""

from typing import Any

from flask import Flask
from freezegun import freeze_time

from tests.support.service.players import answer
from tests.support.service.tournament_fixture import Hall

SWISS = {"format": "swiss", "rounds": 1, "sizes": [3]}
LEAVER = {"minutes": 5, "then": "leaver"}
RESERVE = {"minutes": 5, "then": "reserve"}


def game(hall: Hall) -> dict[str, Any]:
    return answer(hall.client.get(f"/v1/games/{hall.games()[0]}"), 200)


def sit_down(hall: Hall, *absent: int) -> None:
    """Seats all players of the table except some."""
    for number, person in enumerate(hall.people, 1):
        if number not in absent and f"player:{person.id}" in {seat["kept_for"] for seat in game(hall)["seats"]}:
            person.join(str(hall.games()[0]))


def after_the_timer(hall: Hall) -> None:
    """The time to sit down is over, and a keeper comes by twice."""
    with freeze_time() as clock:
        clock.tick(301)
        hall.keep()
        hall.keep()


def test_a_full_table_starts_before_the_no_show_timer(app: Flask) -> None:
    hall = Hall(app, [SWISS], no_show=LEAVER).open(people=3)
    hall.direct("stages")
    hall.start()
    assert game(hall)["status"] == "open"
    sit_down(hall)
    assert game(hall)["status"] == "running"
    after_the_timer(hall)
    assert hall.read("rounds/1")["tables"][0]["absent"] == []
    assert hall.read("rounds/1")["sit_by"] is None


def test_the_seat_of_who_is_absent_is_as_if_they_had_left(app: Flask) -> None:
    hall = Hall(app, [SWISS], no_show=LEAVER, leaver="bot:random").open(people=3)
    hall.direct("stages")
    hall.start()
    sit_down(hall, 2)
    hall.keep()
    assert game(hall)["status"] == "open"  # the time is not over
    after_the_timer(hall)
    assert hall.read("rounds/1")["tables"][0]["absent"] == [2]
    absent = next(seat for seat in game(hall)["seats"] if seat["player"]["id"] == hall.people[1].id)
    assert (game(hall)["status"], absent["stand_in"]) == ("running", "random")


def test_a_table_that_nobody_but_one_comes_to_ends_by_forfeit_and_counts(app: Flask) -> None:
    hall = Hall(app, [SWISS], no_show=LEAVER, leaver="forfeit").open(people=3)
    hall.direct("stages")
    hall.start()
    sit_down(hall, 1, 2)
    after_the_timer(hall)
    (table,) = hall.direct("rounds/current/closing")["tables"]
    there = next(seat for seat, one in enumerate(table["seats"]) if one["entrant"] == 3)
    assert table["result"]["places"][there] == 1
    assert len(table["result"]["forfeited"]) == 2


def test_the_first_of_the_reserve_takes_the_seat_of_who_is_absent(app: Flask) -> None:
    hall = Hall(app, [SWISS], no_show=RESERVE, most=3).open(people=4)
    hall.direct("stages")
    hall.start()
    sit_down(hall, 1)
    after_the_timer(hall)
    (table,) = hall.read("rounds/1")["tables"]
    assert (sorted(seat["entrant"] for seat in table["seats"]), table["absent"]) == ([2, 3, 4], [1])
    assert {seat["player"]["id"] for seat in game(hall)["seats"]} == {person.id for person in hall.people[1:]}
    (ruling,) = hall.read("rulings")["rulings"]
    assert (ruling["ruling"], ruling["by"]["id"], ruling["reason"]) == (
        "substituted",
        "service",
        "Did not sit down in time",
    )


def test_at_level_2_players_bring_their_own_entropy(app: Flask) -> None:
    hall = Hall(app, [SWISS], no_show=LEAVER, chance=None).open(people=3)
    hall.direct("stages")
    hall.start()
    document = game(hall)
    hall.people[0].join(document["id"], commits=True)
    sit_down(hall, 1)
    assert (game(hall)["status"], game(hall)["chance"]["waits_for"]) == ("open", "commitments")
    assert game(hall)["chance"]["commitment"] == hall.read("rounds/1")["tables"][0]["commitment"]
