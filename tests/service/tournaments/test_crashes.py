"""Keepers are killed at every step of a round: nothing is lost, nothing is done twice."""

import os
import subprocess
import sys
from collections import Counter
from typing import Any
from uuid import UUID

import pytest
from flask import Flask

from events.store.failpoints import VARIABLE
from tests.support.service.players import answer
from tests.support.service.tournament_fixture import Hall

HEATS = {"format": "heats", "rounds": 1, "sizes": [3]}


@pytest.fixture
def hall(app: Flask) -> Hall:
    """Nine bots at three tables, in a tournament that runs by itself."""
    return Hall(app, [HEATS], bots="random", pace="automatic", starts=1).open(bots=9)


def killed(hall: Hall, environ: dict[str, str], points: str, until: str) -> int:
    """Let keepers die at fail points until the round has a status; how many died."""
    command = [sys.executable, "-m", "tests.support.service.tournament_keeper", hall.id, until]
    env = {**os.environ, **environ, VARIABLE: points}
    ended = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True)
    return int(ended.stdout)


def kinds(hall: Hall) -> Counter[str]:
    return Counter(event["kind"] for event in hall.read("events")["events"])


def games(hall: Hall) -> list[dict[str, Any]]:
    return [answer(hall.client.get(f"/v1/games/{game}"), 200) for game in hall.games()]


def test_a_keeper_that_dies_after_every_single_write_starts_each_game_once(hall: Hall, environ: dict[str, str]) -> None:
    steps = ("stage_begun", "round_paired", "round_published", "games_declared", "game", "game", "game")
    assert killed(hall, environ, "append.after_commit=kill", "started") == len(steps) + 1  # and round_started
    assert [(game["status"], game["tournament"]) for game in games(hall)] == [("running", hall.id)] * 3
    hall.play()
    assert killed(hall, environ, "append.after_commit=kill", "closed") >= 4  # three results, the closing
    found = kinds(hall)
    assert (found["games_declared"], found["round_started"], found["result_recorded"]) == (1, 1, 3)
    assert (found["round_paired"], found["round_closed"]) == (1, 1)


@pytest.mark.parametrize(
    "point",
    ["tournament.before_games", "tournament.between_games", "tournament.before_started", "append.before_commit"],
)
def test_a_round_starts_after_a_keeper_died_at(point: str, hall: Hall, environ: dict[str, str]) -> None:
    hall.container.tournaments.load(UUID(hall.id))
    assert killed(hall, environ, f"{point}=kill", "never") >= 1
    hall.keep()
    assert [game["status"] for game in games(hall)] == ["running"] * 3
    hall.play()
    hall.keep()
    hall.keep()
    assert (kinds(hall)["games_declared"], kinds(hall)["result_recorded"], kinds(hall)["round_closed"]) == (1, 3, 1)


def test_an_answer_that_is_lost_does_no_harm(hall: Hall, environ: dict[str, str]) -> None:
    assert killed(hall, environ, "append.after_commit=lost", "started") == 0
    assert kinds(hall)["games_declared"] == kinds(hall)["round_started"] == 1
    assert len(games(hall)) == 3


def test_a_ruling_reaches_its_game_once_also_when_a_keeper_died_over_it(app: Flask, environ: dict[str, str]) -> None:
    clock = {"kind": "bank", "seconds": 600, "increment": 0}
    hall = Hall(app, [HEATS], clock=clock).open(people=3)
    for what in ("stages", "rounds", "rounds/current/publication", "rounds/current/start"):
        hall.direct(what)
    hall.keep()
    about = {"round": 1, "table": 1, "entrant": 1, "seconds": 60, "reason": "A fire alarm"}
    hall.direct("rulings/time", about)
    assert killed(hall, environ, "tournament.before_errand_done=kill", "never") >= 1
    hall.keep()
    (game,) = games(hall)
    assert sorted(game["clock"]["banks"]) == [600, 600, 660]
