"""The problem types are an answer of the API, to make typed errors from."""

import pytest
from flask.testing import FlaskClient

from service.web.problem_types import PROBLEMS


def test_every_problem_type_is_listed(client: FlaskClient) -> None:
    told = client.get("/v1/problems").get_json()["problems"]
    assert [one["name"] for one in told] == sorted({problem.name for problem in PROBLEMS.values()})
    assert all(one["meaning"] and one["type"] == f"/problems#{one['name']}" for one in told)


@pytest.mark.parametrize(
    ("name", "remedy"),
    [("illegal_move", "change"), ("unauthenticated", "authenticate"), ("stale_version", "read_again"),
     ("too_many_streams", "wait"), ("store_away", "wait")],
)  # fmt: skip
def test_a_type_says_what_helps(client: FlaskClient, name: str, remedy: str) -> None:
    told = {one["name"]: one for one in client.get("/v1/problems?language=cs").get_json()["problems"]}
    assert told[name]["remedy"] == remedy
    assert told["game_is_over"]["title"] == "Hra skončila"
