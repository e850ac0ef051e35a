"""What the replay page of a long game loads in a real browser: the boards near the shown step, and no others."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, Request, expect

from tests.support.running_program import eventually
from tests.support.service.browser import DESKTOP, page
from tests.support.service.running_service import House

RANGE = 64  # versions


def ranges_of(watched: Page) -> list[tuple[int, int]]:
    """Returns the ranges of boards that a page asks for, by their first and last version; more are added later."""
    ranges = list[tuple[int, int]]()

    def note(request: Request) -> None:
        query = {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}
        if "/replay?" in request.url and query.get("positions") != "false":
            ranges.append((int(query["after"]) + 1, int(query["until"])))

    watched.on("request", note)
    return ranges


def asks(watched: Page, ranges: list[tuple[int, int]], *expected: tuple[int, int]) -> bool:
    """Lets the browser report its requests until it has made these."""

    def made() -> bool:
        watched.wait_for_timeout(20)
        return sorted(ranges) == sorted(expected)

    return eventually(made)


def shown(watched: Page, version: int) -> None:
    """The board of this moment is drawn."""
    expect(watched.locator(f'#board[data-version="{version}"]')).to_be_attached()


def held(step: dict[str, Any]) -> str:
    """The name of the chart of doubloons at a step."""
    players = enumerate(step["position"]["players"], 1)
    told = [f"seat {seat}: {player['doubloons']}" for seat, player in players]
    return f"doubloons now: {', '.join(told)}"


def test_a_page_loads_the_boards_near_the_shown_one(house: House, opened: Browser) -> None:
    game = house.games["five"]
    client = house.app.test_client()
    steps = [step["version"] for step in client.get(f"/v1/games/{game}/replay?positions=false").get_json()["steps"]]
    assert steps[-1] > RANGE
    with page(opened, DESKTOP) as watched:
        ranges = ranges_of(watched)
        here = next(at for at, version in enumerate(steps) if version >= 20)
        watched.goto(house.replay("five", steps[here]))
        shown(watched, steps[here])
        assert asks(watched, ranges, (1, RANGE))
        for version in steps[here + 1 : here + 8]:
            watched.keyboard.press("ArrowRight")
            shown(watched, version)
        assert asks(watched, ranges, (1, RANGE))


def test_loaded_ranges_of_boards_join(house: House, opened: Browser) -> None:
    game = house.games["five"]
    client = house.app.test_client()
    steps = client.get(f"/v1/games/{game}/replay?as=all").get_json()["steps"]
    first = next(at for at, step in enumerate(steps) if step["version"] > RANGE)
    with page(opened, DESKTOP) as watched:
        ranges = ranges_of(watched)
        watched.goto(house.replay("five", steps[first - 3]["version"]))
        shown(watched, steps[first - 3]["version"])
        assert asks(watched, ranges, (1, RANGE), (RANGE + 1, 2 * RANGE))
        for step in steps[first - 2 : first + 3]:
            watched.keyboard.press("ArrowRight")
            shown(watched, step["version"])
        watched.locator("#series").select_option("doubloons")
        expect(watched.locator("#chart svg")).to_have_accessible_name(held(steps[first + 2]))
        watched.keyboard.press("Home")
        shown(watched, steps[0]["version"])
        expect(watched.locator("#chart svg")).to_have_accessible_name(held(steps[0]))
