"""The director's desk, without scripts: an event is led to its end and ruled about by forms; only directors see it."""

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask

from projections.rules.catalogue import LANGUAGES
from service.games.house_bots import called
from tests.support.service.director_pages import SWISS, declared, paired
from tests.support.service.players import answer
from tests.support.service.scriptless_browser import Visitor
from tests.support.service.tournament_fixture import keep, play

TABLE = "rounds/1/tables/1"
Fields = dict[str, str | list[str]]
WON: Fields = {
    "points": ["30", "20", "10", "-5"],
    "tie_break": ["0"] * 4,
    "places": ["1", "2", "3", "4"],
    "forfeited": "3",
}
BECAUSE: Fields = {"reason": "Because"}
REFUSED: tuple[tuple[str, Fields, str], ...] = (
    ("result", {**WON, **BECAUSE, "points": ["a", "b", "c", "d"]}, "points: takes a whole number"),
    ("result", {**WON, **BECAUSE, "places": ["2", "2", "3", "4"]}, "one seat is first"),
    ("result", WON, "reason"),
    ("time", {**BECAUSE, "entrant": "77", "minutes": "1"}, "has no seat"),
    ("substitution", {**BECAUSE, "entrant": "1", "by": "2"}, "has a seat in this round"),
)


@pytest.fixture
def desk(director: Visitor) -> str:
    """The desk of a tournament that four bots have entered."""
    clock = {"clock": "bank", "minutes": "10", "late_join": "9"}
    desk = declared(director, "/tournaments/new?game=spice_road", **SWISS, **clock)
    director.sent(f"{desk}/publication")
    return director.sent(f"{desk}/bots", bots="4")


def begun(director: Visitor, desk: str) -> str:
    """The same, and its only round is being played."""
    director.sent(f"{desk}/stage")
    paired(director, desk)
    director.sent(f"{desk}/round-publication")
    director.sent(f"{desk}/start")
    keep(director.client.application.extensions["cabildo"])
    return desk


def played(director: Visitor, desk: str) -> None:
    """Its games are played to the end by the bots."""
    container = director.client.application.extensions["cabildo"]
    for table in told(director, desk, "rounds/1")["tables"]:
        play(container, UUID(table["game"]))
    keep(container)


def told(director: Visitor, desk: str, what: str = "") -> dict[str, Any]:
    """Returns the tournament from the API."""
    path = f"/v1{desk.removesuffix('/desk')}/{what}"
    return answer(director.client.get(path.rstrip("/")), 200)


def log(director: Visitor, desk: str) -> list[str]:
    """The lines of the log, the newest first."""
    shown = director.open(desk.replace("/desk", "/log")).partition("<tbody>")[2]
    return [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in shown.split("</tr>")[:-1]]


def test_an_event_is_led_to_its_end(director: Visitor, desk: str) -> None:
    begun(director, desk)
    assert director.send(f"{desk}/round-closing").status_code == 409
    played(director, desk)
    for step in ("round-closing", "stage-closing", "closing"):
        assert f'action="{desk}/{step}"' in director.open(desk)
        director.sent(f"{desk}/{step}")
    assert told(director, desk)["status"] == "finished"
    assert "Nothing is to be done now" in director.open(desk)
    standings = told(director, desk, "standings")
    first = standings["people"][standings["lines"][0]["player"]]
    assert f'/standings/{first["entrant"]}"' in director.open(desk.removesuffix("/desk"))
    lines = log(director, desk)
    assert "tournament closed" in lines[0]
    assert director.name in lines[0]
    assert sum("result recorded, round 1" in line and "the service" in line for line in lines) == 1


def test_every_ruling_is_given_at_its_table_and_stands_in_the_log(director: Visitor, desk: str) -> None:
    begun(director, desk)
    director.sent(f"{desk}/bots", bots="1")
    at = f"{desk}/{TABLE}"
    (first, *_) = (seat["entrant"] for seat in told(director, desk, "rounds/1")["tables"][0]["seats"])
    assert director.sent(f"{at}/time", entrant=f"{first}", minutes="3", reason="A fire alarm") == at
    director.sent(f"{at}/substitution", entrant=f"{first}", by="5", reason="A train to catch")
    director.sent(f"{at}/result", **WON, reason="The lamp went out")
    table = told(director, desk, "rounds/1")["tables"][0]
    assert (table["result"]["points"], table["result"]["forfeited"]) == ([30, 20, 10, -5], [3])
    assert table["seats"][0]["entrant"] == 5
    director.sent(f"{at}/void", reason="The wrong box")
    director.sent(f"{desk}/disqualification", entrant="2", reason="Looked into the bag")
    lines = log(director, desk)[:5]
    for line, (what, reason) in zip(
        lines,
        [
            ("disqualified: Gunnar (greedy)", "Looked into the bag"),
            ("table voided, round 1, table 1", "The wrong box"),
            ("result ruled, round 1, table 1", "The lamp went out"),
            (f"substituted, round 1, table 1: Gerda (greedy) for {called('greedy', first, 'en')}", "A train to catch"),
            (f"3 minutes added, round 1, table 1: {called('greedy', first, 'en')}", "A fire alarm"),
        ],
        strict=True,
    ):
        assert director.name in line
        assert what in line
        assert reason in line


