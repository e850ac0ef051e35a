"""Playing on a phone: a choice is asked about at the foot of the screen, and the page stays where it was made."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.running_program import eventually
from tests.support.service.browser import PHONE, page, picture
from tests.support.service.browser_players import asked, come_in, sit_down

BOTS = ("bot:greedy", "bot:greedy")
TO_MIDDLE = "(node) => { node.scrollIntoView({ block: 'center' }); return node.isConnected; }"
TO_FOOT = """(node) => {
  scrollTo(0, scrollY + node.getBoundingClientRect().bottom - innerHeight + 20);
  return node.isConnected;
}"""
SEED = {"chance": 0, "seed": "42" * 32}


@pytest.fixture
def phone(table_house: str, opened: Browser) -> Iterator[Page]:
    """A phone at a table of Spice Road, its reader to act."""
    with page(opened, PHONE) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "spice_road", *BOTS, **SEED)
        asked(shown, "play a card")
        yield shown


def scroll(node: Locator, script: str) -> None:
    """Scrolls to a part; repeats when the page has just drawn its board anew, for the old part leads nowhere."""
    assert eventually(lambda: bool(node.evaluate(script)))


def height(node: Locator) -> float:
    """Returns the place of a part on the screen; measures again when the page has just drawn its board anew."""
    found = list[float]()

    def measure() -> bool:
        found[:] = node.evaluate("(node) => node.isConnected ? [node.getBoundingClientRect().top] : []")
        return bool(found)

    assert eventually(measure)
    return found[0]


def in_view(shown: Page, node: Locator) -> None:
    """A thing is on the screen, and nothing lies over its middle."""
    expect(node).to_be_in_viewport(ratio=0.9)
    covers = """(node) => {
      const { left, top, width, height } = node.getBoundingClientRect();
      const found = document.elementFromPoint(left + width / 2, top + height / 2);
      return node.contains(found) || found.contains(node);
    }"""
    assert eventually(lambda: bool(node.evaluate(covers)))


def test_a_choice_on_the_board_is_asked_about_beside_it(phone: Page) -> None:
    card = phone.locator('[data-part="merchant_row.0"]')
    scroll(card, TO_MIDDLE)
    before = height(card)  # of the page alone it says little: the browser scrolls when something comes in above
    card.click()
    in_view(phone, phone.get_by_role("button", name="Do it"))
    in_view(phone, card)
    assert eventually(lambda: abs(height(card) - before) <= 1)
    picture(phone, "phone-choice", whole=False)
    phone.keyboard.press("Escape")
    expect(phone.locator("#panel.sheet.open")).to_have_count(0)
    expect(card).to_be_focused()
    assert eventually(lambda: abs(height(card) - before) <= 1)
    card.click()
    expect(phone.get_by_role("button", name="Do it")).to_be_focused()
    at = height(card)
    version = phone.locator("#board").get_attribute("data-version")
    phone.get_by_role("button", name="Do it").click()
    expect(phone.locator(f'#board:not([data-version="{version}"])')).to_be_visible()
    asked(phone, "play a card")
    assert eventually(lambda: abs(height(card) - at) <= 1)  # though the moves of the others came in above


def test_a_card_at_the_foot_of_the_screen_is_not_covered(phone: Page) -> None:
    card = phone.locator('[data-part="players.0.hand.upgrade_2"]')
    scroll(card, TO_FOOT)
    card.click()
    in_view(phone, phone.locator("#panel button[data-move]").first)
    in_view(phone, card)
    phone.get_by_text("‹ Show all moves").click()
    in_view(phone, card)


def test_a_move_of_the_list_is_asked_about_where_the_list_is(phone: Page) -> None:
    board = phone.locator("#board")
    scroll(board, TO_MIDDLE)
    phone.locator("#bar-open").click()
    move = phone.locator("#panel button[data-move]").nth(1)
    before = height(board)
    move.click()
    in_view(phone, phone.get_by_role("button", name="Do it"))
    assert eventually(lambda: abs(height(board) - before) <= 1)
    phone.get_by_role("button", name="Cancel").click()
    expect(move).to_be_focused()
    assert eventually(lambda: abs(height(board) - before) <= 1)
