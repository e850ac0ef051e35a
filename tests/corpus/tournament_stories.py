"""Tournaments of the corpus, played over HTTP: every format, way to seat and kind of ruling that the archive keeps."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Flask

from tests.support.service.players import Person, answer
from tests.support.service.tournament_fixture import Hall

FORMAT: Final[dict[str, Any]] = {"sizes": [3], "criteria": ["points", "wins", "draw"]}


def swiss_and_final(app: Flask) -> Hall:
    """Ten people in three rated rounds of Swiss with byes, one withdraws; the best four bid for seats in a final."""
    swiss = {**FORMAT, "format": "swiss", "rounds": 3, "sizes": [4, 3], "advance": {"total": 4}}
    final = {**FORMAT, "format": "knock_out", "rounds": 1, "sizes": [4], "seats": "bids", "byes": False}
    hall = opened(Hall(app, [swiss, final], rated=True, chance=1, leaver="forfeit"), 10)
    hall.direct("stages")
    played(hall, 2)
    hall.people[9].post(f"{hall.path}/entrants/10/withdrawal")
    played(hall, 1)
    hall.direct("stages/current/closing")
    hall.direct("stages")
    hall.direct("rounds")
    hall.direct("rounds/current/publication")
    for seat in hall.read(f"rounds/{len(hall.read('rounds')['rounds'])}")["tables"][0]["seats"]:
        halves = seat["entrant"]
        person(hall, seat["player"]).post(f"{hall.path}/rounds/current/wishes", {"wish": [halves, 3, 2, 0]})
    hall.keep()
    hall.direct("rounds/current/start")
    finish_round(hall)
    return closed(hall)


def round_robin_and_pods(app: Flask) -> Hall:
    """Nine people meet each other once by a design of four rounds; then pods whose players choose their seats."""
    robin = {**FORMAT, "format": "round_robin", "rounds": 4, "advance": {"total": 6}}
    pods = {**FORMAT, "format": "pods", "rounds": 1, "seats": "choice", "draw": "balanced", "criteria": ["points"]}
    hall = opened(Hall(app, [robin, pods], duplicate=True, chance=None, leaver="forfeit"), 9)
    hall.direct("stages")
    played(hall, 4)
    hall.direct("stages/current/closing")
    hall.direct("stages")
    hall.direct("rounds")
    hall.direct("rounds/current/publication")
    for table in hall.read("rounds/5")["tables"]:
        for at, seat in enumerate(table["seats"]):
            wish = [[2, 0, 1], [2, 1, 0], [0, 1, 2]][at]
            person(hall, seat["player"]).post(f"{hall.path}/rounds/current/wishes", {"wish": wish})
    hall.keep()
    hall.direct("rounds/current/start")
    finish_round(hall)
    return closed(hall)


def heats_and_rulings(app: Flask) -> Hall:
    """Seven people in seeded heats; who has the bye sits in for another, a result is corrected, a table void."""
    heats = {**FORMAT, "format": "swiss", "rounds": 2, "draw": "balanced", "seats": "random", "ties": "seeding"}
    hall = opened(Hall(app, [heats], chance=1, leaver="forfeit"), 7)
    hall.direct("stages")
    for ruling in (sit_in, correct):
        hall.start()
        ruling(hall)
        hall.keep()
        finish_round(hall)
    return closed(hall)


def stand_in_and_correction(app: Flask) -> Hall:
    """Four people: who has the bye sits in for another and keeps no bye; after the end a result is turned round."""
    hall = opened(Hall(app, [{**FORMAT, "format": "swiss", "rounds": 2}], chance=1, leaver="forfeit"), 4)
    hall.direct("stages")
    hall.start()
    sit_in(hall)
    hall.keep()
    finish_round(hall)
    hall.direct("stages/current/closing", {"reason": "The hall closes at six"})
    hall.direct("closing")
    result = {"points": [9, 9, 30], "places": [2, 2, 1], "reason": "The slips were mixed up"}
    hall.direct("rulings/result", {"round": 1, "table": 1, **result})
    return hall


def sit_in(hall: Hall) -> None:
    """Who has the bye takes the first seat of table 1."""
    shown = hall.read("rounds/1")
    entrant, by = shown["tables"][0]["seats"][0]["entrant"], shown["byes"][0]["entrant"]
    about = {"round": 1, "table": 1, "entrant": entrant, "by": by, "reason": "Missed the train"}
    hall.direct("rulings/substitution", about)


def correct(hall: Hall) -> None:
    """The result of table 1 of round 1 is turned round; table 2 of round 2 is void."""
    result = {"points": [9, 9, 30], "places": [2, 2, 1], "reason": "The slips were mixed up"}
    hall.direct("rulings/result", {"round": 1, "table": 1, **result})
    hall.direct("rulings/void", {"round": 2, "table": 2, "reason": "The lamp went out"})


def opened(hall: Hall, people: int) -> Hall:
    """The hall with so many people in it."""
    return hall.open(people=people)


def played(hall: Hall, rounds: int) -> None:
    """Let so many rounds be played."""
    for _ in range(rounds):
        hall.start()
        finish_round(hall)


def finish_round(hall: Hall) -> None:
    """Let all but one of each table resign, in the order of seats turned by the number of the table."""
    hall.keep()
    for number, game in enumerate(hall.games()):
        shown = answer(hall.client.get(f"/v1/games/{game}"), 200)
        players = [seat["player"]["id"] for seat in shown["seats"]]
        first = number % len(players)
        for player in (*players[first:], *players[:first])[:-1] if shown["status"] == "running" else ():
            person(hall, player).post(f"/v1/games/{game}/resign")
    hall.keep()
    hall.direct("rounds/current/closing")


def person(hall: Hall, player: str) -> Person:
    """Who plays under an id."""
    return next(one for one in hall.people if one.id == player)


def closed(hall: Hall) -> Hall:
    """The hall after the last stage and the whole tournament are closed."""
    hall.direct("stages/current/closing")
    hall.direct("closing")
    return hall


TOURNAMENTS: Final[Mapping[str, Callable[[Flask], Hall]]] = {
    "swiss_and_final": swiss_and_final,
    "round_robin_and_pods": round_robin_and_pods,
    "heats_and_rulings": heats_and_rulings,
    "stand_in_and_correction": stand_in_and_correction,
}
