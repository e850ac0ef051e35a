"""Declaring a tournament by a form: what it holds is what is declared, and a draft is changed by the same form."""

import re
from typing import Any
from uuid import uuid4

import pytest
from flask import Flask

from projections.rules.catalogue import LANGUAGES
from projections.tournaments.regulations import read_stage, stage_document
from projections.tournaments.templates import TEMPLATES
from tests.support.service.director_pages import SWISS, declared
from tests.support.service.players import answer
from tests.support.service.scriptless_browser import Filled, Visitor

EVERYTHING: dict[str, str | list[str]] = {
    **SWISS,
    "stage0.criteria": ["points", "best:2", "wins", "", ""],
    "stage0.scheme.name": "own",
    "stage0.scheme.places": "4: 10 5 2 0\n3: 10 5 0",
    "stage0.sizes": "3, 4",
    "stage0.byes": "no",
    "stage1.format": "pods",
    "stage0.advance.total": "4",
    "starts": "2027-01-15T19:30",
    "ends": "2027-01-15T23:00",
    "time_zone": "Atlantic/Reykjavik",
    "clock": "bank",
    "minutes": "10",
    "no_show.minutes": "5",
    "no_show.then": "reserve",
    "most": "12",
    "check_in": "on",
    "coin_taking": "optional",
}


def regulations(director: Visitor, desk: str) -> dict[str, Any]:
    """The declared tournament."""
    path = "/v1" + desk.removesuffix("/desk")
    return dict(answer(director.client.get(path), 200)["regulations"])


def test_everything_can_be_declared_and_the_draft_holds_it(app: Flask, director: Visitor) -> None:
    other = Visitor(app.test_client(), f"a, b; c/{uuid4().hex[:8]}")
    desk = declared(director, "/tournaments/new?game=spice_road", **EVERYTHING, apart=[director.name, other.name])
    before = regulations(director, desk)
    assert before["starts"] == 1_800_041_400 * 1_000_000
    assert (before["no_show"], before["clock"]) == (
        {"minutes": 5, "then": "reserve"},
        {"kind": "bank", "seconds": 600, "increment": 30},
    )
    assert (before["most"], before["check_in"], before["options"]) == (12, True, {"coin_taking": "optional"})
    assert len(before["forbidden"]) == 1
    first, final = before["stages"]
    assert (first["sizes"], first["byes"], first["criteria"]) == ([3, 4], False, ["points", "best:2", "wins"])
    assert first["scheme"]["places"] == {"3": ["10", "5", "0"], "4": ["10", "5", "2", "0"]}
    assert final["format"] == "pods"
    assert declared(director, desk.replace("/desk", "/draft")) == desk
    assert regulations(director, desk) == before
    said = dict(re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", director.client.get(desk.removesuffix("/desk")).text))
    instant = '<time datetime="2027-01-15T19:30:00.000000Z">2027-01-15 19:30 UTC</time>'
    assert said["Begins"] == f"{instant} (2027-01-15 19:30 Atlantic/Reykjavik)"
    assert said["Clock"] == "a bank with increment: 10:00 + 30 s"
    assert (said["Minutes to sit down"], said["When a player does not come"]) == (
        "5",
        "a player from the reserve takes the seat",
    )
    assert said["Never at the same table"] == f"{director.name}, {other.name}"
    assert (said["Coins are taken"], said["Allow a bye"]) == ("if wished", "no")


def test_a_list_that_may_not_separate_is_pointed_out_before_the_start(director: Visitor) -> None:
    desk = declared(director, **{**SWISS, "stage0.criteria": ["points", "wins"]})
    for language in LANGUAGES:
        shown = director.client.get(desk, headers={"Accept-Language": language}).text
        assert shown.count('<p class="refused">') == 1


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"stage0.rounds": "x"}, "stage0.rounds: takes a whole number"),
        ({"stage0.scheme.places": "four"}, "stage0.scheme.places: takes lines such as"),
        ({"stage0.sizes": "9"}, "sizes"),
        ({"stage0.byes": "maybe"}, "stage0.byes: takes yes or no"),
        ({"time_zone": "Mars/Olympus", "starts": "2027-01-15T19:30"}, "time_zone: is not a time zone"),
        ({"starts": "soon"}, "starts: takes a time"),
        ({"apart": ["nobody at all", "nor this one"]}, "player of the name"),
        ({"title": ""}, "title"),
        ({"most": "2"}, "most"),
    ],
)
def test_what_cannot_be_declared_is_said_and_nothing_is_lost(
    director: Visitor, wrong: dict[str, str | list[str]], says: str
) -> None:
    fields = {**Filled(director.open("/tournaments/new")).fields, **SWISS, "least": "3", **wrong}
    shown = director.send("/tournaments/new", **fields)
    assert shown.status_code == 422
    assert says in "".join(re.findall('role="alert">(.*)</p>', shown.text))
    kept = Filled(shown.text).fields
    assert {name: kept[name] for name in ("stage0.format", "least")} == {"stage0.format": ["swiss"], "least": ["3"]}


def test_a_form_can_have_one_more_stage(director: Visitor) -> None:
    shown = director.send("/tournaments/new", **Filled(director.open("/tournaments/new")).fields, more="1")
    assert shown.status_code == 200
    assert "stage2.format" in Filled(shown.text).fields


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_template_makes_a_draft_that_means_the_same(director: Visitor, name: str) -> None:
    desk = declared(director, f"/tournaments/new?game=spice_road&template={name}", title="Ponce")
    before = regulations(director, desk)
    assert before["stages"] == [stage_document(read_stage(stage)) for stage in TEMPLATES[name].stages]
    assert declared(director, desk.replace("/desk", "/draft")) == desk
    assert regulations(director, desk) == before
