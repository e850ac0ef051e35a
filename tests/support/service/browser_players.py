"""People who come in by the front door and play in a browser, and the process that lets the bots play."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode
from uuid import uuid4

from playwright.sync_api import Page, expect

from service.core.queues import BOTS
from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT
from tests.support.service.players import Person, answer, somebody
from tests.support.service.running_service import House

PASSWORD = "correct horse"
CREATE = """async ([body, csrf]) => {
  const headers = {"Content-Type": "application/json", "X-CSRF-Token": csrf};
  const answer = await fetch("/v1/games", {method: "POST", headers, body: JSON.stringify(body)});
  return answer.json();
}"""


@contextmanager
def working(environ: dict[str, str], queue: str = BOTS) -> Iterator[None]:
    """A process that lets the bots of a queue take their turns."""
    command = bound((sys.executable, "-m", "deploy.cli", "worker", queue))
    process = subprocess.Popen(command, cwd=PROJECT, env={**os.environ, **environ}, stderr=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)


def come_in(shown: Page, house: str, name: str = "") -> str:
    """Register by the form; the name."""
    name = name or f"Ada {uuid4().hex[:8]}"
    shown.goto(f"{house}/register")
    shown.get_by_label("Name").fill(name)
    shown.get_by_label("Password").fill(PASSWORD)
    shown.get_by_role("button", name="Register").click()
    expect(shown.get_by_role("link", name=name)).to_be_visible()
    return name


def log_in(shown: Page, house: str, name: str, **query: str) -> None:
    """Log in by the form."""
    shown.goto(f"{house}/login?{urlencode(query)}")
    shown.get_by_label("Name").fill(name)
    shown.get_by_label("Password").fill(PASSWORD)
    shown.locator("main").get_by_role("button", name="Log in").click()
    expect(shown.locator(".me .who")).to_be_visible()


def play_now(shown: Page, house: str, game: str = "") -> None:
    """Open a table as a guest, by the form on the home page."""
    shown.goto(house)
    shown.locator(f"form[action='/play-now']{f':has([value={game}])' if game else ''} button").first.click()
    shown.wait_for_url("**/games/*/play")


def sit_down(shown: Page, house: str, game: str, *others: str, **more: Any) -> str:
    """Create a game with the session of the page and go to its table; the id of the game."""
    csrf = shown.locator("input[name=csrf]").first.get_attribute("value")
    body = {"game": game, "seats": ["me", *others], "start_player": 0, **more}
    created: dict[str, Any] = shown.evaluate(CREATE, [body, csrf])
    shown.goto(f"{house}/games/{created['id']}/play")
    return str(created["id"])


def placing(shown: Page, house: House, url: str) -> None:
    """Go to the mayor's choice among three circles for two colonists."""
    _at_a_decision(shown, house, url, 0, "place ", ("settler", "craftsman", "builder", "trader", "mayor"))
    asked(shown, "place colonists")


def loading(shown: Page, house: House, url: str) -> None:
    """Go to the choice of a ship for corn, which the second of two players grows from the beginning."""
    _at_a_decision(shown, house, url, 1, "ship ", ("mayor", "craftsman", "settler", "captain"))
    asked(shown, "load goods")


def _at_a_decision(shown: Page, house: House, url: str, seat: int, move: str, roles: Sequence[str]) -> None:
    """Go to a game of Puerto Rico for two when, after these roles, the reader in a seat can make such a move."""
    client = house.app.test_client()
    host, guest = Person(client, f"Ada {uuid4().hex[:8]}", password=PASSWORD), somebody(client)
    if seat:
        host, guest = guest, host
    game = host.create("me", guest.id, game="puerto_rico", start_player=0, chance=0)["id"]
    guest.join(game)
    _lead(game, (host, guest), seat, move, [*roles])
    log_in(shown, url, (host, guest)[seat].name, next=f"/games/{game}/play")


def _lead(game: str, people: Sequence[Person], reader: int, wanted: str, roles: list[str]) -> None:
    """Plays all seats: these roles, quarries, else the first move, until the reader has such a move on any deal."""
    while True:
        offer = answer(people[0].client.get(f"/v1/games/{game}/legal"), 200)
        moves = [str(one["move"]) for one in offer["moves"]]
        if not roles and offer["seat"] == reader and any(move.startswith(wanted) for move in moves):
            return
        chooses = any(move.startswith("role ") for move in moves)
        first = next((move for move in ("take quarry", *moves) if move in moves and move != "pass"), "pass")
        people[offer["seat"]].move(game, f"role {roles.pop(0)}" if chooses else first)


def asked(shown: Page, words: str) -> None:
    """It is the reader's turn to do this."""
    expect(shown.locator("body.mine #prompt")).to_contain_text(words)


def do(shown: Page, move: str) -> None:
    """Choose a move of the list; where it is asked about, confirm it."""
    open_list(shown)
    step(shown, lambda on: on.locator(f'#panel button[data-move="{move}"]').click())


def until(shown: Page, words: str, act: Callable[[Page], None]) -> None:
    """Play the first thing that is offered until something is asked; `act` activates a button."""
    for _ in range(60):
        expect(shown.locator("body.mine #panel:not(.busy) button").first).to_be_attached()
        if words in shown.locator("#prompt").inner_text():
            return
        step(shown, act)
    raise AssertionError(f"nobody asks to {words}")


def step(shown: Page, act: Callable[[Page], None]) -> None:
    """Make one move, and wait for the board after it."""
    version = shown.locator("#board").get_attribute("data-version")
    act(shown)
    confirm = shown.get_by_role("button", name="Do it")
    moved = shown.locator(f'#board:not([data-version="{version}"])')
    expect(confirm.or_(moved).first).to_be_visible()
    if confirm.is_visible():
        shown.keyboard.press("Enter")  # it has the focus
    expect(moved).to_be_visible()


def open_list(shown: Page) -> None:
    """Open the list of moves, where the bar at the foot of the screen holds it."""
    bar = shown.locator("#bar-open[aria-expanded=false]")
    if bar.is_visible():
        bar.click()


def first_of_list(shown: Page) -> None:
    """Click the first move of the list."""
    open_list(shown)
    shown.locator("#panel button[data-move]").first.click()


def first_by_mouse(shown: Page) -> None:
    """Click the first thing on the board that can be clicked, else the first move."""
    spots, moves = shown.locator("#board .can"), shown.locator("#panel button[data-move]")
    mayor = shown.get_by_role("button", name="Place them so")
    if not mayor.first.is_visible() and not spots.count():
        open_list(shown)
    (mayor.first if mayor.first.is_visible() else spots.first if spots.count() else moves.first).click()
    if spots.count() and moves.count() and not shown.locator(".confirm").count():
        narrowed = shown.get_by_text("‹ Show all moves")
        if narrowed.is_visible():
            moves.first.click()


def first_by_keyboard(shown: Page) -> None:
    """Go to the first move with the tabulator, and choose it."""
    reach(shown, "[data-move], #panel .row button.main")
    shown.keyboard.press("Enter")


def reach(shown: Page, what: str) -> None:
    """Go to something with the tabulator alone."""
    for _ in range(60):
        if shown.evaluate("(what) => document.activeElement.matches(what)", what):
            return
        shown.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {what}")
