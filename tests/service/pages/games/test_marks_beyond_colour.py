"""What is told by colour is told by a pattern, a shape or a number as well."""

from playwright.sync_api import Browser, Page, expect

from tests.support.service.browser import DESKTOP, page
from tests.support.service.running_service import House

SEATS = 5
GOODS = ("corn", "indigo", "sugar", "tobacco", "coffee")
CUBES = ("turmeric", "saffron", "cardamom", "cinnamon")
DASHES = """() => [...document.querySelectorAll("#chart .line")].map(
  (line) => getComputedStyle(line.querySelector("path:not(.lead-line)")).strokeDasharray)"""
SHAPE = """(kind) => {
  const piece = document.querySelector(`#board .piece.${kind}`).cloneNode(true);
  for (const one of piece.querySelectorAll("*")) one.removeAttribute("class");
  return piece.innerHTML;
}"""


def _opened(shown: Page, house: House, name: str, colours: str) -> None:
    shown.goto(house.replay(name))
    shown.locator("#board:not([aria-busy]) .mat").first.wait_for()
    shown.evaluate("(colours) => { document.documentElement.dataset.colours = colours; }", colours)


def test_lines_of_seats_differ_by_pattern_and_number(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        for colours in ("usual", "safe"):
            _opened(shown, house, "five", colours)
            patterns = shown.evaluate(DASHES)
            assert len(set(patterns)) == len(patterns) == SEATS, (colours, patterns)
            numbers = shown.locator("#chart .line .on-badge")
            assert sorted(numbers.all_text_contents()) == [str(seat + 1) for seat in range(SEATS)]
            expect(shown.locator("#board .mat .disc")).to_have_text([str(seat + 1) for seat in range(SEATS)])


def test_goods_and_cubes_differ_by_shape(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        for name, kinds in (("five", GOODS), ("caravans", CUBES)):
            _opened(shown, house, name, "safe")
            shapes = {kind: shown.evaluate(SHAPE, kind) for kind in kinds}
            assert len(set(shapes.values())) == len(kinds), shapes
