"""A game in a small frame of another site: words can be read, and what has no room is scrolled to."""

import re

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.support.service.browser import barriers, page, picture
from tests.support.service.page_layout import measured
from tests.support.service.running_service import House

FRAMES: tuple[ViewportSize, ...] = (
    {"width": 320, "height": 240},
    {"width": 480, "height": 360},
    {"width": 800, "height": 600},
)
LANGUAGES = ("en-GB", "is-IS", "sv-SE", "cs-CZ", "hu-HU")
BY_ITS_END = "() => { scrollTo(0, document.documentElement.scrollHeight); return scrollY; }"


def framed(shown: Page, house: House, name: str, query: str = "") -> None:
    """Opens a game in its frame."""
    shown.goto(f"{house.url}/games/{house.games[name]}/embed{query}")
    expect(shown.locator("#board[data-version]")).to_be_visible()


@pytest.mark.parametrize("locale", LANGUAGES)
def test_words_in_small_frames_can_be_read_and_are_whole(house: House, opened: Browser, locale: str) -> None:
    with page(opened, FRAMES[0], locale=locale) as shown:
        for name in ("five", "caravans"):
            for frame in FRAMES:
                shown.set_viewport_size(frame)
                framed(shown, house, name)
                fit, at = measured(shown), f"{name} at {frame['width']}"
                assert fit["words"] > 20, at
                faults = [fit["small"][:5], fit["covered"][:5], fit["outside"][:5]]
                assert faults == [[], [], []], f"{at}: {faults}"
                assert fit["wide"] <= frame["width"], at
                picture(shown, f"frame-{name}-{frame['width']}-{locale}", whole=False)


def test_a_small_frame_tells_points_and_turn_and_scrolls(house: House, opened: Browser) -> None:
    with page(opened, FRAMES[1]) as shown:
        framed(shown, house, "spice_road", "?at=30")
        position = house.app.test_client().get(f"/v1/games/{house.games['spice_road']}/position?at=30").get_json()
        standing = shown.locator("#standing li")
        expect(standing).to_have_count(3)
        expect(standing.nth(position["turn"]["seat"])).to_have_class("acting")
        expect(standing.first).to_have_attribute("title", shown.locator("#standing .unseen").first.inner_text())
        assert shown.evaluate(BY_ITS_END) > 0
        tabs = shown.get_by_role("group", name="Players").get_by_role("button")
        expect(tabs).to_have_count(3)
        tabs.nth(2).click()
        expect(shown.locator(".mat:visible")).to_have_class(re.compile("seat-2"))
        shown.locator("[data-go=on]").click()
        expect(shown.locator("#board:not([data-version='30'])")).to_be_visible()
        expect(shown.locator(".mat:visible")).to_have_class(re.compile("seat-2"))
        assert barriers(shown) == []
