"""Everything on a board explains itself: marks, decks, loads and stocks; by hover, by a tap and by a long press."""

import re

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.service.browser import DESKTOP, LOCALES, PHONE, barriers, page
from tests.support.service.browser_players import asked, come_in, sit_down
from tests.support.service.running_service import House

BOT = "bot:greedy"
IDS_TWICE = """() => {
  const ids = [...document.querySelectorAll("[id]")].map((node) => node.id);
  return ids.filter((id, at) => ids.indexOf(id) !== at);
}"""

BROKEN = r"""(book) => {
  const words = document.createTreeWalker(book, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (words.nextNode()) {
    const text = words.currentNode;
    if (!text.parentElement.closest("td, th")) continue;
    for (const { 0: word, index } of text.data.matchAll(/[^\s\p{P}\p{S}]+/gu)) {
      const range = document.createRange();
      range.setStart(text, index);
      range.setEnd(text, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
}"""


def card(shown: Page) -> Locator:
    """The card that is open."""
    return shown.locator(".piece-card:not([hidden])")


def explained(shown: Page, piece: Locator, *words: str) -> None:
    """The card of a piece has these words."""
    piece.scroll_into_view_if_needed()
    piece.hover()
    for one in words:
        expect(card(shown)).to_contain_text(re.compile(re.escape(one), re.IGNORECASE))
    shown.mouse.move(0, 0)
    expect(card(shown)).to_have_count(0)


def hold(shown: Page, piece: Locator) -> None:
    """Puts a finger on a piece until its card opens."""
    piece.scroll_into_view_if_needed()
    box = piece.bounding_box()
    assert box is not None
    finger = [{"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}]
    session = shown.context.new_cdp_session(shown)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": finger})
    expect(card(shown)).to_be_visible()
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_marks_owners_and_stocks_of_puerto_rico_explain_themselves(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.replay('puerto_rico')}#41")
        expect(shown.locator(".mat .mark[data-piece='places.governor']")).to_be_visible()
        explained(shown, shown.locator(".mark[data-piece='places.governor']"), "Governor")
        role = shown.locator(".mat .mark[data-piece^='roles.']").first
        explained(shown, role, role.inner_text())
        explained(shown, shown.locator("[data-part^='roles.']:has(.taken)").first, "Taken by ")
        explained(shown, shown.locator("[data-part='face_down']"), "Still face down: ")
        explained(shown, shown.locator("[data-part='row.0']"), "Still face down: ")
        explained(
            shown, shown.locator("[data-part='players.0.goods.corn']"), "Owner: ", "Owned: ", "Left in the supply: "
        )
        own = shown.locator("[data-part^='players.'][data-part*='.city.']").first
        explained(shown, own, "Owner: ")
        name = str(own.get_attribute("data-part")).split(".")[3]
        explained(shown, shown.locator(f"[data-part='market.{name}']"), "Built by: ")


def test_the_decks_of_spice_road_explain_themselves(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(house.replay("spice_road"))
        explained(shown, shown.locator("[data-piece='places.point_deck']"), "Point deck", "After each claim")
        explained(shown, shown.locator("[data-piece='places.merchant_deck']"), "Merchant deck", "without cubes")


def test_drawn_examples_explain_loads_and_share_no_id(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/rules/puerto_rico")
        for example, piece, words in (
            ("E-11", "[data-part='house.0']", "Left in the supply: 6"),
            ("E-3", "[data-piece='goods.corn'] .piece", "Corn"),
            ("E-3", "[data-part='players.0.goods.corn']", "Left in the supply: 2"),
        ):
            drawn = shown.locator(f"[data-example='{example}']")
            drawn.scroll_into_view_if_needed()
            drawn.locator(piece).first.hover()
            expect(card(shown)).to_contain_text(re.compile(words, re.IGNORECASE))
            assert shown.evaluate(IDS_TWICE) == []


def test_a_link_to_an_example_shows_it_when_those_above_are_drawn(house: House, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        shown.goto(f"{house.url}/rules/puerto_rico#E-3")
        for example in ("E-1", "E-2", "E-3"):
            expect(shown.locator(f"[data-example='{example}'] .drawn svg").first).to_be_attached()
        expect(shown.locator("#E-3")).to_be_in_viewport()
        shown.keyboard.press("PageDown")  # the reader moves on
        expect(shown.locator("#E-3")).not_to_be_in_viewport()


@pytest.mark.parametrize("locale", LOCALES)
def test_tables_of_the_rules_break_no_word_on_a_phone(house: House, opened: Browser, locale: str) -> None:
    with page(opened, PHONE, locale=locale) as shown:
        shown.goto(f"{house.url}/rules/puerto_rico")
        assert shown.locator("#book table").count() > 10
        assert shown.locator("#book").evaluate(BROKEN) == []
        assert barriers(shown) == []  # what is wider than the page is scrolled by keys, too


def test_a_tap_explains_what_cannot_be_chosen(house: House, opened: Browser) -> None:
    with page(opened, PHONE, touch=True) as shown:
        shown.goto(house.replay("puerto_rico"))
        shown.locator("[data-part='market.wharf']").tap()
        expect(card(shown)).to_contain_text("Once in each captain phase")
        shown.locator("h1").first.tap()
        expect(card(shown)).to_have_count(0)


def test_a_long_press_explains_and_a_tap_chooses(house: House, opened: Browser) -> None:
    with page(opened, PHONE, touch=True) as shown:
        come_in(shown, house.url)
        sit_down(shown, house.url, "spice_road", BOT)
        asked(shown, "")
        confirm = shown.locator("#panel").get_by_role("button", name="Do it")
        first = shown.locator("[data-part='merchant_row.0']")
        hold(shown, first)
        expect(card(shown)).to_contain_text("free of charge")
        expect(confirm).to_have_count(0)
        shown.keyboard.press("Escape")
        first.tap()
        expect(confirm).to_be_visible()
