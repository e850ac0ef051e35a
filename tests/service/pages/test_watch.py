"""The page of running games in a browser: the board, the curve and the list are renewed, and the end is told."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, Route, expect

from tests.service.conftest import Environ
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import eventually
from tests.support.service.browser import PHONE, barriers, page, picture
from tests.support.service.page_layout import fits
from tests.support.service.players import running

RENEWED = 31_000  # milliseconds after which the list is read again


@pytest.fixture
def url(environ: Environ, app: Flask, tmp_path: Path) -> Iterator[str]:
    """A server without any game but those of the test."""
    with serving(environ, "service.app:create_app()", tmp_path / "log") as (_, address):
        assert eventually(lambda: answers(address))
        yield address


def test_board_curve_and_list_follow_the_games(url: str, app: Flask, opened: Browser) -> None:
    game, (first, second) = running(app.test_client(), game="puerto_rico", start_player=0)
    with page(opened, PHONE) as shown:
        shown.clock.install()
        shown.goto(f"{url}/watch")
        expect(shown.locator("#board .mat")).to_have_count(2)
        series = shown.get_by_label("What the chart shows")
        expect(series.locator("option")).to_have_text(["goods shipped", "doubloons spent"])  # points are hidden
        series.select_option("spent")
        first.move(game, "role builder")
        first.move(game, "build small_market")
        expect(shown.locator("#now")).to_contain_text("small market")
        expect(shown.locator("#chart svg")).to_have_accessible_name("doubloons spent now: seat 1: 0, seat 2: 0")
        second.move(game, "build small_indigo_plant")
        expect(shown.locator("#chart svg")).to_have_accessible_name("doubloons spent now: seat 1: 0, seat 2: 1")
        assert barriers(shown) == []
        fits(shown, "what is on")
        picture(shown, "watch")
        running(app.test_client(), "Cleo", "Dag", start_player=0)
        expect(shown.locator("#others li:visible")).to_have_count(0)
        shown.clock.fast_forward(RENEWED)
        expect(shown.locator("#others li:visible")).to_have_count(1)
        expect(shown.locator("#others li:visible")).to_contain_text("Cleo")
        expect(shown.locator(f'#others li[data-game="{game}"]')).to_be_hidden()
        expect(shown.locator("#over")).to_be_hidden()


def test_the_curve_counts_earlier_moves_without_reading_their_words(url: str, app: Flask, opened: Browser) -> None:
    game, (first, second) = running(app.test_client(), game="puerto_rico", start_player=0)
    first.move(game, "role builder")
    first.move(game, "build small_market")
    second.move(game, "build small_indigo_plant")
    with page(opened, PHONE) as shown:
        asked = list[str]()
        shown.on("request", lambda request: asked.append(request.url))
        shown.goto(f"{url}/watch")
        shown.get_by_label("What the chart shows").select_option("spent")
        expect(shown.locator("#chart svg")).to_have_accessible_name("doubloons spent now: seat 1: 0, seat 2: 1")
        assert [path for path in asked if "/outline?" in path]
        assert [path for path in asked if "/replay?" in path and "after=" not in path] == []


def test_the_end_of_the_game_in_front_is_told(url: str, app: Flask, opened: Browser) -> None:
    game, (first, second) = running(app.test_client(), leaver="forfeit", start_player=0)
    first.move(game, "play create_2")
    with page(opened, PHONE) as shown:
        shown.goto(f"{url}/watch")
        expect(shown.locator("#now")).to_contain_text(first.name)
        expect(shown.locator("#over")).to_be_hidden()
        second.post(f"/v1/games/{game}/resign")
        expect(shown.locator("#over")).to_contain_text("This game is over")


def test_a_game_that_ended_before_its_board_was_read_is_over(url: str, app: Flask, opened: Browser) -> None:
    game, (first, second) = running(app.test_client(), leaver="forfeit", start_player=0)
    first.move(game, "play create_2")

    def too_late(route: Route) -> None:
        second.post(f"/v1/games/{game}/resign")
        route.continue_()

    with page(opened, PHONE) as shown:
        shown.route(f"{url}/v1/games/{game}?*", too_late, times=1)
        shown.goto(f"{url}/watch")
        expect(shown.locator("#over")).to_contain_text("This game is over")
        expect(shown.locator("#board .mat")).to_have_count(2)
