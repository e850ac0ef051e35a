"""A watcher of a running game in a real browser: what each move of the players costs."""

from pathlib import Path
from typing import Any

from flask import Flask
from playwright.sync_api import Browser, Page, expect

from tests.service.conftest import Environ
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import eventually
from tests.support.service.browser import DESKTOP, page
from tests.support.service.players import new_names, running
from tests.support.service.running_service import House

SMALL = 2_000  # bytes of one step, with the changes of the board
KEEP_ALIVE = 100  # bytes; more than one or two of these
MOVES = ("play create_2", "play create_2", "play upgrade_2", "play upgrade_2", "rest", "rest")


def test_a_move_costs_a_watcher_one_small_message(house: House, opened: Browser) -> None:
    game, people = running(house.app.test_client(), *new_names("Anna", "Birgir"))
    asked, received, streams = list[str](), list[int](), set[str]()

    def begin(sent: dict[str, Any]) -> None:
        if "items=steps" in sent["request"]["url"]:
            streams.add(sent["requestId"])

    def count(data: dict[str, Any]) -> None:
        if data["requestId"] in streams:
            received.append(data["dataLength"])

    def came(watched: Page) -> bool:
        """Lets the browser report what it received; whether that was more than keep-alives."""
        watched.wait_for_timeout(20)
        return sum(received) > KEEP_ALIVE

    with page(opened, DESKTOP) as watched:
        network = watched.context.new_cdp_session(watched)
        network.on("Network.requestWillBeSent", begin)
        network.on("Network.dataReceived", count)
        network.send("Network.enable")
        watched.goto(f"{house.url}/games/{game}")
        board = watched.locator("#board[data-version]")
        expect(board).to_be_attached()
        version = int(board.get_attribute("data-version") or 0)
        watched.wait_for_load_state("load")
        watched.on("request", lambda request: asked.append(request.url.removeprefix(house.url)))
        for number, move in enumerate(MOVES):
            asked.clear()
            received.clear()
            people[number % 2].move(game, move)
            expect(watched.locator(f'#board[data-version="{version + 1}"]')).to_be_attached()
            assert eventually(lambda: came(watched))
            assert asked == []
            assert sum(received) < SMALL
            version += 1


def test_the_first_page_follows_a_game_without_a_request(
    environ: Environ, app: Flask, opened: Browser, tmp_path: Path
) -> None:
    game, (first, second) = running(app.test_client())
    first.move(game, "play create_2")
    asked = list[str]()
    with serving(environ, "service.app:create_app()", tmp_path / "log") as (_, url), page(opened, DESKTOP) as watched:
        assert eventually(lambda: answers(url))
        with watched.expect_response(lambda response: "items=steps" in response.url):
            watched.goto(url)
        expect(watched.locator("#now")).to_contain_text(first.name)
        watched.on("request", lambda request: asked.append(request.url))
        second.move(game, "play upgrade_2")
        expect(watched.locator("#now")).to_contain_text(second.name)
        first.move(game, "rest")
        expect(watched.locator("#now")).to_contain_text(first.name)
        assert asked == []
