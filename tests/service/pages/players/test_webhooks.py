"""The page of webhooks without scripts: made with a secret shown once, tried, explained when it fails, taken away."""

import re
from collections.abc import Iterator
from uuid import uuid4

import pytest
from flask import Flask

from projections.rules.catalogue import LANGUAGES
from service.webhooks.commands import MOST_TESTS
from tests.service.conftest import Environ, opened_app
from tests.support.service.players import somebody
from tests.support.service.scriptless_browser import BROWSER, Visitor
from tests.support.service.shared_fixtures import environ
from tests.support.service.tournament_fixture import Hall
from tests.support.service.webhook_receiver import send_due

__all__ = ["environ"]  # shared by the tests of this module
NOBODY_LISTENS = "http://127.0.0.1:9/news?of=ada"


@pytest.fixture(scope="module")
def app(environ: Environ) -> Iterator[Flask]:
    """An application that calls any address."""
    with opened_app(environ, CABILDO_WEBHOOKS="anywhere") as app:
        yield app


@pytest.fixture
def ada(app: Flask) -> Visitor:
    """A player with a browser."""
    return Visitor(app.test_client(), f"Ada {uuid4().hex[:12]}")


def made(visitor: Visitor) -> str:
    """The id of a webhook that is made by the form."""
    assert visitor.send("/webhooks", url=NOBODY_LISTENS, tournament="").status_code == 200
    found = re.search(r'action="/webhooks/([0-9a-f-]+)/test"', visitor.open("/webhooks"))
    assert found is not None
    return found.group(1)


def test_the_secret_is_shown_once_and_the_address_from_then_on(ada: Visitor) -> None:
    shown = ada.send("/webhooks", url=NOBODY_LISTENS, tournament="")
    assert re.search("whsec_[A-Za-z0-9+/]+=", shown.text)
    assert shown.headers["Cache-Control"] == "no-store"
    again = ada.open("/webhooks")
    assert "whsec_" not in again
    assert NOBODY_LISTENS in again
    assert "your games" in again


def test_a_webhook_hears_of_one_game_that_is_chosen(app: Flask, ada: Visitor) -> None:
    game = somebody(app.test_client()).create("me", "bot:random")["id"]
    assert f'<option value="{game}" selected>' in ada.open(f"/webhooks?game={game}")
    assert ada.send("/webhooks", url=NOBODY_LISTENS, tournament="", game=game).status_code == 200
    assert f'<td><a href="/games/{game}">One game</a></td>' in ada.open("/webhooks")


def test_a_test_that_does_not_arrive_shows_its_error_and_that_it_waits(app: Flask, ada: Visitor) -> None:
    hook = made(ada)
    back = ada.sent(f"/webhooks/{hook}/test")
    assert "on its way" in ada.open(back)
    assert send_due(app) >= 1
    page = ada.open("/webhooks")
    assert "test, attempt 1: ConnectError" in page
    assert "<td>1</td>" in page


def test_tests_beyond_the_bound_are_refused_with_a_sentence(ada: Visitor) -> None:
    hook = made(ada)
    for _ in range(MOST_TESTS):
        ada.sent(f"/webhooks/{hook}/test")
    refused = ada.send(f"/webhooks/{hook}/test")
    assert refused.status_code == 422
    assert f"{MOST_TESTS} tests wait" in refused.text


def test_a_webhook_is_taken_away_by_its_owner_alone(app: Flask, ada: Visitor) -> None:
    hook = made(ada)
    eve = Visitor(app.test_client(), f"Eve {uuid4().hex[:12]}")
    assert [eve.send(f"/webhooks/{hook}/{deed}").status_code for deed in ("removal", "test")] == [404, 404]
    assert ada.sent(f"/webhooks/{hook}/removal") == "/webhooks"
    assert NOBODY_LISTENS not in ada.open("/webhooks")


def test_a_tournament_is_chosen_by_its_title(app: Flask, ada: Visitor) -> None:
    hall = Hall(app, [{"format": "swiss", "rounds": 1, "sizes": [3]}]).open()
    assert f'<option value="{hall.id}" selected>The open of Ponce' in ada.open(f"/webhooks?tournament={hall.id}")
    assert ada.send("/webhooks", url=NOBODY_LISTENS, tournament=hall.id).status_code == 200
    assert f'<a href="/tournaments/{hall.id}">The open of Ponce</a>' in ada.open("/webhooks")


@pytest.mark.parametrize(
    ("wrong", "status", "says"),
    [
        ({"url": "ftp://example.org/"}, 422, "begins with https"),
        ({"url": ""}, 422, "url"),
        ({"tournament": "mine"}, 422, "tournament"),
        ({"tournament": "00000000-0000-7000-8000-000000000000"}, 404, "tournament"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_written_stays(
    ada: Visitor, wrong: dict[str, str], status: int, says: str
) -> None:
    fields = {"url": NOBODY_LISTENS, "tournament": "", **wrong}
    refused = ada.send("/webhooks", **fields)
    assert refused.status_code == status
    (said,) = re.findall('role="alert">(.*)</p>', refused.text)
    assert says in said
    assert f'value="{fields["url"]}"' in refused.text


def test_a_form_of_another_site_and_a_stranger_do_nothing(app: Flask, ada: Visitor) -> None:
    asked = {"csrf": "guessed", "url": NOBODY_LISTENS}
    assert ada.client.post("/webhooks", data=asked, headers=BROWSER).status_code == 403
    assert NOBODY_LISTENS not in ada.open("/webhooks")
    assert app.test_client().get("/webhooks", headers=BROWSER).headers["Location"] == "/login?next=%2Fwebhooks"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_is_said_in_every_language(language: str, ada: Visitor) -> None:
    made(ada)
    page = ada.client.get("/webhooks", headers={**BROWSER, "Accept-Language": language}).text
    assert f'<html lang="{language}">' in page
