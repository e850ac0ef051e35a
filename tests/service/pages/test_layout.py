"""Boards are readable and whole, and no page scrolls sideways, at the width of a desk, a tablet and a phone."""

import re
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.service.annotators import Study, begin
from tests.support.service.browser import DESKTOP, PHONE, page, picture
from tests.support.service.browser_players import asked, come_in, do, first_of_list, sit_down, until
from tests.support.service.page_layout import SIZES, fits
from tests.support.service.players import somebody
from tests.support.service.running_service import BOTH, GAMES, House
from tests.support.service.tournament_fixture import keep, play

LOCALES = ("en-GB", "is-IS", "sv-SE", "cs-CZ", "hu-HU")
SEED = {"chance": 0, "seed": "42" * 32}
BOTS = ["bot:greedy"] * 4
SEND = """async ([path, body]) => {
  const headers = {"Content-Type": "application/json", "X-CSRF-Token": document.querySelector("[name=csrf]").value};
  const answer = await fetch(path, {method: "POST", headers, body: JSON.stringify(body)});
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}"""
STAGES = [{"format": "swiss", "rounds": 2, "sizes": [4, 3]}]
# Routes without a page of their own: documents, files to keep, where a form leads.
DOCUMENTS = {
    "docs.openapi_json",
    "static",
    "study_pages.report",
    "study_pages.text",
    "study_pages.markdown",
    "study_pages.analysed",
    "tournament_pages.sheet",
    "lobby.player_by_name",
}


def board(shown: Page) -> None:
    """The board is drawn."""
    expect(shown.locator("#board:not([aria-busy]) .mat").first).to_be_attached()


@pytest.mark.parametrize("name", GAMES)
def test_every_table_is_readable_and_whole_at_every_width(house: House, opened: Browser, name: str) -> None:
    with page(opened, DESKTOP) as shown:
        for moment in (41, None):
            shown.goto("about:blank")
            shown.goto(house.replay(name, moment))
            board(shown)
            fits(shown, f"{name} at {moment or 'its end'}")
            for size in SIZES:
                shown.set_viewport_size(size)
                picture(shown, f"fit-{name}-{moment or 'end'}-{size['width']}")


@pytest.mark.parametrize("locale", LOCALES)
def test_boards_are_readable_and_whole_in_every_language(house: House, opened: Browser, locale: str) -> None:
    with page(opened, DESKTOP, locale=locale) as shown:
        for name in ("five", "caravans"):
            shown.goto(house.replay(name))
            board(shown)
            assert shown.locator("html").get_attribute("lang") == locale[:2]
            fits(shown, f"{name} in {locale}")


@pytest.mark.parametrize("seats", [2, 5])
def test_the_play_page_is_readable_and_whole_at_every_width(table_house: str, opened: Browser, seats: int) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "puerto_rico", *BOTS[1:seats], options=BOTH if seats > 2 else {}, **SEED)
        until(shown, "choose a role", first_of_list)  # the buildings for sale may be drafted first
        fits(shown, f"choosing a role among {seats}")
        do(shown, "role mayor")
        until(shown, "place", first_of_list)
        expect(shown.locator("#mat .mat")).to_be_visible()
        fits(shown, f"placing colonists among {seats}")
        sit_down(shown, table_house, "spice_road", *BOTS[1:seats], **SEED)
        asked(shown, "play a card")
        fits(shown, f"playing a card among {seats}")


@pytest.fixture(scope="module")
def study(house: House) -> Study:
    """A public study of a game of each kind."""
    made = begin(somebody(house.app.test_client()), house.games["five"], house.games["caravans"], visibility="public")
    made.say("41", "Why here?")
    return made


def test_studies_are_readable_and_whole_at_every_width(house: House, opened: Browser, study: Study) -> None:
    with page(opened, DESKTOP) as shown:
        for path in (f"/studies/{study.id}", f"/studies/{study.id}/embed"):
            for place in ("#1/41", "#2/30"):
                shown.goto("about:blank")
                shown.goto(house.url + path + place)
                board(shown)
                fits(shown, path + place)


@pytest.fixture(scope="module")
def director(house: House, opened: Browser) -> Iterator[Page]:
    """A phone of a director."""
    with page(opened, PHONE, forgiving=("404",)) as shown:
        come_in(shown, house.url)
        yield shown


def send(shown: Page, path: str, body: Any = None) -> dict[str, Any]:
    """Send something with the session of the page."""
    answer: dict[str, Any] = shown.evaluate(SEND, [path, body or {}])
    return answer


def declared(shown: Page) -> str:
    """A tournament as it is declared; its id."""
    regulations = {"game": "spice_road", "chance": 0, "bots": "random", "stages": STAGES}
    return str(send(shown, "/v1/tournaments", {"title": "The open of Ponce", "regulations": regulations})["id"])


def played(shown: Page, house: House) -> str:
    """A tournament of which a round has been played and the next is to be paired; its id."""
    tournament, container = declared(shown), house.app.extensions["cabildo"]
    path = f"/v1/tournaments/{tournament}"
    send(shown, f"{path}/publication")
    for _ in range(4):
        send(shown, f"{path}/entrants", {"bot": True})
    for step in ("stages", "rounds", "rounds/current/publication", "rounds/current/start"):
        send(shown, f"{path}/{step}")
    keep(container)
    for _, table in container.tournaments.load(UUID(tournament)).known.games():
        play(container, UUID(table.game))
    keep(container)
    send(shown, f"{path}/rounds/current/closing")
    return tournament


def test_no_page_scrolls_sideways_on_a_phone(house: House, director: Page, study: Study) -> None:
    me = str(director.locator(".who").get_attribute("href")).rsplit("/", 1)[1]
    tournament, draft = played(director, house), declared(director)
    game = str(send(director, "/v1/games", {"game": "puerto_rico", "seats": ["me", *BOTS[:2]], **SEED})["id"])
    given = {"player": me, "study": study.id, "number": 1, "round": 1, "table": 1, "entrant": 1, "game": game}
    rules = [rule for rule in house.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    others = ("/v1/", "/log", "/admin")  # the administrators' pages have a test of their own
    pages = [rule for rule in rules if not rule.rule.startswith(others) and rule.endpoint not in DOCUMENTS]
    assert len(pages) > 30
    for rule in pages:
        at = draft if rule.rule.endswith("/draft") else tournament
        path = rule.rule
        for name, value in {**given, "tournament": at}.items():
            path = re.sub(rf"<[^<>]*\b{name}>", str(value), path)
        answered = director.goto(house.url + path)
        assert answered is not None
        assert answered.status == 200, path
        if "text/html" in str(answered.header_value("content-type")):
            director.evaluate(
                "() => { for (const folded of document.querySelectorAll('details')) folded.open = true; }"
            )
            assert director.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], path
