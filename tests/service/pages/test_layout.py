"""Boards are readable and whole, and no page scrolls sideways, at the width of a desk, a tablet and a phone."""

import pytest
from playwright.sync_api import Browser, FloatRect, Page, Route, expect

from tests.support.service.annotators import Study, begin
from tests.support.service.browser import DESKTOP, LOCALES, PHONE, page, picture
from tests.support.service.browser_players import asked, come_in, first_of_list, placing, sit_down, until
from tests.support.service.page_layout import SIZES, fits
from tests.support.service.page_tour import UNFOLD, send
from tests.support.service.players import somebody
from tests.support.service.running_service import BOTH, GAMES, House

SCREENS = 3  # of a phone that a table needs at most
SEED = {"chance": 0, "seed": "42" * 32}
BOTS = ["bot:greedy"] * 4
LINE = 20  # pixels: more than a line of small words, less than two
CROWD = 24  # people on the ship: more than games have shown
EDGE = 8  # pixels between a dialog and the edge of the screen
CUT_OFF = """(title) => [...title.querySelectorAll("h1, .button, button")]
  .filter((one) => one.getBoundingClientRect().right > innerWidth - 5)
  .map((one) => one.textContent)"""
BROKEN = r"""(table) => [...table.querySelectorAll("th[scope=row]")].flatMap(({ firstChild: text }) =>
  [...text.data.matchAll(/[^\s-]+/g)].filter(({ 0: word, index }) => {
    const range = document.createRange();
    range.setStart(text, index);
    range.setEnd(text, index + word.length);
    return range.getClientRects().length > 1;
  }).map(([word]) => word))"""


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
        expect(shown.locator("#bar")).to_be_in_viewport()  # at the width of a phone
        assert shown.evaluate("document.documentElement.scrollHeight") <= SCREENS * SIZES[-1]["height"]
        sit_down(shown, table_house, "spice_road", *BOTS[1:seats], **SEED)
        asked(shown, "play a card")
        fits(shown, f"playing a card among {seats}")


def test_placing_is_readable_and_whole_at_every_width(house: House, table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        placing(shown, house, table_house)
        expect(shown.locator("#mat .mat")).to_be_visible()
        fits(shown, "placing colonists")


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


def test_titles_and_names_are_neither_cut_off_nor_broken(house: House, table_house: str, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "spice_road", *BOTS[1:2], **SEED)
        asked(shown, "play a card")
        for size in SIZES:
            shown.set_viewport_size(size)
            assert shown.locator(".title").evaluate(CUT_OFF) == [], size
        shown.goto(house.replay("five"))
        expect(shown.locator("#end .points")).to_be_visible()
        for size in SIZES:
            shown.set_viewport_size(size)
            assert max(box["height"] for box in _boxes(shown, "#end .points .named")) < LINE, size


def test_a_crowded_ship_is_readable_and_whole(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.route("**/position?*", _crowd)
        shown.goto(house.replay("five", 41))
        board(shown)
        assert shown.locator("[data-part=colonist_ship] circle").count() >= CROWD
        fits(shown, "a crowded ship")


@pytest.mark.parametrize("locale", LOCALES)
def test_points_of_five_players_are_whole_and_break_no_word(house: House, opened: Browser, locale: str) -> None:
    with page(opened, PHONE, locale=locale) as shown:
        shown.goto(house.replay("five"))
        points = shown.locator("#end .points")
        expect(points.locator("thead th")).to_have_count(5)
        for size in SIZES:
            shown.set_viewport_size(size)
            assert points.evaluate("(table) => table.scrollWidth - table.clientWidth") == 0, size
            assert points.evaluate(BROKEN) == [], size


def test_all_that_unfolds_beside_a_replay_keeps_to_its_column(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        shown.goto(house.replay("expansions"))
        board(shown)
        shown.evaluate(UNFOLD)
        expect(shown.locator("#talk input").first).to_be_visible()
        fits(shown, "the end of a game, all unfolded")


def test_a_cover_keeps_off_the_edges_of_a_phone(house: House, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        come_in(shown, house.url)
        terms = {"game": "spice_road", "seats": ["me", "here:Anna"], "start_player": 0}
        shown.goto(f"{house.url}/games/{send(shown, '/v1/games', terms)['id']}/play")
        expect(shown.locator("#cover")).to_be_visible()
        (box,) = _boxes(shown, "#cover")
        assert box["x"] >= EDGE
        assert box["x"] + box["width"] <= PHONE["width"] - EDGE


def _crowd(route: Route) -> None:
    """Answers a board with a crowd on the ship of the colonists."""
    position = route.fetch().json()
    position["colonists"]["ship"] = CROWD
    route.fulfill(json=position)


def _boxes(shown: Page, what: str) -> list[FloatRect]:
    """Returns the boxes of the parts of a page."""
    return [box for part in shown.locator(what).all() if (box := part.bounding_box())]
