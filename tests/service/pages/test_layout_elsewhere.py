"""Boards outside of tables fit, too: on the first page, in lessons, and in the examples of the rules."""

import pytest
from playwright.sync_api import Browser, Page, expect

from projections.rules.registry import GAMES
from tests.support.service.browser import DESKTOP, page, picture
from tests.support.service.page_layout import HEADER, SIZES, fits, measured
from tests.support.service.running_service import House

STAGED = """async (game) => {
  const shown = document.getElementById("board");
  const told = await (await fetch(`/games/${game}`)).text();
  const replay = new DOMParser().parseFromString(told, "text/html");
  const setting = JSON.parse(replay.getElementById("setting").textContent);
  const position = await (await fetch(`/v1/games/${game}/position?at=41`)).json();
  setting.seats = position.players.map((_, seat) => `Player ${seat + 1}`);
  const { board } = await import("/static/replay/spice_road.js");
  shown.closest(".stage").classList.replace("puerto_rico", "spice_road");
  shown.replaceChildren(...board(position, setting));
}"""


def test_the_board_of_the_first_page_is_readable_and_whole(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        fits_on_the_first_page(shown, house)
        picture(shown, "fit-home")


def test_a_board_of_spice_road_is_readable_on_the_first_page(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        fits_on_the_first_page(shown, house, house.games["caravans"])


def fits_on_the_first_page(shown: Page, house: House, staged: str | None = None) -> None:
    """See that the board of the first page fits at every size, or that of a game of Spice Road in its place."""
    shown.goto(house.url)
    expect(shown.locator("#board .mat").first).to_be_visible()
    for size in SIZES:
        shown.set_viewport_size(size)
        if staged is not None:
            shown.evaluate(STAGED, staged)
        fit = measured(shown, aside=True)
        assert (fit["small"], fit["covered"], fit["wide"]) == ([], [], size["width"])  # its foot fades out
        assert fit["header"] <= HEADER


@pytest.mark.parametrize("game", GAMES)
def test_boards_of_lessons_and_rules_are_readable_and_whole(house: House, opened: Browser, game: str) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/learn/{game}")
        expect(shown.locator("#board:not([aria-busy]) .mat").first).to_be_attached()
        fits(shown, f"the lesson of {game}")
        shown.set_viewport_size(DESKTOP)
        shown.goto(f"{house.url}/rules/{game}")
        expect(shown.locator("[data-example]").first).to_be_attached()
        for example in shown.locator("[data-example]").all():
            example.scroll_into_view_if_needed()
            expect(example.locator(".drawn > *").first).to_be_attached()
        fits(shown, f"the rules of {game}", aside=True)
