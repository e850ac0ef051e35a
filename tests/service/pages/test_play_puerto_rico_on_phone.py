"""Puerto Rico on a phone: the page stays short and where a choice was made; the bar and the tabs follow the turn."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from projections.rules.catalogue import LANGUAGES
from tests.support.running_program import eventually
from tests.support.service.browser import PHONE, barriers, page, picture
from tests.support.service.browser_players import asked, come_in, do, first_of_list, loading, placing, sit_down, until
from tests.support.service.page_layout import HEADER, fits
from tests.support.service.running_service import BOTH, House

SCREENS = 3  # of a phone that a table needs at most
MOST = SCREENS * PHONE["height"]  # pixels
LONG_NAME = "Wilhelmina Alexandrina of Kleinbogen"
SEED = {"chance": 0, "seed": "42" * 32}
BOT = "bot:greedy"
TOP = "(node) => node.getBoundingClientRect().top"
TO_MIDDLE = "(node) => node.scrollIntoView({ block: 'center' })"


@pytest.fixture
def phone(table_house: str, opened: Browser) -> Iterator[Page]:
    """A phone of somebody with an account."""
    with page(opened, PHONE) as shown:
        come_in(shown, table_house)
        yield shown


def is_short(shown: Page) -> bool:
    """Returns whether the page has three screens at most."""
    return bool(shown.evaluate("document.documentElement.scrollHeight") <= MOST)


def height_in(shown: Page, language: str) -> float:
    """Returns where the foot of a page begins that is shown in a language at a choice of its player."""
    shown.goto(f"{shown.url.partition('?')[0]}?language={language}")
    expect(shown.locator("#panel button.main")).to_be_visible()
    expect(shown.locator("#board:not([aria-busy]) .mat").first).to_be_attached()
    expect(shown.locator("#log li").first).to_be_visible()
    found: float = shown.locator(".foot").evaluate("(node) => node.getBoundingClientRect().top + scrollY")
    return found


def stays(shown: Page, spots: str) -> None:
    """The first of these parts stays where it is on the screen while it is chosen."""
    name = shown.locator(spots).first.get_attribute("data-part")
    part = shown.locator(f'{spots.split(".")[0].strip()} [data-part="{name}"]').first
    part.evaluate(TO_MIDDLE)
    before = part.evaluate(TOP)
    part.click()
    assert eventually(lambda: abs(part.evaluate(TOP) - before) <= 1)


def test_the_draft_is_short_and_unfolds_its_effects(phone: Page, table_house: str) -> None:
    sit_down(phone, table_house, "puerto_rico", BOT, options={"expansions": ["new_buildings"]}, **SEED)
    asked(phone, "choose a building")
    expect(phone.locator(".draft-card")).to_have_count(31)
    expect(phone.locator("#round")).to_have_text("Draft of the buildings")
    expect(phone.locator(".draft-card p").first).to_be_hidden()
    picture(phone, "draft-phone")
    assert is_short(phone)
    phone.get_by_text("What these buildings do").first.click()
    expect(phone.locator(".draft-effects dd").first).to_be_visible()
    expect(phone.locator(".draft-effects dd").first).not_to_be_empty()
    assert barriers(phone) == []
    fits(phone, "the draft")


def test_the_longest_draft_takes_three_screens(phone: Page, table_house: str) -> None:
    sit_down(phone, table_house, "puerto_rico", *[BOT] * 4, options=BOTH, **SEED)
    asked(phone, "choose a building")
    expect(phone.locator(".draft-card")).to_have_count(31)
    assert is_short(phone)
    fits(phone, "the draft among five")


def test_the_longest_table_takes_three_screens_while_people_are_placed(phone: Page, table_house: str) -> None:
    sit_down(phone, table_house, "puerto_rico", *[BOT] * 4, options=BOTH, **SEED)
    until(phone, "place colonists", first_of_list)
    fits(phone, "placing among five")
    assert {language: height for language in LANGUAGES if (height := height_in(phone, language)) > MOST} == {}


def test_bar_tabs_and_header_follow_the_turn(table_house: str, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        come_in(shown, table_house, LONG_NAME)
        sit_down(shown, table_house, "puerto_rico", BOT, **SEED)
        asked(shown, "choose a role")
        assert shown.locator("header.site").evaluate("(node) => node.offsetHeight") <= HEADER
        assert is_short(shown)
        expect(shown.locator("#bar-text")).to_have_text(shown.locator("#prompt").inner_text())
        own, other = (shown.locator(f"#board .mat.seat-{seat}") for seat in (0, 1))
        expect(own).to_be_visible()
        shown.locator("#board .players button").nth(1).click()
        expect(other).to_be_visible()
        expect(own).to_be_hidden()
        do(shown, "role builder")
        asked(shown, "build")
        expect(own).to_be_visible()  # for the next decision
        expect(other).to_be_hidden()
        shown.locator('#board .can[data-part="market.small_indigo_plant"]').click()
        expect(shown.get_by_role("button", name="Do it")).to_be_visible()
        expect(shown.locator("#bar-text")).to_contain_text("small indigo plant")


def test_building_on_the_board_leaves_the_page_where_it_is(phone: Page, table_house: str) -> None:
    sit_down(phone, table_house, "puerto_rico", BOT, **SEED)
    asked(phone, "choose a role")
    do(phone, "role builder")
    asked(phone, "build")
    stays(phone, "#board .can[data-part^='market.']")


def test_loading_on_the_board_leaves_the_page_where_it_is(house: House, table_house: str, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        loading(shown, house, table_house)
        stays(shown, "#board .can[data-part^='ships.']")


def test_placing_on_the_board_leaves_the_page_where_it_is(house: House, table_house: str, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        placing(shown, house, table_house)
        picture(shown, "mayor-phone")
        assert is_short(shown)
        stays(shown, "#mat .can")
        expect(shown.locator("#bar-open")).to_have_text("Place them so")


def test_the_end_of_a_game_is_short(house: House, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        shown.goto(house.replay("for_two"))
        expect(shown.locator("#end .points")).to_be_visible()
        picture(shown, "end-phone")
        panel = shown.locator("#end .panel.end").evaluate("(node) => node.offsetHeight")
        assert panel <= SCREENS * PHONE["height"]
        fits(shown, "the end")
