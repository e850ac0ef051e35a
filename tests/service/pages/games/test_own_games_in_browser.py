"""The page of one's own games changes by itself: turns, games that begin and end, and chairs that are kept."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from typing import Final

import pytest
from playwright.sync_api import Browser, Locator, Page, ViewportSize, expect

from tests.support.service.browser import DESKTOP, PHONE, ZOOMED, barriers, page, picture
from tests.support.service.browser_players import log_in
from tests.support.service.players import Person, somebody
from tests.support.service.running_service import House
from tests.support.service.two_players import anna, birgir

__all__ = ["anna", "birgir"]

HIDDEN: Final = """() => {
  window.away = false;
  Object.defineProperty(document, "hidden", { get: () => window.away });
}"""
STREAM: Final = re.compile(r"/v1/me/stream\?games=true")
LEAVE: Final = "(away) => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }"
COUNTED: Final = """() => {
  const send = window.fetch;
  window.asked = [];
  window.fetch = (path, ...more) => {
    if (String(path).startsWith("/mine")) window.asked.push(performance.now());
    return send(path, ...more);
  };
}"""
PAUSE: Final = 2_000  # milliseconds between two requests of the page
MOVE: Final = "play create_2"


@contextmanager
def own_games(house: House, opened: Browser, anna: Person, size: ViewportSize = DESKTOP) -> Iterator[Page]:
    """The open page of one's own games; it fails when the page was loaded again."""
    with page(opened, size) as shown:
        shown.add_init_script(f"({HIDDEN})()")
        log_in(shown, house.url, anna.name)
        with shown.expect_response(STREAM):
            shown.goto(f"{house.url}/mine")
        shown.evaluate("window.same = true")
        yield shown
        assert shown.evaluate("window.same")


def card(shown: Page, section: str, game: str) -> Locator:
    """A game in a list."""
    return shown.locator(f"#{section} li[data-game='{game}']")


def test_own_games_move_from_list_to_list_by_themselves(
    house: House, opened: Browser, anna: Person, birgir: Person
) -> None:
    with own_games(house, opened, anna) as shown:
        game = birgir.create("me", "open", "open", start_player=0, leaver="forfeit")["id"]
        anna.join(game)
        expect(card(shown, "open", game)).to_be_visible()
        third = somebody(house.app.test_client())
        third.join(game)
        expect(card(shown, "running", game)).to_be_visible()
        birgir.move(game, MOVE)
        expect(card(shown, "waiting", game)).to_contain_text("your turn")
        expect(shown.locator("#mine-news")).to_have_text("1 game waits for you")
        expect(shown.locator(".me .due")).to_contain_text("1")
        picture(shown, "mine-live")
        anna.move(game, MOVE)
        acts = card(shown, "running", game).locator(".places li:has(.mark)")
        expect(acts).to_contain_text(third.name)
        expect(acts).to_contain_text("to act")
        expect(shown.locator(".me .due")).to_have_count(0)
        expect(shown.locator("#mine-news")).to_contain_text("The list of your games has changed.")
        for person in (third, birgir):
            person.post(f"/v1/games/{game}/resign")
        expect(card(shown, "finished", game)).to_contain_text("1.")
        expect(shown.locator("#running li[data-game], #waiting li[data-game]")).to_have_count(0)


@pytest.mark.parametrize("size", [DESKTOP, ZOOMED, PHONE], ids=["desktop", "zoomed", "phone"])
def test_a_kept_chair_is_among_what_waits(
    house: House, opened: Browser, anna: Person, birgir: Person, size: ViewportSize
) -> None:
    with own_games(house, opened, anna, size) as shown:
        game = birgir.create("me", anna.id, visibility="private")["id"]
        kept = card(shown, "waiting", game)
        expect(kept).to_contain_text("a chair is kept for you")
        expect(kept.get_by_role("button", name="Sit down")).to_be_visible()
        assert barriers(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= size["width"]
        birgir.post(f"/v1/games/{game}/abort")
        expect(kept).to_have_count(0)


def test_the_focus_stays_with_a_game_that_moves_to_another_list(
    house: House, opened: Browser, anna: Person, birgir: Person
) -> None:
    game = birgir.create("me", "open", start_player=0)["id"]
    anna.join(game)
    other = anna.create("me", "open")["id"]
    with own_games(house, opened, anna) as shown:
        shown.evaluate("(game) => { window.kept = document.querySelector(`li[data-game='${game}']`); }", other)
        card(shown, "running", game).locator(".to").focus()
        birgir.move(game, MOVE)
        expect(card(shown, "waiting", game).locator(".to")).to_be_focused()
        assert shown.evaluate("window.kept.isConnected")  # what shows the same is not drawn anew
        table = card(shown, "open", other).locator(".to")
        table.focus()
        anna.post(f"/v1/games/{other}/abort")
        expect(card(shown, "open", other)).to_have_count(0)
        expect(shown.locator("#open-title")).to_be_focused()


def test_a_hidden_page_of_own_games_asks_nothing_and_catches_up(
    house: House, opened: Browser, anna: Person, birgir: Person
) -> None:
    game = birgir.create("me", "open", start_player=0)["id"]
    anna.join(game)
    with own_games(house, opened, anna) as shown:
        asked: list[str] = []
        with shown.expect_event("requestfailed"):  # the stream ends
            shown.evaluate(LEAVE, True)
        shown.on("request", lambda request: asked.append(request.url))
        birgir.move(game, MOVE)
        with shown.expect_response(STREAM):
            shown.evaluate(LEAVE, False)
        assert STREAM.search(asked[0])  # before anything else
        expect(card(shown, "waiting", game)).to_be_visible()


def test_many_changes_of_own_games_take_few_requests(
    house: House, opened: Browser, anna: Person, birgir: Person
) -> None:
    with own_games(house, opened, anna) as shown:
        shown.evaluate(COUNTED)
        for _ in range(8):
            game = birgir.create("me", anna.id)["id"]
        expect(card(shown, "waiting", game)).to_be_visible()
        first = birgir.create("me", anna.id)["id"]
        expect(card(shown, "waiting", first)).to_be_visible()
        asked = shown.evaluate("window.asked")
        assert asked
        assert all(later - earlier > PAUSE / 2 for earlier, later in pairwise(asked))
