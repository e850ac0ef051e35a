"""Sounds of a table: none until they are switched on; then one for moves of others, and one for the reader's turn."""

from typing import Final

from playwright.sync_api import Browser, Page, expect

from tests.support.service.browser import DESKTOP, page
from tests.support.service.browser_players import asked, come_in, do, sit_down
from tests.support.service.players import Person, somebody
from tests.support.service.running_service import House

MOVE: Final = [392]  # Hz
TURN: Final = [523, 659, 784]
HEAR: Final = """() => {
  window.heard = [];
  const start = OscillatorNode.prototype.start;
  OscillatorNode.prototype.start = function (...at) {
    window.heard.push(Math.round(this.frequency.value));
    return start.apply(this, at);
  };
}"""


def heard(shown: Page) -> list[int]:
    """Returns the notes that were started since the last call."""
    notes: list[int] = shown.evaluate("window.heard.splice(0)")
    return notes


def play_round(shown: Page, others: list[Person], game: str) -> list[list[int]]:
    """Plays a move of everybody; returns the notes after each move of the others."""
    asked(shown, "play a card")
    do(shown, "play create_2")
    expect(shown.locator("body:not(.mine) #prompt")).to_be_visible()
    heard(shown)  # the beginning of the reader's turn
    found = []
    for other in others:
        before = shown.locator("#board").get_attribute("data-version") or ""
        other.move(game, "play create_2")
        expect(shown.locator("#board")).not_to_have_attribute("data-version", before)
        expect(shown.locator("body.mine" if other is others[-1] else "body:not(.mine)")).to_be_visible()
        found.append(heard(shown))
    return found


def test_sounds_are_off_until_they_are_switched_on(house: House, opened: Browser) -> None:
    others = [somebody(house.app.test_client()) for _ in range(2)]
    with page(opened, DESKTOP) as shown:
        shown.add_init_script(f"({HEAR})()")
        come_in(shown, house.url)
        found = list[list[list[int]]]()
        for sounds in ("off", "all", "turn"):
            shown.goto(f"{house.url}/account/settings")
            choice = shown.locator(f"[name=sounds][value={sounds}]")
            if sounds == "off":
                expect(choice).to_be_checked()
            else:
                choice.check()
                shown.locator("#appearance button.main").click()
                expect(shown.locator(".done")).to_be_visible()
            game = sit_down(shown, house.url, "spice_road", "open", "open")
            for other in others:
                other.join(game)
            found.append(play_round(shown, others, game))
    assert found == [[[], []], [MOVE, TURN], [[], TURN]]
