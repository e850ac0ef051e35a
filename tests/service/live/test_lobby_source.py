"""The stream of the lobby: whole at once, again after each change, the same for all; and the page that follows it."""

import json

import httpx
from playwright.sync_api import Browser, expect

from service.core.announce import LISTS
from service.live.lobby_source import FollowedLobby
from tests.support.running_program import PATIENCE
from tests.support.service.browser import DESKTOP, page
from tests.support.service.running_service import House


class Topics:
    """Topics that count who waits for them."""

    def __init__(self) -> None:
        self.waiting = 0

    def enter(self, name: str) -> object:
        """Returns a topic."""
        assert name == LISTS
        self.waiting += 1
        return object()

    def leave(self, _name: str) -> None:
        """Releases it."""
        self.waiting -= 1


def test_followers_get_the_whole_lobby_and_each_change_of_it_once() -> None:
    topics, tables = Topics(), ["first"]
    lobby = FollowedLobby(topics, lambda: {"open": list(tables)}, lambda: 7)  # type: ignore[arg-type] # what it uses
    one, other = lobby.enter(), lobby.enter()
    assert one.key == other.key
    (item,) = one.after(0)
    assert json.loads(item.document) == {"number": 7, "open": ["first"]}
    assert (one.after(item.number), other.after(0)) == ([], [item])
    tables.append("second")
    (changed,) = other.after(item.number)
    assert (changed.number, json.loads(changed.document)["open"]) == (8, tables)  # though the clock stands still
    assert one.after(item.number) == [changed]
    for source in (one, other):
        source.close()
    assert topics.waiting == 0


def test_the_page_shows_a_new_table_without_being_loaded_again(house: House, opened: Browser) -> None:
    registered = httpx.post(f"{house.url}/v1/players", json={"name": "Live Lobby"}, timeout=PATIENCE).json()
    headers = {"Authorization": f"Bearer {registered['token']}", "Accept": "application/x-ndjson"}
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/lobby")
        shown.evaluate("window.same = true")
        with httpx.stream("GET", f"{house.url}/v1/lobby/stream", headers=headers, timeout=PATIENCE) as stream:
            lines = (json.loads(line) for line in stream.iter_lines() if line)
            before = next(lines)
            table = {"game": "spice_road", "seats": ["me", "open"]}
            made = httpx.post(f"{house.url}/v1/games", json=table, headers=headers, timeout=PATIENCE).json()["id"]
            after = next(told for told in lines if any(one["id"] == made for one in told["open"]))
        assert after["number"] > before["number"]
        terms = next({**one} for one in after["open"] if one["id"] == made)
        assert (terms["clock"], terms["silent"], terms["rated"]) == ({"kind": "none"}, False, False)
        expect(shown.locator(f'section:has(#open-title) a.to[href^="/games/{made}"]')).to_be_visible()
        expect(shown.locator("#lobby-news")).to_have_text("1 new open table")
        assert shown.evaluate("window.same")
