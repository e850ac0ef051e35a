"""The log of a long game in a real browser: the part near the shown step comes with the page, the rest when wanted."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Request, expect

from deploy.bench.opened_pages.weights import AIM_WEIGHT, READ
from tests.service.games.test_kept_boards import order
from tests.support.projections.long_games import varied_record
from tests.support.service.browser import DESKTOP, barriers, page
from tests.support.service.browser_players import PASSWORD, log_in
from tests.support.service.players import Person, in_turn, new_names, somebody
from tests.support.service.running_service import House

PART = 256  # versions
MOVES = 2_600
MOVES_OF_PEOPLE = 1_060
AT_EARLIEST = "(list) => list.scrollTo(0, 0)"
SHOWN_PART = """(list) => {
  const { top, bottom } = list.getBoundingClientRect();
  const seen = [...list.querySelectorAll("a")].filter((link) => {
    const box = link.getBoundingClientRect();
    return box.bottom > top && box.top < bottom;
  });
  return seen.map((link) => link.hash);
}"""


@pytest.fixture(scope="module")
def long_game(house: House) -> str:
    """A finished game of many moves."""
    imported = somebody(house.app.test_client()).post("/v1/games/import", {"record": varied_record(MOVES)})
    assert imported["status"] == "finished"
    return str(imported["id"])


@pytest.fixture(scope="module")
def replayed(house: House, long_game: str) -> list[dict[str, Any]]:
    """Its steps in words."""
    told = house.app.test_client().get(f"/v1/games/{long_game}/replay?positions=false&as=all").get_json()["steps"]
    assert len(told) > MOVES
    return list(told)


def parts_of(watched: Page) -> list[int]:
    """Returns the numbers of the parts of the log that a page asks for; more are added later."""
    parts = list[int]()

    def note(request: Request) -> None:
        query = {name: values[0] for name, values in parse_qs(urlsplit(request.url).query).items()}
        if "/replay?" in request.url and query.get("positions") == "false":
            after, until = int(query.get("after", 0)), int(query.get("until", MOVES * 2))
            assert until - after <= PART, "more than a part was asked for"
            parts.append(after // PART)

    watched.on("request", note)
    return parts


def listed(watched: Page) -> list[int]:
    """The versions of the listed steps."""
    links = watched.locator("#steps a").evaluate_all("links => links.map((link) => Number(link.hash.slice(1)))")
    return [int(link) for link in links]


def shown(watched: Page, version: int) -> None:
    expect(watched.locator(f'#board[data-version="{version}"]')).to_be_attached()


def test_a_long_replay_is_light_and_loads_its_log_near_the_shown_step(
    house: House, opened: Browser, long_game: str, replayed: list[dict[str, Any]]
) -> None:
    versions = [step["version"] for step in replayed]
    with page(opened, DESKTOP) as watched:
        parts = parts_of(watched)
        watched.goto(f"{house.url}/games/{long_game}")
        shown(watched, versions[-1])
        watched.wait_for_load_state("networkidle")
        assert watched.evaluate(READ)["weight"] < AIM_WEIGHT
        assert min(parts) >= versions[-1] // PART - 1
        assert listed(watched) == versions[-len(listed(watched)) :]
        watched.evaluate("location.hash = '#700'")
        shown(watched, 700)
        assert 0 not in parts
        assert 700 in listed(watched)
        near = next(step for step in replayed if step["version"] == 700)
        expect(watched.locator("#steps [aria-current]")).to_contain_text(near["label"])
        expect(watched.locator("#now")).to_contain_text(near["label"])
        expect(watched.locator("#steps .round").first).to_be_attached()
        assert barriers(watched) == []


def test_the_log_of_a_long_replay_grows_by_buttons_keys_and_scrolling(
    house: House, opened: Browser, long_game: str, replayed: list[dict[str, Any]]
) -> None:
    versions = [step["version"] for step in replayed]
    with page(opened, DESKTOP) as watched:
        watched.goto(f"{house.url}/games/{long_game}#1300")
        shown(watched, 1300)
        first, *_, last = listed(watched)
        watched.locator("#steps-earlier").press("Enter")
        expect(watched.locator(f'#steps a[href="#{first - 1}"]')).to_be_focused()
        watched.locator("#steps-later").click()
        expect(watched.locator(f'#steps a[href="#{last + 1}"]')).to_be_focused()
        first, *_, last = listed(watched)
        assert listed(watched) == [version for version in versions if first <= version <= last]
        watched.locator("#steps").evaluate(AT_EARLIEST)
        expect(watched.locator(f'#steps a[href="#{first - 1}"]')).to_be_attached()
        assert f"#{first}" in watched.locator("#steps").evaluate(SHOWN_PART)  # what was in sight stays there
        expect(watched.locator("#steps [aria-current]")).to_have_attribute("href", "#1300")
        watched.locator("#slider").press("Home")
        shown(watched, versions[0])
        expect(watched.locator("#steps-earlier")).to_be_hidden()
        assert listed(watched)[0] == versions[0]


def test_charts_and_points_of_a_long_game_are_those_of_all_its_steps(
    house: House, opened: Browser, long_game: str, replayed: list[dict[str, Any]]
) -> None:
    account = house.app.test_client().get(f"/v1/games/{long_game}/points").get_json()
    with page(opened, DESKTOP) as watched:
        watched.goto(f"{house.url}/games/{long_game}")
        shown(watched, replayed[-1]["version"])
        totals = ", ".join(f"seat {seat + 1}: {score['total']}" for seat, score in enumerate(replayed[-1]["scores"]))
        chart = watched.locator("#chart svg")
        expect(chart).to_have_accessible_name(f"points now: {totals}")
        position = house.app.test_client().get(f"/v1/games/{long_game}/position?as=all").get_json()
        watched.locator("#series").select_option("spices")
        held = [sum(player["caravan"].values()) for player in position["players"]]
        told = ", ".join(f"seat {seat + 1}: {sum_}" for seat, sum_ in enumerate(held))
        expect(chart).to_have_accessible_name(f"spices now: {told}")
        (part,) = [part for part in account["seats"][0]["parts"] if part["kind"] == "point_cards"]
        watched.locator('#end .made[data-kind="point_cards"][data-seat="0"]').click()
        labels = {step["version"]: step["label"] for step in replayed}
        for change in part["changes"]:
            expect(watched.locator(f'.made-by a[href="#{change["version"]}"]')).to_contain_text(
                labels[change["version"]]
            )


@pytest.fixture(scope="module")
def table_of_two(house: House) -> tuple[str, str]:
    """A long game of people: its id, and the name of one who has a password."""
    names = new_names("Anna", "Birgir")
    anna = Person(house.app.test_client(), names[0], password=PASSWORD)
    birgir = Person(house.app.test_client(), names[1])
    game = anna.create("me", birgir.id)["id"]
    people = in_turn(birgir.join(game), anna, birgir)
    for number in range(MOVES_OF_PEOPLE):
        people[number % 2].move(game, order(number))
    return game, anna.name


def test_the_log_beside_a_long_game_begins_with_its_newest_part(
    house: House, opened: Browser, table_of_two: tuple[str, str]
) -> None:
    game, name = table_of_two
    steps = house.app.test_client().get(f"/v1/games/{game}/replay?positions=false").get_json()["steps"]
    links = [f"#{step['version']}" for step in steps]
    with page(opened, DESKTOP) as watched:
        log_in(watched, house.url, name)
        parts = parts_of(watched)
        watched.goto(f"{house.url}/games/{game}/play")
        log = watched.locator("#log")
        expect(log.locator("li.step").first).to_be_attached()
        expect(log.locator(".own")).to_have_count(1)
        expect(watched.locator("#round")).to_have_text(f"Round {MOVES_OF_PEOPLE // 2 + 1}")
        listing = "links => links.map((link) => link.hash)"
        told = log.locator("a").evaluate_all(listing)
        assert told == links[-len(told) :]
        assert 0 not in parts
        left = int(watched.locator("#log-earlier").inner_text().split("(")[1].rstrip(")"))
        assert left == len(links) - len(told)
        watched.locator("#log-earlier").press("Enter")
        expect(log.locator(f'a[href$="{links[-len(told) - 1]}"]')).to_be_focused()
        assert len(log.locator("a").evaluate_all(listing)) == len(told) + PART
        watched.get_by_label("Search the log").fill("game began")
        expect(watched.locator("#log-found")).to_have_text("1 line found")
        expect(watched.locator("#log-earlier")).to_be_hidden()
        assert log.locator("a").evaluate_all(listing) == links
        assert barriers(watched) == []
