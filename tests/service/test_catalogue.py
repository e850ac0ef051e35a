"""The catalogue of problem types tells nothing that no test has seen."""

import re
from pathlib import Path

from flask.testing import FlaskClient

from service import config
from service.app import create_app
from service.problems import PROBLEMS
from tests.service.conftest import Environ
from tests.service.people import answer, problem, somebody

TESTS = Path(__file__).parents[1]
LISTS = ("test_catalogue.py", "test_titles.py")  # they go through all types without producing any
TOLD_OTHERWISE = {
    "check_failed": "a report of the verification names the check",
    "chance_hidden": "a tried move is answered with what could be drawn",
    "rematch_proposed": "who is slower sits down at the game that was proposed",
    "unreadable_promise": "a report of the verification names the event",
}


def test_every_problem_type_is_produced_by_a_test() -> None:
    said = [module.read_text() for module in TESTS.rglob("*.py") if module.name not in LISTS]
    unseen = []
    for error, row in PROBLEMS.items():
        produced = re.compile(rf'\b{error.__name__}\b|["#/]{row.name}["?]')
        if row.name not in TOLD_OTHERWISE and not any(produced.search(text) for text in said):
            unseen.append(row.name)
    assert set(unseen) <= {"chance_refused", "store_unavailable"}  # produced here
    assert TOLD_OTHERWISE.keys() <= {row.name for row in PROBLEMS.values()}


def test_a_commitment_that_the_level_does_not_ask_for_is_refused(client: FlaskClient) -> None:
    game = somebody(client).create("me", "open", chance=1)["id"]
    refused = somebody(client).join(game, 422, commitment="00" * 32, echo="00" * 32)
    assert (problem(refused), refused["reason"]) == ("chance_refused", "commitment_not_asked")


def test_a_database_that_is_away_is_told_with_the_time_to_come_again(environ: Environ) -> None:
    app = create_app(config.load({**environ, "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/nowhere"}))
    response = app.test_client().get("/readyz")
    told = answer(response, 503)
    app.extensions["cabildo"].stores.close()
    assert problem(told) == "store_unavailable"
    assert int(response.headers["Retry-After"]) > 0
