"""Whole games in a browser against bots of the house, by one kind of input alone.

`keyboard` presses Tab and Enter, `pointer` clicks what it sees; both decide as the greedy bot would. `tree` knows the
page by its accessibility tree alone (`tree_player.py`).
"""

import re
import time
from collections.abc import Callable, Sequence
from typing import Any, Final
from uuid import UUID

from playwright.sync_api import Locator, Page, ViewportSize, expect

from projections.rules.legal_moves import legal_moves_document
from service.games.game_state import GameState
from tests.support.running_program import PATIENCE
from tests.support.service.browser import PHONE, barriers, page, picture
from tests.support.service.browser_players import come_in, sit_down
from tests.support.service.page_layout import SIZES
from tests.support.service.running_service import BOTH, House
from tests.support.service.tree_player import play_by_tree
from workers.bots.levels import decide, decision_record

MOST_MOVES: Final = 400
MOST_TABS: Final = 250
SEAT: Final = 0
FOCUSED: Final = "() => document.activeElement?.matches('button, a') ? document.activeElement.innerText.trim() : ''"
DRAWN: Final = "(version) => document.getElementById('board')?.dataset.version === version"
ANSWERED: Final = """(version) => {
  if (document.getElementById("board").dataset.version !== version) return "moved";
  return document.querySelector("#panel .confirm") && "asks";
}"""
Activate = Callable[[Page, str], None]  # the beginning of a button's name


def by_keys(shown: Page, name: str) -> None:
    """Goes to a button with the tabulator, once it is there, and presses Enter."""
    shown.get_by_role("button", name=re.compile(f"^{re.escape(name)}")).first.wait_for()
    for _ in range(MOST_TABS):
        if str(shown.evaluate(FOCUSED)).startswith(name):
            return shown.keyboard.press("Enter")
        shown.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {name!r}")


def by_pointer(shown: Page, name: str) -> None:
    """Moves the pointer to a button that is in sight, and clicks."""
    wanted = found(shown, name)
    wanted.scroll_into_view_if_needed()
    box = wanted.bounding_box()
    assert box is not None
    shown.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def found(shown: Page, name: str) -> Locator:
    """Returns the first button of a name in the reader's turn; unfolds the moves where they are folded."""
    unfold = shown.get_by_role("button", name=re.compile("^Show the moves"))
    region = shown.get_by_role("region", name=re.compile("^Your turn"))
    wanted = region.get_by_role("button", name=re.compile(f"^{re.escape(name)}")).first
    wanted.or_(unfold).first.wait_for()
    if not wanted.is_visible():
        unfold.click()
    return wanted


INPUTS: Final[dict[str, tuple[Activate, ViewportSize]]] = {
    "keyboard": (by_keys, SIZES[0]),
    "pointer": (by_pointer, SIZES[1]),
}
GAMES: Final[dict[str, tuple[str, Sequence[str], dict[str, Any]]]] = {  # name -> rules, other seats, options
    "spice_road": ("spice_road", ["bot:greedy"], {}),
    "puerto_rico": ("puerto_rico", ["bot:greedy"], {}),
    "expansions": ("puerto_rico", ["bot:greedy"] * 2, {"options": BOTH}),
}


def play_whole_game(house: House, url: str, opened: Any, name: str, way: str) -> None:
    """Plays a game to its end; then axe finds nothing on the page."""
    (rules, others, options), size = GAMES[name], INPUTS[way][1] if way in INPUTS else PHONE
    with page(opened, size) as shown:
        shown.emulate_media(reduced_motion="reduce")
        come_in(shown, url)
        game = UUID(sit_down(shown, url, rules, *others, chance=0, seed="42" * 32, **options))
        if way in INPUTS:
            _play(shown, house.app.extensions["cabildo"].games, game, INPUTS[way][0])
        else:
            play_by_tree(shown)
        expect(shown.locator("#prompt")).to_contain_text("won")
        assert barriers(shown) == []
        picture(shown, f"whole-{name}-{way}")


def _play(shown: Page, games: Any, game: UUID, activate: Activate) -> None:
    for _ in range(MOST_MOVES):
        state = awaited(games, game)
        shown.wait_for_function(DRAWN, arg=str(state.head.seq))
        if state.known.status == "finished":
            return
        make(shown, state, activate)
    raise AssertionError("the game does not end")


def awaited(games: Any, game: UUID) -> GameState:
    """Returns the game when it waits for the player, or is over."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        state: GameState = games.load(game)
        turn = state.known.turn
        if state.known.status == "finished" or (turn is not None and turn.seat == SEAT):
            return state
        time.sleep(0.01)  # the bot plays in a process of its own
    raise AssertionError("the bot does not play")


def make(shown: Page, state: GameState, activate: Activate) -> None:
    """Makes the move of the greedy bot where the page lists it, else the first that it offers."""
    version = str(state.head.seq)
    activate(shown, wanted_move(state))
    if shown.wait_for_function(ANSWERED, arg=version).json_value() == "asks":
        activate(shown, "Do it")
        shown.wait_for_function(f"(version) => !({DRAWN})(version)", arg=version)


def wanted_move(state: GameState) -> str:
    """Returns the beginning of the name of the button to activate."""
    offered: Any = legal_moves_document(state.game, state.board, "en")
    if any(one["move"].startswith("place") for one in offered["moves"]):
        return "Place them so"  # as the page suggests it
    best = decide(state.game, state.board, SEAT, decision_record("greedy", state.head.hash)).move
    labels = {one["move"]: one["label"] for one in offered["moves"]}
    return str(labels.get(state.game.notation(best)) or next(iter(labels.values())))
