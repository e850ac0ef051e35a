"""The pages of a tournament, without scripts: all is shown, explained down to events, and said in five languages."""

import re

import pytest
from flask import Flask

from projections.games.results import FORFEIT, RULES
from projections.rules.catalogue import LANGUAGES
from projections.rules.puerto_rico.kinds import ENDS
from service.i18n.catalogue import PHRASES, rows
from tests.support.service.tournament_fixture import Hall

HEATS = {"format": "heats", "rounds": 1, "sizes": [4, 3], "advance": {"total": 7}}
SWISS = {"format": "swiss", "rounds": 2, "sizes": [4, 3], "draw": "balanced"}


@pytest.fixture(scope="module")
def hall(app: Flask) -> Hall:
    """Seven bots after a heat and two rounds of Swiss, the last with a table that a director decided."""
    hall = Hall(app, [HEATS, SWISS], bots="random").open(bots=7)
    hall.direct("stages")
    hall.round()
    hall.direct("stages/current/closing")
    hall.direct("stages")
    for _ in range(2):
        hall.round()
    seats = len(hall.read("rounds/3")["tables"][0]["seats"])
    result = {"points": [9, 7, 5, 3][:seats], "places": [1, 2, 3, 4][:seats]}
    about = {"round": 3, "table": 1, "reason": "<b>Read</b> again", **result}
    hall.direct("rulings/result", about)
    return hall


def page(hall: Hall, what: str = "", language: str = "en") -> str:
    response = hall.client.get(hall.path.removeprefix("/v1") + what, headers={"Accept-Language": language})
    assert response.status_code == 200, response.text
    return response.text


def numbers(text: str) -> set[int]:
    """The events that a page leads to."""
    return {int(after) + 1 for after in re.findall(r"/events\?after=(\d+)&amp;limit=1", text)}


def test_the_list_leads_to_the_tournament(hall: Hall) -> None:
    assert f'href="/tournaments/{hall.id}"' in hall.client.get("/tournaments").text


def test_the_overview_tells_regulations_entrants_and_rulings(hall: Hall) -> None:
    shown = page(hall)
    assert "The open of Ponce" in shown
    assert "1000/100/10/1" in shown
    assert hall.read()["hash"] in shown
    assert len(re.findall("<li value=", shown)) == 7
    assert "&lt;b&gt;Read&lt;/b&gt; again" in shown


def test_a_round_shows_its_tables_and_says_why_on_demand(hall: Hall) -> None:
    plain, why = page(hall, "/rounds/3"), page(hall, "/rounds/3?why=1")
    assert [len(re.findall("<h3 id", text)) for text in (plain, why)] == [2, 2]
    assert 'class="reasons"' not in plain
    assert "score group" in why
    assert "ruled by a director" in plain
    assert numbers(why) <= set(range(1, hall.read()["version"] + 1))
    assert numbers(why)


def test_every_rank_leads_to_its_reasons_down_to_events(hall: Hall) -> None:
    shown = page(hall, "/standings")
    (first, *others) = re.findall(rf'href="(/tournaments/{hall.id}/standings/\d+\?stage=2)"', shown)
    assert len(others) == 6
    explained = page(hall, first.removeprefix(f"/tournaments/{hall.id}"))
    assert "points:" in explained
    assert numbers(explained)


def test_cross_table_and_statistics_are_shown_by_stage(hall: Hall) -> None:
    assert page(hall, "/cross-table?stage=1").count("</tr>") == 8
    assert re.findall(r'<th scope="col">Round (\d)', page(hall, "/cross-table")) == ["2", "3"]
    assert "How the seats did" in page(hall, "/statistics")
    assert "reglur spilsins: 2" in page(hall, "/statistics?stage=1", "is")
    assert page(hall, "/statistics.csv?stage=1").startswith("what,")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_said_in_every_language(language: str, hall: Hall) -> None:
    for what in ("", "/rounds/2?why=1", "/rounds/3?why=1", "/standings", "/standings/1", "/cross-table", "/statistics"):
        assert f'<html lang="{language}">' in page(hall, what, language)


@pytest.mark.parametrize("what", ["/rounds/9", "/standings?stage=3", "/standings/99", "/cross-table?stage=x"])
def test_what_is_not_there_is_not_found(what: str, hall: Hall) -> None:
    assert hall.client.get(f"/tournaments/{hall.id}{what}").status_code == 404


def test_a_draft_has_no_page_for_others(app: Flask) -> None:
    assert app.test_client().get(f"/tournaments/{Hall(app, [SWISS]).id}").status_code == 404


def test_whatever_ends_a_game_has_a_phrase() -> None:
    assert {f"end_{end}" for end in (*ENDS, RULES, FORFEIT)} <= rows(PHRASES, "tournament").keys()
