"""Pieces that a move changed fly from their old place to the new one, for 150 to 400 milliseconds."""

import re
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.running_program import eventually
from tests.support.service.browser import DESKTOP, page
from tests.support.service.running_service import House

SHORTEST, LONGEST = 150, 400  # milliseconds
RECORD: Final = """
window.flown = [];
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  if (this.closest(".in-flight")) {
    const { left, top, width, height } = this.style;
    const to = [parseFloat(left) + parseFloat(width) / 2, parseFloat(top) + parseFloat(height) / 2];
    const [x, y] = frames[0].transform.match(/-?[\\d.e-]+(?=px)/g).map(Number);
    const partsAt = ([atX, atY]) => [...document.querySelectorAll("#board [data-part]")].filter((part) => {
      const box = part.getBoundingClientRect();
      const [across, down] = [atX - scrollX, atY - scrollY];
      return box.left - 1 <= across && across <= box.right + 1 && box.top - 1 <= down && down <= box.bottom + 1;
    }).map((part) => part.dataset.part);
    const kinds = [this, ...this.querySelectorAll("*")].flatMap((one) => [...one.classList]);
    window.flown.push({ kinds, duration: options.duration, to: partsAt(to), from: partsAt([to[0] + x, to[1] + y]) });
  }
  return animate.call(this, frames, options);
};"""


class Flight(NamedTuple):
    """What flies: the move that sends it, a class of the piece, the parts of the board between which it flies."""

    game: str
    move: str
    kind: str
    leaves: str
    lands: str


FLIGHTS: Final = {
    "goods onto ships": Flight("five", r"ship (corn|indigo|sugar|tobacco|coffee)", "piece", r"players\.\d", r"ship"),
    "colonists to circles": Flight(
        "five", "place ", "colonist", r"players\.\d|colonist", r"players\.\d\.(island|city)\."
    ),
    "cards to hands": Flight("caravans", "buy ", "merchant", "merchant_row", r"players\.\d\.hand"),
}


@pytest.mark.parametrize("what", FLIGHTS)
def test_pieces_fly_to_where_the_move_brought_them(house: House, opened: Browser, what: str) -> None:
    flight = FLIGHTS[what]
    with page(opened, DESKTOP) as shown:
        shown.add_init_script(RECORD)
        shown.emulate_media(reduced_motion="no-preference")
        flown = _flown(shown, house, flight)
    assert {one["duration"] for one in flown if not SHORTEST <= one["duration"] <= LONGEST} == set()
    own = [
        one for one in flown if flight.kind in one["kinds"] and any(re.search(flight.lands, part) for part in one["to"])
    ]
    assert own, flown
    assert any(re.search(flight.leaves, part) for one in own for part in one["from"]), own


def _flown(shown: Page, house: House, flight: Flight) -> list[dict[str, Any]]:
    """Goes over the first such move of a game; returns what flew."""
    before, after = _versions(house, flight)
    shown.goto(house.replay(flight.game, before))
    board = shown.locator("#board:not([aria-busy])")
    expect(board).to_have_attribute("data-version", str(before))
    shown.keyboard.press("ArrowRight")
    expect(board).to_have_attribute("data-version", str(after))
    assert eventually(lambda: bool(shown.evaluate("window.flown.length")))
    found: list[dict[str, Any]] = shown.evaluate("window.flown")
    return found


def _versions(house: House, flight: Flight) -> tuple[int, int]:
    """Returns the versions before and after the first such move."""
    path = f"/v1/games/{house.games[flight.game]}/replay?positions=false"
    steps: list[Mapping[str, Any]] = house.app.test_client().get(path).get_json()["steps"]
    at = next(at for at, step in enumerate(steps) if re.match(flight.move, step.get("move") or ""))
    return steps[at - 1]["version"], steps[at]["version"]
