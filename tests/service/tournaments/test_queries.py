"""What can be read of a tournament: every answer names its version, every explanation ends in numbers of events."""

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.service.players import answer, problem
from tests.support.service.tournament_fixture import Hall

SWISS = {"format": "swiss", "rounds": 2, "sizes": [4, 3]}
CSV = {"Accept": "text/csv"}


@pytest.fixture(scope="module")
def hall(app: Flask) -> Hall:
    """A tournament that is read, and stays as it is."""
    return with_a_second_round(app)


def with_a_second_round(app: Flask) -> Hall:
    """Returns a tournament of seven bots after a round of Swiss, the second one paired."""
    hall = Hall(app, [SWISS], bots="random").open(bots=7)
    hall.direct("stages")
    hall.round()
    hall.direct("rounds")
    return hall


def events_in(document: Any) -> set[int]:
    """Every number of an event that a document names."""
    if isinstance(document, dict):
        own = {*document["events"]} if "events" in document else set()
        return own.union(*map(events_in, document.values()))
    return set().union(*map(events_in, document)) if isinstance(document, list) else set()


def test_every_answer_names_the_version_and_is_not_sent_twice(hall: Hall) -> None:
    version = hall.read()["version"]
    for what in ("entrants", "rounds", "rounds/1", "rounds/2/pairing", "standings", "standings/3", "cross-table"):
        response = hall.client.get(f"{hall.path}/{what}")
        assert answer(response, 200)["version"] == version, what
        again = hall.client.get(f"{hall.path}/{what}", headers={"If-None-Match": response.headers["ETag"]})
        assert again.status_code == 304


def test_a_name_that_has_changed_is_not_told_from_what_a_reader_has_kept(hall: Hall) -> None:
    tag = hall.client.get(hall.path).headers["ETag"]
    hall.host.ask("PATCH", "/v1/me", {"name": f"{hall.host.name} the younger"})
    again = hall.client.get(hall.path, headers={"If-None-Match": tag})
    assert answer(again, 200)["host"]["name"] == f"{hall.host.name} the younger"


def test_why_a_rank_ends_in_the_events_of_results(hall: Hall) -> None:
    told = hall.read("standings/1")
    kinds = {event["seq"]: event["kind"] for event in hall.read("events")["events"]}
    named = {kinds[seq] for seq in events_in(told["line"])}
    assert "result_recorded" in named
    assert named <= {"result_recorded", "entered", "round_paired"}
    assert sum(float(part["value"]) for part in told["line"]["figures"][0]["parts"]) == float(
        told["line"]["figures"][0]["value"]
    )


def test_why_a_pairing_is_computed_again_from_its_version_and_seed(hall: Hall) -> None:
    told, paired = hall.read("rounds/2/pairing"), hall.read("rounds/2")
    assert [table["seats"] for table in told["tables"]] == [
        [seat["player"] for seat in table["seats"]] for table in paired["tables"]
    ]
    assert told["measures"]["repeats"] <= told["measures"]["repeats_bound"]
    assert events_in(told["tables"])
    assert max(events_in(told)) <= paired["inputs"]


def test_statistics_count_every_table_once(hall: Hall) -> None:
    told = hall.read("statistics")
    assert sum(row["games"] for row in told["seats"] if row["seat"] == 0) == 2
    assert sum(row["games"] for row in told["ends"]) >= 2


def test_sheets_have_a_line_for_everybody(hall: Hall) -> None:
    def lines(client: FlaskClient, what: str) -> list[str]:
        response = client.get(f"{hall.path}/{what}", headers=CSV)
        assert response.content_type.startswith("text/csv")
        return response.text.splitlines()

    assert len(lines(hall.client, "standings")) == 1 + 7
    assert len(lines(hall.client, "cross-table")) == 1 + 7
    assert len(lines(hall.client, "rounds/1")) == 1 + 7
    assert lines(hall.client, "statistics")[0].startswith("what,")


@pytest.mark.parametrize("what", ["rounds/9", "rounds/0/pairing", "standings/99", "standings?stage=2"])
def test_what_is_not_there_is_told(hall: Hall, what: str) -> None:
    assert problem(answer(hall.client.get(f"{hall.path}/{what}"), 404)) == "not_there"


def test_no_game_is_a_tournament_and_no_tournament_a_game(hall: Hall) -> None:
    game = hall.read("rounds/1")["tables"][0]["game"]
    assert problem(answer(hall.client.get(f"/v1/tournaments/{game}"), 404)) == "not_there"
    assert problem(answer(hall.client.get(f"/v1/games/{hall.id}"), 404)) == "not_there"


def test_a_round_is_paired_anew_with_a_reason_until_its_games_are_declared(app: Flask) -> None:
    hall = with_a_second_round(app)
    before = hall.read("rounds/2")
    assert problem(hall.direct("rounds", status=409)) == "not_at_this_stage"
    anew = hall.direct("rounds", {"reason": "Somebody left"})
    assert (anew["attempt"], anew["seed"] != before["seed"]) == (2, True)
    hall.direct("rounds/current/publication")
    hall.direct("rounds/current/start")
    assert problem(hall.direct("rounds", {"reason": "Too late"}, 409)) == "not_at_this_stage"


def test_the_log_can_be_waited_for_and_followed(app: Flask) -> None:
    hall = Hall(app, [SWISS], bots="random").open(bots=2)
    newest = hall.read()["version"]
    assert hall.read("events", after=newest, wait=0)["events"] == []
    assert [event["seq"] for event in hall.read("events", after=newest - 1, wait=5)["events"]] == [newest]
    hall.direct("cancellation", {"reason": "Enough"})
    followed = hall.client.get(f"{hall.path}/events?after={newest}", headers={"Accept": "application/x-ndjson"})
    lines = [line for line in followed.text.splitlines() if line]
    assert "tournament_closed" in lines[0]
