"""The desk asks before what cannot be taken back and offers nothing that is refused; entrants see the own table."""

import re
from html import unescape
from typing import Any
from uuid import UUID, uuid4

import pytest
from flask import Flask

from projections.rules.catalogue import LANGUAGES
from tests.support.service.director_pages import SWISS, declared, paired
from tests.support.service.players import answer
from tests.support.service.scriptless_browser import Visitor
from tests.support.service.tournament_fixture import keep, play

ASKED = re.compile(r'<details class="panel sure">.*?</details>', re.DOTALL)


@pytest.fixture
def desk(director: Visitor) -> str:
    """The desk of a draft of two rounds."""
    return declared(director, "/tournaments/new?game=spice_road", **{**SWISS, "stage0.rounds": "2", "bots": "random"})


def asked(director: Visitor, desk: str, step: str, language: str = "en") -> str:
    """Returns the confirmation text of a step; empty when the step needs none."""
    page = director.open(f"{desk}?language={language}")
    found = [one for one in ASKED.findall(page) if f'action="{desk}/{step}"' in one]
    assert page.count(f'action="{desk}/{step}"') == len(found)
    return " ".join(unescape(re.sub("<[^>]+>", " ", "".join(found))).split())


def tell(director: Visitor, desk: str, what: str = "") -> dict[str, Any]:
    path = f"/v1{desk.removesuffix('/desk')}/{what}".rstrip("/")
    return answer(director.client.get(path), 200)


def started(director: Visitor, desk: str, bots: int = 8) -> None:
    """Round 1 is being played."""
    director.sent(f"{desk}/publication")
    director.sent(f"{desk}/bots", bots=str(bots))
    director.sent(f"{desk}/stage")
    paired(director, desk)
    director.sent(f"{desk}/round-publication")
    director.sent(f"{desk}/start")
    keep(director.client.application.extensions["cabildo"])


def test_publishing_is_asked_about_with_what_follows(director: Visitor, desk: str) -> None:
    assert "Neither can be taken back" in asked(director, desk, "publication")
    director.sent(f"{desk}/publication")
    director.sent(f"{desk}/bots", bots="4")
    director.sent(f"{desk}/stage")
    paired(director, desk)
    assert "All players see the pairing of round 1" in asked(director, desk, "round-publication")


def test_a_round_that_is_played_tells_how_many_tables_still_play(director: Visitor, desk: str) -> None:
    started(director, desk)
    page = director.open(desk)
    assert "2 of 2 tables still play." in page
    assert f"{desk}/round-closing" not in page
    container = director.client.application.extensions["cabildo"]
    play(container, UUID(tell(director, desk, "rounds/1")["tables"][0]["game"]))
    keep(container)
    assert "1 of 2 tables still play." in director.open(desk)
    play(container, UUID(tell(director, desk, "rounds/1")["tables"][1]["game"]))
    keep(container)
    assert "its results count" in asked(director, desk, "round-closing")


def finished_round(director: Visitor, desk: str) -> None:
    started(director, desk, bots=4)
    container = director.client.application.extensions["cabildo"]
    play(container, UUID(tell(director, desk, "rounds/1")["tables"][0]["game"]))
    keep(container)
    director.sent(f"{desk}/round-closing")


def test_a_stage_with_rounds_left_is_closed_with_a_reason(director: Visitor, desk: str) -> None:
    finished_round(director, desk)
    said = asked(director, desk, "stage-closing")
    assert "1 rounds of this stage are left" in said
    assert "the tournament ends with it" in said
    assert director.send(f"{desk}/stage-closing").status_code == 409
    director.sent(f"{desk}/stage-closing", reason="The hall closes at six")
    assert "The hall closes at six" in director.open(desk.replace("/desk", "/log"))
    (event,) = [one for one in tell(director, desk, "events?limit=500")["events"] if one["kind"] == "stage_closed"]
    assert re.fullmatch("[0-9a-f]{64}", event["data"]["reason"])
    assert "Its seed is shown" in asked(director, desk, "closing")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_is_asked_in_every_language(director: Visitor, desk: str, language: str) -> None:
    assert len(asked(director, desk, "publication", language)) > 60


def test_a_stage_that_nobody_could_begin_is_not_offered(director: Visitor, desk: str) -> None:
    director.sent(f"{desk}/publication")
    page = director.open(desk)
    assert "0 are there; the first stage begins with" in page
    assert f'action="{desk}/stage"' not in page


def test_an_entrants_overview_begins_with_the_own_table(director: Visitor, app: Flask, desk: str) -> None:
    guest = Visitor(app.test_client(), f"guest {uuid4().hex[:8]}")
    director.sent(f"{desk}/publication")
    about = desk.removesuffix("/desk")
    guest.sent(f"{about}/enter")
    director.sent(f"{desk}/bots", bots="3")
    director.sent(f"{desk}/stage")
    paired(director, desk)
    assert "Your table" not in guest.open(about)
    director.sent(f"{desk}/round-publication")
    assert "The table opens when the round starts" in guest.open(about)
    director.sent(f"{desk}/start")
    keep(app.extensions["cabildo"])
    game = tell(director, desk, "rounds/1")["tables"][0]["game"]
    page = guest.open(about)
    assert page.index("Your table") < page.index("Regulations")
    assert f'<a class="button main" href="/games/{game}/play">Open your table</a>' in page
    assert "Your table" not in director.open(about)
    assert f'href="{about}/rounds/1"' in guest.open(f"/games/{game}/play")


def test_a_closed_tournament_is_corrected_at_its_desk(director: Visitor, desk: str) -> None:
    finished_round(director, desk)
    director.sent(f"{desk}/stage-closing", reason="The hall closes at six")
    director.sent(f"{desk}/closing")
    about = desk.removesuffix("/desk")
    assert "replaced" not in director.open(about)
    at = f"{desk}/rounds/1/tables/1"
    page = director.open(at)
    assert "issues a new archive" in page
    assert f"{at}/time" not in page
    assert f"{at}/substitution" not in page
    director.sent(f"{at}/void", reason="The box was incomplete")
    page = director.open(about)
    assert f'href="/v1{about}/archive?edition=2"' in page
    assert "edition 2: holds" in page
    assert "edition 1: replaced" in page
    assert ": table voided, round 1, table 1. The box was incomplete" in page
    assert "edition 2 of the archive holds from now on" in director.open(f"{about}/log")
