"""States of pages that no address shows: a page is opened and brought into the state."""

from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import uuid4

from playwright.sync_api import Page, expect

from service.oauth.programs import COMMAND_LINE
from tests.support.service.browser_players import (
    asked,
    come_in,
    open_list,
    placing,
    play_now,
    sit_down,
)
from tests.support.service.oauth_programs import AskingProgram, consent_address
from tests.support.service.page_tour import send
from tests.support.service.players import answer, somebody
from tests.support.service.running_service import BOTH, House

State = Callable[[Page, House], None]
SEED: Final[Mapping[str, Any]] = {"chance": 0, "seed": "42" * 32}
MOST_MESSAGES: Final = 100  # until the service refuses more of them


def covered(shown: Page, house: House) -> None:
    """A table for two people at one screen, before the first of them has it."""
    come_in(shown, house.url)
    terms = {"game": "spice_road", "seats": ["me", "here:Anna"], "start_player": 0}
    shown.goto(f"{house.url}/games/{send(shown, '/v1/games', terms)['id']}/play")
    expect(shown.locator("#cover")).to_be_visible()


def talk_refused(shown: Page, house: House) -> None:
    """A message that was sent too early after many others."""
    path = _talk(shown, house)
    for number in range(MOST_MESSAGES):
        if not shown.evaluate(SAY, [path, f"Message {number}"]):
            break
    box = shown.locator("#talk").get_by_role("textbox", name="Message")
    box.fill("One more")
    box.press("Enter")
    expect(shown.locator("#talk [role=alert]").first).not_to_be_empty()


def talk_closed(shown: Page, house: House) -> None:
    """The talk of a table whose host has closed it."""
    _talk(shown, house)
    shown.locator("#talk").get_by_text("Reading and muting").click()
    shown.locator("#talk").get_by_label("Close the players' talk").check()
    expect(shown.locator("#talk").get_by_role("textbox", name="Message")).to_be_hidden()


def keep_refused(shown: Page, house: House) -> None:
    """The form of a guest who chose a name that is taken."""
    play_now(shown, house.url)
    shown.goto(f"{house.url}/keep")
    shown.get_by_label("Name").fill(somebody(house.app.test_client()).name)
    shown.get_by_label("Password").fill("a long password")
    shown.locator("main form").first.locator("button").click()
    expect(shown.locator("main .refused").first).to_be_visible()


def watching(shown: Page, house: House) -> None:
    """What is on now, with a game in front."""
    come_in(shown, house.url)
    sit_down(shown, house.url, "puerto_rico", "bot:greedy", "bot:greedy", options=BOTH, visibility="public", **SEED)
    expect(shown.locator("#board .mat").first).to_be_visible()
    shown.goto(f"{house.url}/watch")
    expect(shown.locator("#board .mat").first).to_be_visible()


def ended(shown: Page, house: House) -> None:
    """The end of a game, with the points of every player."""
    shown.goto(house.replay("five"))
    expect(shown.locator("#end .points")).to_be_visible()


def moves_unfolded(shown: Page, house: House) -> None:
    """The moves of a turn; on a phone, the sheet over the board."""
    come_in(shown, house.url)
    sit_down(shown, house.url, "spice_road", "bot:greedy", **SEED)
    asked(shown, "play a card")
    open_list(shown)


def asked_about(shown: Page, house: House) -> None:
    """A move that is asked about before it is made."""
    moves_unfolded(shown, house)
    shown.locator("#panel button[data-move]").first.click()
    expect(shown.get_by_role("button", name="Do it")).to_be_visible()


def people_placed(shown: Page, house: House) -> None:
    """The mayor's placement of colonists."""
    placing(shown, house, house.url)
    expect(shown.locator("#mat .mat")).to_be_visible()


def consented(shown: Page, house: House) -> None:
    """The question whether a program may act for the player."""
    come_in(shown, house.url)
    shown.goto(house.url + consent_address(house.app))


def device_unknown(shown: Page, house: House) -> None:
    """The form for the code of a device, after a wrong code."""
    come_in(shown, house.url)
    shown.goto(f"{house.url}/oauth/device")
    shown.locator("#user-code").fill("BCDF-GHJK")
    shown.locator("main form button").click()
    expect(shown.locator("main .refused")).to_be_visible()


def device_asked(shown: Page, house: House) -> None:
    """The question of a program on another device."""
    program = AskingProgram(house.app, COMMAND_LINE)
    login = answer(program.post("/oauth/device_authorization", scope="read play"), 200)
    come_in(shown, house.url)
    shown.goto(f"{house.url}/oauth/device?user_code={login['user_code']}")
    shown.locator("main form button").click()
    expect(shown.locator("strong.user-code")).to_be_visible()


def own_settings(shown: Page, house: House) -> None:
    """The settings of a player."""
    come_in(shown, house.url)
    shown.goto(f"{house.url}/account/settings")


def logged_out_of(shown: Page, house: House) -> None:
    """The form of a login with a wrong password."""
    shown.goto(f"{house.url}/login")
    shown.get_by_label("Name").fill(f"Nobody {uuid4().hex[:8]}")
    shown.get_by_label("Password").fill("wrong password")
    shown.locator("main").get_by_role("button", name="Log in").click()
    expect(shown.locator("main .refused").first).to_be_visible()


def site_menu(shown: Page, house: House) -> None:
    """The unfolded menu of the site, on a narrow screen."""
    come_in(shown, house.url)
    shown.goto(f"{house.url}/lobby")
    shown.locator(".site-menu > summary").click()
    expect(shown.get_by_role("button", name="Log out")).to_be_visible()


STATES: Final[Mapping[str, State]] = {
    "hotseat-cover": covered,
    "talk-refused": talk_refused,
    "talk-closed": talk_closed,
    "keep-refused": keep_refused,
    "watch": watching,
    "end": ended,
    "moves": moves_unfolded,
    "confirmation": asked_about,
    "placement": people_placed,
    "consent": consented,
    "device-unknown": device_unknown,
    "device-consent": device_asked,
    "settings": own_settings,
    "login-refused": logged_out_of,
    "site-menu": site_menu,
}
SAY: Final = """async ([path, text]) => {
  const headers = {"Content-Type": "application/json", "X-CSRF-Token": document.querySelector("[name=csrf]").value};
  return (await fetch(path, {method: "POST", headers, body: JSON.stringify({text})})).ok;
}"""


def _talk(shown: Page, house: House) -> str:
    """Opens the talk of a table of two; returns the address of its messages."""
    come_in(shown, house.url)
    game = sit_down(shown, house.url, "spice_road", "open", leaver="forfeit")
    somebody(house.app.test_client()).join(game)
    shown.get_by_role("tab", name="Talk").click()
    return f"/v1/games/{game}/talk"
