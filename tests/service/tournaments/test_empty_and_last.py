"""A stage without rounds, pods that everybody left, nothing published yet: every read answers, with a typed refusal."""

from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask

from projections.verify.archive import verify_archive
from projections.verify.bundle import INVALID
from tests.support.service.players import answer
from tests.support.service.scriptless_browser import Visitor
from tests.support.service.tournament_fixture import Hall

SWISS = {"format": "swiss", "rounds": 2, "sizes": [3], "advance": {"total": 3}}
PODS = {"format": "pods", "rounds": 2, "sizes": [3]}
READS = (
    "", "entrants", "rounds", "rounds/0", "rounds/1", "rounds/1/pairing", "standings", "standings/1", "standings/9",
    "standings?stage=1", "cross-table", "statistics", "stages/0/advancing", "stages/1/advancing", "rulings", "events",
    "archive", "archive?edition=1", "archives",
)  # fmt: skip
PAGES = (
    "", "/standings", "/standings/1", "/cross-table", "/statistics", "/rounds/1", "/rounds/1?why=1", "/log",
    "/standings.csv", "/cross-table.csv", "/statistics.csv", "/desk", "/desk/next",
)  # fmt: skip


def draft(app: Flask) -> Hall:
    return Hall(app, [SWISS, PODS])


def nobody_entered(app: Flask) -> Hall:
    return draft(app).open()


def called_off_as_a_draft(app: Flask) -> Hall:
    hall = draft(app)
    hall.direct("cancellation", {"reason": "Rain"})
    return hall


def called_off_before_it_began(app: Flask) -> Hall:
    hall = draft(app).open(people=3)
    hall.direct("cancellation", {"reason": "Rain"})
    return hall


def stage_without_rounds(app: Flask) -> Hall:
    hall = Hall(app, [SWISS, PODS], bots="random").open(bots=6)
    hall.direct("stages")
    return hall


def ended_without_rounds(app: Flask) -> Hall:
    hall = stage_without_rounds(app)
    hall.direct("stages/current/closing", {"reason": "Rain"})
    hall.direct("stages")
    hall.direct("stages/current/closing", {"reason": "More rain"})
    hall.direct("closing")
    hall.direct("rulings/disqualification", {"entrant": 1, "reason": "Two accounts"})
    return hall


def pods_left_by_everybody(app: Flask) -> Hall:
    hall = Hall(app, [PODS]).open(people=6)
    hall.direct("stages")
    played_by_rulings(hall)
    hall.direct("rounds/current/closing")
    leave(hall)
    return hall


def pods_closed_after_everybody_left(app: Flask) -> Hall:
    hall = pods_left_by_everybody(app)
    assert hall.direct("rounds", status=422)["type"] == "/problems#cannot_pair"
    hall.direct("stages/current/closing", {"reason": "Nobody is left"})
    hall.direct("closing")
    return hall


def played_by_rulings(hall: Hall) -> None:
    """A round whose tables directors decide."""
    hall.start()
    won = {"points": [3, 2, 1], "places": [1, 2, 3], "reason": "Agreed"}
    for number, _ in enumerate(hall.games(), 1):
        hall.direct("rulings/result", {"round": 1, "table": number, **won})
    hall.keep()


def leave(hall: Hall) -> None:
    for number, person in enumerate(hall.people, 1):
        person.post(f"{hall.path}/entrants/{number}/withdrawal")


STATES: tuple[Callable[[Flask], Hall], ...] = (
    draft, nobody_entered, called_off_as_a_draft, called_off_before_it_began, stage_without_rounds,
    ended_without_rounds, pods_left_by_everybody, pods_closed_after_everybody_left,
)  # fmt: skip


def is_typed(document: dict[str, Any] | None, status: int) -> bool:
    return status == 200 or (document is not None and document["type"].startswith("/problems#"))


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_read_answers(state: Callable[[Flask], Hall], app: Flask) -> None:
    hall = state(app)
    for read in READS:
        for accept in ("application/json", "text/csv"):
            found = hall.host.ask("GET", f"{hall.path}/{read}".rstrip("/"), Accept=accept)
            assert found.status_code in (200, 404, 409), (read, found.text)
            assert is_typed(found.get_json(silent=True), found.status_code), read
    found = hall.host.ask("GET", f"{hall.path}/rounds/next")
    assert found.status_code in (200, 409, 422), found.text


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
def test_every_archive_that_there_is_verifies(state: Callable[[Flask], Hall], app: Flask) -> None:
    hall = state(app)
    found = hall.host.ask("GET", f"{hall.path}/archive")
    over = hall.host.ask("GET", hall.path).get_json()["status"] in ("finished", "cancelled")
    assert found.status_code == (200 if over else 409)
    if over:
        report = verify_archive(found.data, None)
        assert (report.refused, report.verdict == INVALID) == (None, False), report


def test_every_page_of_an_empty_tournament_opens_or_is_not_there(app: Flask) -> None:
    visitor = Visitor(app.test_client(), "somebody who looks")
    for state in STATES[1:]:
        hall = state(app)
        for path in PAGES:
            page = visitor.client.get(f"/tournaments/{hall.id}{path}", headers={"Accept": "text/html"})
            assert page.status_code in (200, 403, 404), (state.__name__, path)


def test_an_automatic_tournament_ends_when_everybody_has_left(app: Flask) -> None:
    hall = Hall(app, [PODS], pace="automatic", starts=1).open(people=6)
    for _ in range(3):
        hall.keep()
    won = {"points": [3, 2, 1], "places": [1, 2, 3], "reason": "Agreed"}
    leave(hall)
    for number, _ in enumerate(hall.games(), 1):
        hall.direct("rulings/result", {"round": 1, "table": number, **won})
    hall.keep()
    assert hall.read()["status"] == "finished"
    (closed,) = [one for one in hall.read("events", limit=500)["events"] if one["kind"] == "stage_closed"]
    assert len(closed["data"]["reason"]) == 64


def test_nothing_is_published_yet(app: Flask) -> None:
    client = app.test_client()
    for path in ("checkpoint", "checkpoint.witnessed", "policy", "receipt-keys", "frozen", "tile/0/000", "other"):
        refused = answer(client.get(f"/log/{path}"), 404)
        assert refused["type"] == "/problems#not_found"
    assert answer(client.get("/v1/ratings?game=spice_road"), 200)["ratings"] == []
    assert client.get("/ratings").status_code == 200
