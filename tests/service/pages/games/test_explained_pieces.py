"""The rules at hand, in a real browser: pieces explain themselves by pointer, by keyboard and by touch."""

import re

from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.service.browser import DESKTOP, PHONE, barriers, page
from tests.support.service.browser_players import asked, come_in, sit_down
from tests.support.service.running_service import House

BOT = "bot:greedy"


def card(shown: Page) -> Locator:
    """The card that explains a piece."""
    return shown.locator(".piece-card")


def inside(shown: Page, anchor: Locator) -> None:
    """The card lies in the window and not over its piece."""
    box, piece, size = card(shown).bounding_box(), anchor.bounding_box(), shown.viewport_size
    assert box is not None
    assert piece is not None
    assert size is not None
    assert min(box["x"], box["y"]) >= 0
    assert box["x"] + box["width"] <= size["width"]
    assert box["y"] + box["height"] <= size["height"]
    apart = box["x"] >= piece["x"] + piece["width"] or piece["x"] >= box["x"] + box["width"]
    assert apart or box["y"] >= piece["y"] + piece["height"] or piece["y"] >= box["y"] + box["height"]


def test_pieces_of_a_replay_explain_themselves(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(house.replay("puerto_rico"))
        wharf = shown.locator('[data-part="market.wharf"]')
        wharf.hover()
        expect(card(shown)).to_contain_text("Once in each captain phase")
        expect(card(shown)).to_contain_text("Cost 9")
        expect(card(shown)).to_contain_text("Left in the supply")
        inside(shown, wharf)
        card(shown).hover()  # it stays under the pointer
        expect(card(shown).get_by_role("link")).to_have_attribute("href", "/rules/puerto_rico?language=en#wharf")
        shown.keyboard.press("Escape")
        expect(card(shown)).to_be_hidden()
        mode = shown.get_by_role("button", name="Explain the pieces")
        mode.focus()
        shown.keyboard.press("Enter")
        first = shown.locator('#board [data-part][tabindex="0"]')
        expect(first).to_have_accessible_name(re.compile("^Explain: settler"))
        first.focus()
        shown.keyboard.press("ArrowRight")
        expect(card(shown).locator("strong")).to_have_text("mayor")
        expect(shown.locator(":focus")).to_have_attribute("aria-describedby", "piece-words")
        shown.keyboard.press("Enter")  # into the card, and back
        expect(card(shown).get_by_role("link")).to_be_focused()
        shown.keyboard.press("Escape")
        expect(shown.locator(":focus")).to_have_attribute("data-part", "roles.mayor")
        assert barriers(shown) == []
        shown.keyboard.press("Escape")
        expect(mode).to_have_attribute("aria-pressed", "false")
        expect(shown.locator("#board [data-part][tabindex]")).to_have_count(0)
        shown.goto(house.url)  # and so do those of the game on the first page
        shown.locator('#board [data-part="roles.mayor"], #board [data-part="merchant_row.0"]').hover()
        expect(card(shown).get_by_role("link")).to_be_visible()
        shown.keyboard.press("Escape")
        shown.locator("#board h2").first.click()  # elsewhere, the board leads to its game
        expect(shown).to_have_url(re.compile(r"/games/[\da-f-]+"))


def test_while_pieces_explain_themselves_a_tap_chooses_nothing(house: House, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        come_in(shown, house.url)
        sit_down(shown, house.url, "spice_road", BOT)
        asked(shown, "")
        version = shown.locator("#board").get_attribute("data-version")
        shown.get_by_role("button", name="Explain the pieces").click()
        third = shown.locator('[data-part="merchant_row.2"]')
        third.click()
        expect(card(shown)).to_contain_text("on each card to its left")
        inside(shown, third)
        assert shown.locator("#board").get_attribute("data-version") == version
        shown.get_by_role("button", name="Explain the pieces").click()
        expect(card(shown)).to_be_hidden()
        shown.locator('[data-part="merchant_row.0"]').click()  # now it is chosen
        expect(shown.locator("#panel").get_by_role("button", name="Do it")).to_be_visible()


def test_the_draft_tells_effects_and_is_picked_on_the_board(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        sit_down(shown, house.url, "puerto_rico", BOT, options={"expansions": ["new_buildings"]})
        asked(shown, "choose a building")
        open_cards = shown.locator(".draft-card.open")
        expect(open_cards).to_have_count(31)  # rules 6.1
        church = shown.locator('.draft-card[data-part="market.church"]')
        expect(church).to_contain_text("Cost 5")
        expect(church).to_contain_text("Points 2")
        expect(church).to_contain_text("Buying a building of column 2 or 3 brings 1 victory point")
        assert barriers(shown) == []
        church.focus()
        shown.keyboard.press("Enter")
        shown.get_by_role("button", name="Do it").click()
        expect(shown.locator('.draft-card.chosen[data-piece="buildings.church"]')).to_contain_text("In the game")
        expect(shown.locator('[data-part="market.church"]').last).to_be_visible()  # among the buildings for sale


def test_the_rules_are_searched_by_keys_and_their_examples_played(house: House, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        shown.goto(f"{house.url}/rules/puerto_rico")
        shown.keyboard.press("/")
        shown.keyboard.type("largest ship")
        results = shown.locator("#found [role=option]")
        expect(results.first).to_contain_text("R-54")
        shown.keyboard.press("ArrowDown")
        shown.keyboard.press("Enter")
        expect(shown.locator(":target")).to_have_attribute("id", "R-54")
        example = shown.locator('[data-example="E-4"]')
        example.scroll_into_view_if_needed()
        forward = example.get_by_role("button", name="Step forward")
        forward.click()
        expect(example).to_contain_text("2 of 2")
        expect(example.locator('[data-part="ships.2"]')).to_contain_text("6 of 7")
        assert barriers(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
