"""The form of reports: linked from what it is about, without scripts, in all languages; lists the visitor's own."""

import re
from uuid import uuid4

import pytest
from flask import Flask

from projections.rules.catalogue import LANGUAGES
from service.i18n.phrases import phrase
from tests.support.service.administrators import administrator
from tests.support.service.annotators import Study, a_finished_game, begin
from tests.support.service.players import Person, answer, somebody
from tests.support.service.scriptless_browser import Visitor
from tests.support.service.shared_fixtures import app, environ
from tests.support.service.tournament_fixture import Hall

__all__ = ["app", "environ"]  # shared by the tests of this module
STAGE = {"format": "swiss", "rounds": 1, "sizes": [2]}


@pytest.fixture
def ada(app: Flask) -> Visitor:
    """A visitor with a session."""
    return Visitor(app.test_client(), f"Ada {uuid4().hex[:12]}")


@pytest.fixture
def birgir(app: Flask) -> Person:
    return somebody(app.test_client())


def annotated(birgir: Person) -> tuple[Study, int]:
    """A study with a comment, and the comment's number."""
    study = begin(birgir, a_finished_game(birgir.client)[0], title="Rude study")
    return study, study.say("5", "You play <badly>")


def test_pages_of_what_can_be_reported_lead_to_the_form(app: Flask, ada: Visitor, birgir: Person) -> None:
    study, _ = annotated(birgir)
    game = birgir.create("me", "open")["id"]
    hall = Hall(app, [STAGE]).open()
    for page, about, id in (
        (f"/players/{birgir.id}", "player", birgir.id),
        (f"/games/{game}", "game", game),
        (f"/studies/{study.id}", "study", study.id),
        (f"/tournaments/{hall.id}", "tournament", hall.id),
    ):
        path = f"/reports?about={about}&amp;id={id}"
        assert f'href="{path}"' in ada.open(page)
        assert path not in app.test_client().get(page).text
        assert '<textarea id="text" name="text"' in ada.open(path.replace("&amp;", "&"))


def test_a_comment_is_reported_without_scripts(app: Flask, ada: Visitor, birgir: Person) -> None:
    study, comment = annotated(birgir)
    page = ada.open(f"/reports?about=study&id={study.id}")
    labels = re.findall(r'<option value="(\w+:\d+)"[^>]*>([^<]*)<', page)
    assert labels[:3] == [
        ("study:0", "study: Rude study"),
        ("chapter:1", "chapter 1: Rude study"),
        (f"comment:{comment}", f"comment ({birgir.name}): You play &lt;badly&gt;"),
    ]
    fields = {"whole": "study", "id": study.id, "thing": f"comment:{comment}", "kind": "abuse", "text": "Not nice."}
    assert ada.sent("/reports", **fields) == "/reports?sent=1"
    assert "Not nice." in ada.open("/reports?sent=1")
    (thing,) = answer(administrator(app).ask("GET", "/v1/admin/reports"), 200)["things"]
    assert (thing["about"], thing["number"], thing["reports"][0]["reporter"]["name"]) == ("comment", comment, ada.name)


def test_a_refused_report_is_shown_again_with_its_words(ada: Visitor, birgir: Person) -> None:
    fields = {"whole": "player", "id": birgir.id, "thing": "player:0", "kind": "spam", "text": "Kept words"}
    shown = ada.send("/reports", **{**fields, "kind": "none"})
    assert shown.status_code == 422
    assert "Kept words</textarea>" in shown.text
    assert ada.send("/reports", **{**fields, "thing": "comment:7"}).status_code == 404
    assert ada.send("/reports", **{**fields, "csrf": "wrong"}).status_code == 403


def test_the_form_tells_nothing_of_what_is_hidden_from_the_visitor(ada: Visitor, birgir: Person) -> None:
    private = birgir.post("/v1/studies", {"title": "Mine", "visibility": "private"})["study"]
    for query in (f"about=study&id={private}", "about=study&id=x", f"about=comment&id={private}", "about=game"):
        assert "Mine" not in ada.open(f"/reports?{query}", 404)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_form_speaks_the_language_of_the_visitor(ada: Visitor, birgir: Person, language: str) -> None:
    page = ada.open(f"/reports?about=player&id={birgir.id}&language={language}")
    for name in ("title", "why", "kind_cheating", "send", "none"):
        assert phrase(language, f"reports.{name}") in page
