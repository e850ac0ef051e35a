"""Both guided games on a phone: played through by clicks and keys, left, resumed, and left for an own table."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.service.browser import PHONE, barriers, page
from tests.support.service.running_service import House

STEPS = 15


def at_step(shown: Page, step: int) -> None:
    """Waits until the page shows a step."""
    expect(shown.locator(f'#board[data-step="{step}"]')).to_be_visible()


@pytest.mark.parametrize("game", ["puerto_rico", "spice_road"])
def test_a_guided_game_is_played_to_its_end_on_a_phone(opened: Browser, house: House, game: str) -> None:
    with page(opened, PHONE) as shown:
        shown.goto(f"{house.url}/learn/{game}")
        at_step(shown, 1)
        shown.locator("#choices details summary").click()
        other = shown.locator("#choices .moves button:not([data-move*='settler'])").nth(1)
        other.click()
        expect(shown.locator("#reply")).not_to_be_empty()
        at_step(shown, 1)  # another move is answered, and the step stays
        shown.locator("#board .picked").first.click()
        at_step(shown, 2)
        shown.reload()
        at_step(shown, 2)
        shown.goto(f"{house.url}/learn")
        shown.locator(f"[data-guide={game}] [data-go-on]").click()
        at_step(shown, 2)
        for step in range(2, STEPS + 1):
            at_step(shown, step)
            expect(shown.locator("#lesson-title")).not_to_be_empty()
            shown.locator(".advised").press("Enter")
        at_step(shown, STEPS + 1)
        expect(shown.locator("#lesson-title")).to_be_focused()
        expect(shown.locator("#end .points")).to_be_visible()
        assert not barriers(shown)
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
        other_tab = shown.context.new_page()
        other_tab.goto(f"{house.url}/learn")
        expect(other_tab.locator(f"[data-guide={game}] [data-begin]")).to_have_class(re.compile("main"))
        expect(other_tab.locator(f"[data-guide={game}] [data-go-on]")).to_be_hidden()  # nothing is left to go on with
        other_tab.close()
        shown.locator("#own-table button").first.click()
        expect(shown.locator("#panel button").first).to_be_attached()


@pytest.mark.parametrize(("wide", "language"), [(1024, "cs"), (1440, "is")])
def test_a_lesson_is_read_on_wider_screens_in_other_languages(
    opened: Browser, house: House, wide: int, language: str
) -> None:
    with page(opened, {"width": wide, "height": 900}, locale=language) as shown:
        shown.goto(f"{house.url}/learn/puerto_rico#6")
        at_step(shown, 6)
        expect(shown.locator("html")).to_have_attribute("lang", language)
        shown.locator("[data-part='stack.quarry']").click()
        rules = re.compile(rf"^/rules/puerto_rico\?language={language}#")
        expect(shown.locator("#reply .rule-page")).to_have_attribute("href", rules)
        at_step(shown, 6)
        assert not barriers(shown)
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
        shown.locator("#board .picked").first.click()
        at_step(shown, 7)
        expect(shown.locator("#lesson-title")).to_be_focused()


@pytest.mark.parametrize("way", ["", "#99"])
def test_the_way_back_leads_out_of_a_lesson(opened: Browser, house: House, way: str) -> None:
    with page(opened, PHONE) as shown:
        shown.goto(f"{house.url}/learn")
        shown.evaluate("(to) => location.assign(to)", f"/learn/spice_road{way}")
        at_step(shown, 1)
        shown.locator(".advised").evaluate("(button) => [button.click(), button.click()]")
        expect(shown.locator("#reply")).to_have_text("Well played.")
        at_step(shown, 2)
        shown.go_back()
        at_step(shown, 1)
        shown.go_back()
        shown.wait_for_url("**/learn")