def test_a_ruling_that_cannot_be_given_is_refused_above_its_form(director: Visitor, desk: str) -> None:
    begun(director, desk)
    for what, fields, says in REFUSED:
        shown = director.send(f"{desk}/{TABLE}/{what}", **fields)
        assert shown.status_code == 422
        assert says in "".join(re.findall('role="alert">(.*)</p>', shown.text))


def test_a_preview_that_others_overtook_does_not_pair(director: Visitor, desk: str) -> None:
    director.sent(f"{desk}/stage")
    previewed = director.open(f"{desk}/next")
    director.sent(f"{desk}/absence", entrant="1", round="1")
    found = re.search('name="expected" value="([0-9]+)"', previewed)
    assert found is not None
    assert director.send(f"{desk}/pairing", expected=found.group(1)).status_code == 409
    paired(director, desk)


def test_a_round_is_paired_anew_for_a_reason(director: Visitor, desk: str) -> None:
    director.sent(f"{desk}/stage")
    paired(director, desk)
    assert director.send(f"{desk}/pairing").status_code == 409
    paired(director, desk, reason="A name was spelled wrong")
    assert told(director, desk, "rounds/1")["attempt"] == 2
    assert "A name was spelled wrong" in log(director, desk)[0]


def test_people_are_invited_entered_checked_in_and_let_go(app: Flask, director: Visitor) -> None:
    guest, other = (Visitor(app.test_client(), f"guest {uuid4().hex[:8]}") for _ in range(2))
    limits = {"least": "2", "most": "2", "check_in": "on"}
    desk = declared(director, "/tournaments/new?game=spice_road", **SWISS, **limits)
    director.sent(f"{desk}/publication")
    director.sent(f"{desk}/invitation", name=guest.name)
    director.sent(f"{desk}/entry", name=guest.name)
    director.sent(f"{desk}/entry", name=other.name)
    director.sent(f"{desk}/bots", bots="1")
    director.sent(f"{desk}/entry", name=director.name)
    director.sent(f"{desk}/check-in", entrant="1")
    director.sent(f"{desk}/admission", entrant="4")
    director.sent(f"{desk}/withdrawal", entrant="2", reason="A cold")
    entrants = told(director, desk, "entrants")["entrants"]
    assert [(one["status"], one["checked_in"] is not None) for one in entrants] == [
        ("entered", True),
        ("withdrawn", False),
        ("entered", False),
        ("entered", False),
    ]
    shown = [who.open(desk.replace("/desk", "/log")) for who in (director, guest)]
    assert ["A cold" in log for log in shown] == [True, False]
    assert director.send(f"{desk}/entry", name="nobody of this name").status_code == 404
    assert director.send(f"{desk}/bots", bots="1000").status_code == 422


def test_another_director_is_named_and_relieved_and_the_event_called_off(
    app: Flask, director: Visitor, desk: str
) -> None:
    other = Visitor(app.test_client(), f"second {uuid4().hex[:8]}")
    assert other.send(f"{desk}/bots", bots="1").status_code == 403
    director.sent(f"{desk}/director", name=other.name)
    other.sent(f"{desk}/bots", bots="1")
    assert "do_cancellation" not in other.open(desk)
    (named,) = told(director, desk)["directors"]
    director.sent(f"{desk}/relief", player=named["id"])
    other.open(desk, 403)
    director.sent(f"{desk}/cancellation", reason="Floods")
    assert told(director, desk)["status"] == "cancelled"


def test_the_desk_is_for_directors_alone(app: Flask, director: Visitor, desk: str) -> None:
    begun(director, desk)
    stranger = Visitor(app.test_client(), f"stranger {uuid4().hex[:8]}")
    pages = (desk, f"{desk}/next", f"{desk}/{TABLE}", desk.replace("/desk", "/draft"))
    for page in pages:
        stranger.open(page, 403)
        assert app.test_client().get(page).headers["Location"].startswith("/login")
    assert stranger.send(f"{desk}/{TABLE}/void", reason="Mine").status_code == 403
    assert 'href="' + desk not in stranger.open(desk.removesuffix("/desk"))
    assert 'href="' + desk in director.open(desk.removesuffix("/desk"))
    for page in (f"{desk}/nothing", f"{desk}/{TABLE}/nothing"):
        assert director.send(page).status_code == 404
    for page in (f"{desk}/rounds/2/tables/1", desk.replace("/desk", "/log?before=x")):
        director.open(page, 404)


def test_the_desk_is_said_in_every_language(director: Visitor, desk: str) -> None:
    begun(director, desk)
    for language in LANGUAGES:
        for page in ("/tournaments/new", desk, f"{desk}/{TABLE}", desk.replace("/desk", "/log")):
            shown = director.client.get(page, headers={"Accept-Language": language})
            assert f'<html lang="{language}">' in shown.text
