"""The pages of a tournament in use: guests take part, a director leads an event; nothing keeps anybody out of them."""

import re
from collections.abc import Iterator
from uuid import UUID

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page

from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import eventually
from tests.support.service.browser import DESKTOP, PHONE, barriers, page, picture
from tests.support.service.scriptless_browser import PASSWORD, Visitor
from tests.support.service.tournament_fixture import Hall, keep, play

HOSTILE = "<script>alert('entrant')</script>"
STAGES = [{"format": "swiss", "rounds": 1, "sizes": [4, 3]}]
TABLE = "/rounds/1/tables/1"
TABS = ("", "/standings", "/standings/1", "/cross-table", "/statistics", "/rounds/1", "/rounds/1?why=1")


def test_a_guest_enters_checks_in_and_withdraws_by_forms(app: Flask) -> None:
    hall = Hall(app, STAGES, check_in=True).open()
    visitor = Visitor(app.test_client(), HOSTILE)
    path = f"/tournaments/{hall.id}"
    assert visitor.send(f"{path}/withdraw").status_code == 404
    assert visitor.sent(f"{path}/enter") == path
    assert f'action="{path}/check-in"' in visitor.open(path)
    visitor.sent(f"{path}/check-in")
    shown = visitor.open(path)
    assert f'action="{path}/check-in"' not in shown
    assert HOSTILE not in shown
    assert "&lt;script&gt;" in shown
    assert "You are paired for no further round" in shown  # the button shows the consequence
    visitor.sent(f"{path}/withdraw")
    assert f'action="{path}/enter"' in visitor.open(path)
    assert visitor.client.post(f"{path}/enter", data={"csrf": "guessed"}).status_code == 403


def test_entering_is_not_offered_once_entries_are_closed(app: Flask) -> None:
    hall = Hall(app, STAGES, bots="random").open(bots=4)
    visitor, enter = Visitor(app.test_client(), "Late Lena"), f"/tournaments/{hall.id}/enter"
    assert f'action="{enter}"' in visitor.open(f"/tournaments/{hall.id}")
    hall.direct("stages")
    hall.start()
    assert f'action="{enter}"' not in visitor.open(f"/tournaments/{hall.id}")
    assert visitor.send(enter).status_code == 409


@pytest.fixture(scope="module")
def url(app: Flask, environ: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the service."""
    with serving(environ, "service.app:create_app()", tmp_path_factory.mktemp("log") / "log") as (_, url):
        assert eventually(lambda: answers(url))
        yield url


def inspect(shown: Page, name: str) -> None:
    """Asserts that a page is accessible and fits a phone."""
    shown.set_viewport_size(PHONE)
    assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], name
    shown.set_viewport_size(DESKTOP)
    assert barriers(shown) == [], name
    picture(shown, f"tournament-{name}-desktop")


def test_nothing_keeps_people_out_of_a_tournament(app: Flask, url: str, opened: Browser) -> None:
    hall = Hall(app, STAGES, bots="random").open(bots=4)
    hall.direct("stages")
    hall.round()
    for size, dark in ((DESKTOP, False), (PHONE, True)):
        with page(opened, size, dark) as shown:
            for tab in ("/tournaments", *(f"/tournaments/{hall.id}{tab}" for tab in TABS)):
                shown.goto(url + tab)
                assert barriers(shown) == [], tab
                assert shown.evaluate("document.documentElement.scrollWidth") <= size["width"], tab
                name = tab.removeprefix(f"/tournaments/{hall.id}").strip("/").replace("/", "-").split("?")[0]
                picture(shown, f"tournament-{name or 'event'}-{'phone-dark' if dark else 'desktop'}")
                shown.emulate_media(media="print")
                assert not shown.get_by_role("navigation").filter(visible=True).count(), tab
                shown.emulate_media(media="screen")


def test_a_director_leads_an_event_of_bots_by_the_pages(app: Flask, url: str, opened: Browser) -> None:
    container = app.extensions["cabildo"]
    with page(opened, DESKTOP) as shown:
        desk = declare(shown, url)
        confirm(shown, "Publish and freeze the regulations")
        shown.get_by_text("Invite, enter, fill in").click()
        shown.get_by_label("How many").fill("4")
        for order in ("Let bots fill in", "Begin the stage"):
            press(shown, order)
        follow(shown, "Preview the next round")
        inspect(shown, "preview")
        press(shown, "Pair the round like this")
        for order in ("Show the pairing", "Start the games"):
            confirm(shown, order)
        keep(container)
        follow(shown, "The tournament has gone on: show how it stands now")
        shown.get_by_text("Round 1: being played").wait_for()
        (game,) = (table.game for _, table in container.tournaments.load(UUID(desk.split("/")[-2])).known.games())
        play(container, UUID(game))
        keep(container)
        shown.goto(desk + TABLE)
        rule(shown)
        shown.goto(desk)
        inspect(shown, "desk")
        for order in ("Close the round", "Close the stage", "Close the tournament"):
            confirm(shown, order)
        shown.get_by_text("Nothing is to be done now").wait_for()
        follow(shown, "Log of the tournament")
        inspect(shown, "log")
        row = shown.get_by_role("row", name=re.compile("result ruled, round 1, table 1"))
        assert re.search("Doña Isabel.*Counted once more", row.inner_text(), re.DOTALL)


def declare(shown: Page, url: str) -> str:
    """Register, and declare a tournament by the form; the address of its desk."""
    shown.goto(f"{url}/register?next=/tournaments")
    shown.get_by_label("Name").fill("Doña Isabel")
    shown.get_by_label("Password").fill(PASSWORD)
    press(shown, "Register")
    shown.goto(f"{url}/tournaments/new?game=spice_road&template=swiss")
    shown.get_by_label("Title", exact=True).fill("The open of Ponce")
    shown.get_by_role("spinbutton", name="Rounds", exact=True).fill("1")
    shown.get_by_label("Bots that may fill tables").select_option("greedy")
    inspect(shown, "declaring")
    press(shown, "Keep the draft")
    inspect(shown, "desk-of-a-draft")
    return shown.url


def rule(shown: Page) -> None:
    """Say how the table ended that is shown."""
    inspect(shown, "ruling")
    ended = shown.locator("section", has=shown.get_by_role("heading", name="How the table ended"))
    ended.get_by_label("Reason").fill("Counted once more")
    with shown.expect_navigation():
        ended.get_by_role("button", name="Rule").click()
    shown.get_by_text("ruled by a director").wait_for()


def follow(shown: Page, link: str) -> None:
    """Follow a link to another page."""
    with shown.expect_navigation():
        shown.get_by_role("link", name=link, exact=True).click()


def press(shown: Page, order: str) -> None:
    """Press a button that leads to another page."""
    with shown.expect_navigation():
        shown.get_by_role("button", name=order, exact=True).click()


def confirm(shown: Page, order: str) -> None:
    """Opens the confirmation of a step by keyboard and confirms it."""
    asked = shown.locator("details.sure", has=shown.locator("summary", has_text=order))
    asked.locator("summary").press("Enter")
    with shown.expect_navigation():
        asked.get_by_role("button", name="Do it").click()
