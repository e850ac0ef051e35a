"""Which moves the play page asks about before it sends them: all, those that cannot be undone, or none."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.service.browser import DESKTOP, page
from tests.support.service.browser_players import asked, come_in, sit_down

ROLE = "role settler"  # can be undone: the reader acts again
TILE = "take quarry"  # cannot: a bot acts then
ASKED = {"all": (ROLE, TILE), "final": (TILE,), "none": ()}


@pytest.mark.parametrize("confirm", ASKED)
def test_the_page_asks_as_the_player_wishes(table_house: str, opened: Browser, confirm: str) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        shown.goto(f"{table_house}/account/settings")
        shown.locator(f"[name=confirm][value={confirm}]").check()
        shown.locator("#appearance button.main").click()
        expect(shown.locator(".done")).to_be_visible()
        sit_down(shown, table_house, "puerto_rico", "bot:greedy", "bot:greedy", chance=0, seed="42" * 32)
        asked(shown, "choose a role")
        for move in (ROLE, TILE):
            _choose(shown, move, asks=move in ASKED[confirm])


def test_a_question_answered_with_no_makes_no_move(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "puerto_rico", "bot:greedy", "bot:greedy", chance=0, seed="42" * 32)
        asked(shown, "choose a role")
        shown.get_by_role("tab", name="Settings").click()
        shown.locator("#ask").select_option("all")
        shown.locator(f"#panel [data-move='{ROLE}']").click()
        shown.get_by_role("button", name="Cancel").click()
        expect(shown.locator(f"#panel [data-move='{ROLE}']")).to_be_visible()
        asked(shown, "choose a role")


def test_the_panel_is_busy_while_a_move_is_on_its_way(table_house: str, opened: Browser) -> None:
    held = list[Route]()
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "puerto_rico", "bot:greedy", "bot:greedy", chance=0, seed="42" * 32)
        asked(shown, "choose a role")
        expect(shown.locator("#panel")).to_have_attribute("aria-busy", "false")
        shown.route("**/moves*", lambda route: held.append(route), times=1)
        shown.locator(f"#panel [data-move='{ROLE}']").click()
        expect(shown.locator("#panel")).to_have_attribute("aria-busy", "true")
        held.pop().continue_()
        expect(shown.locator("#panel")).to_have_attribute("aria-busy", "false")


def _choose(shown: Page, move: str, asks: bool) -> None:
    """Chooses a move of the list; sees whether a question comes before the board moves on."""
    version = shown.locator("#board").get_attribute("data-version")
    shown.locator(f"#panel [data-move='{move}']").click()
    moved = shown.locator(f'#board:not([data-version="{version}"])')
    confirm = shown.get_by_role("button", name="Do it")
    expect(confirm.or_(moved).first).to_be_visible()
    assert confirm.is_visible() == asks
    if asks:
        assert shown.locator("#board").get_attribute("data-version") == version
        confirm.click()
    expect(moved).to_be_visible()
