"""Rounds over HTTP: paired, started by themselves, results come in by themselves."""

from flask import Flask

from tests.service.tournaments.hall import Hall

SWISS = {"format": "swiss", "rounds": 2, "sizes": [4, 3]}


def test_eight_bots_play_two_rounds_and_are_ranked(app: Flask) -> None:
    hall = Hall(app, [SWISS], bots="random").open(bots=8)
    hall.direct("stages")
    first = hall.round()
    assert [table["result"] is not None for table in first["tables"]] == [True, True]
    hall.round()
    hall.direct("stages/current/closing")
    closed = hall.direct("closing")
    assert closed["status"] == "finished"
    standings = hall.read("standings")
    assert standings["version"] == closed["version"]
    assert sorted(line["rank"] for line in standings["lines"])[0] == 1
