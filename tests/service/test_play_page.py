"""Playing in a real browser: with the mouse, with the keyboard alone, on a phone, over a bad connection."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.browsing import DESKTOP, PHONE, ZOOMED, barriers, page, picture
from tests.service.playing import asked, come_in, do, done, sit_down

BOTS = ("bot:greedy", "bot:greedy")
SEED = {"chance": 0, "seed": "42" * 32}


def test_a_round_of_puerto_rico_is_played_with_the_mouse(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        game = sit_down(shown, table_house, "puerto_rico", *BOTS, **SEED)
        asked(shown, "choose a role")
        assert shown.title().startswith("●")
        shown.locator('[data-part="roles.settler"].can').click()
        asked(shown, "take an island tile")
        expect(shown.locator("#board .can")).to_have_count(5)  # what lies open, and the quarry as a privilege
        shown.locator('[data-part="stack.quarry"].can').click()
        expect(shown.locator(".confirm")).to_contain_text("cannot be undone")
        done(shown)
        played_on(shown)
        shown.reload()
        asked(shown, "choose a role")
        expect(shown.locator('#board [data-part^="players.0.island.quarry"]')).to_have_count(1)
        shown.goto(f"{table_house}/games/{game}#5")
        expect(shown.locator("#board[data-version='5']")).to_be_attached()


def played_on(shown: Page) -> None:
    """Play the first thing offered until the next choice of a role."""
    for _ in range(12):
        expect(shown.locator("body.mine #panel button").first).to_be_visible(timeout=20_000)
        if "choose a role" in shown.locator("#prompt").inner_text():
            return
        version = shown.locator("#board").get_attribute("data-version")
        buttons = shown.locator("#panel button[data-move]")
        (buttons.first if buttons.count() else shown.get_by_role("button", name="Place them so")).click()
        confirm = shown.get_by_role("button", name="Do it")
        moved = shown.locator(f'#board:not([data-version="{version}"])')
        expect(confirm.or_(moved).first).to_be_visible()
        if confirm.is_visible():
            confirm.click()
        expect(moved).to_be_visible()


def test_spice_road_is_played_with_the_keyboard_alone(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "spice_road", *BOTS, **SEED)
        for _ in range(3):
            asked(shown, "play a card")
            version = shown.locator("#board").get_attribute("data-version")
            reach(shown, "[data-move]")
            shown.keyboard.press("Enter")
            expect(shown.get_by_role("button", name="Do it")).to_be_focused()
            shown.keyboard.press("Enter")
            expect(shown.locator(f'body.mine #board:not([data-version="{version}"])')).to_be_attached(timeout=20_000)
        expect(shown.locator("#said")).to_contain_text("greedy bot")
        expect(shown.locator("#since li")).to_have_count(2)


def reach(shown: Page, what: str) -> None:
    """Go to something with the tabulator alone."""
    for _ in range(40):
        if shown.evaluate("(what) => document.activeElement.matches(what)", what):
            return
        shown.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {what}")


def test_a_move_that_nobody_has_answered_is_undone(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "puerto_rico", *BOTS, **SEED)
        asked(shown, "choose a role")
        do(shown, "role settler")
        asked(shown, "take an island tile")
        shown.get_by_role("button", name="Undo my move").click()
        asked(shown, "choose a role")
        expect(shown.locator('[data-part="roles.settler"].can')).to_be_visible()


def test_why_something_is_not_possible_is_told(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "puerto_rico", *BOTS, **SEED)
        asked(shown, "choose a role")
        do(shown, "role builder")
        asked(shown, "build")
        expect(shown.locator('#panel [data-move="build small_market"] small')).to_contain_text("1 - 1")
        shown.get_by_text("What is not possible").click()
        expect(shown.locator(".why li").first).to_contain_text(re.compile("doubloon"))


@pytest.mark.parametrize("game", ["puerto_rico", "spice_road"])
def test_a_phone_is_enough_to_play(table_house: str, opened: Browser, game: str) -> None:
    with page(opened, PHONE, dark=True) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, game, *BOTS, **SEED)
        expect(shown.locator("#panel button[data-move]").first).to_be_visible()
        picture(shown, f"play-{game.replace('_', '-')}-phone-dark")
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", ["puerto_rico", "spice_road"])
def test_nothing_on_the_table_keeps_people_out(table_house: str, opened: Browser, game: str, dark: bool) -> None:
    with page(opened, ZOOMED if dark else DESKTOP, dark) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, game, *BOTS, **SEED)
        expect(shown.locator("#board .can").first).to_be_visible()
        assert barriers(shown) == []
        picture(shown, f"play-{game.replace('_', '-')}-{'zoomed' if dark else 'desktop'}")
        assert shown.evaluate("document.documentElement.scrollWidth") <= (ZOOMED if dark else DESKTOP)["width"]
