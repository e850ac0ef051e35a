"""A player at the table in a real browser: what moves of others and own moves cost."""

from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Browser, Page, expect

from tests.support.service.browser import DESKTOP, page
from tests.support.service.browser_players import asked, come_in, do, sit_down, step
from tests.support.service.players import Person, somebody
from tests.support.service.running_service import House

OF_LISTS = "/v1/games"  # which other games wait is asked when a notification comes


def counted(shown: Page) -> list[str]:
    """The requests that the page sends from now on, but for those about other games."""
    found = list[str]()

    def count(method: str, url: str) -> None:
        address = urlsplit(url)
        if address.path != OF_LISTS:
            more = parse_qs(address.query).keys() - {"language"}
            found.append(f"{method} {address.path.rpartition('/')[2]}{'?' if more else ''}")

    shown.on("request", lambda request: count(request.method, request.url))
    return found


def at_table(shown: Page, house: House) -> tuple[str, Person]:
    """A running game of the player in the browser, who begins, and another player."""
    other = somebody(house.app.test_client())
    come_in(shown, house.url)
    game = sit_down(shown, house.url, "spice_road", "open")
    expect(shown.locator(".room")).to_be_visible()
    other.join(game)
    asked(shown, "Your turn")
    return game, other


def test_a_move_of_another_player_costs_the_legal_moves_at_most(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        game, other = at_table(shown, house)
        sent = counted(shown)
        do(shown, "play create_2")
        expect(shown.locator("body:not(.mine)")).to_be_attached()
        assert sent == ["POST moves?", "POST moves"]
        sent.clear()
        other.move(game, "play create_2")
        asked(shown, "Your turn")
        assert sent == ["GET legal"]
        assert shown.locator("#log li.step").count() == 3


def test_an_undo_and_an_offer_are_applied_from_the_stream(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        game, other = at_table(shown, house)
        sent = counted(shown)
        do(shown, "play create_2")
        shown.get_by_role("button", name="Undo").click()
        asked(shown, "Your turn")
        assert sent == ["POST moves?", "POST moves", "POST undo", "GET legal"]
        expect(shown.locator("#log li.step")).to_have_count(1)
        step(shown, lambda on: on.locator('#panel button[data-move="play create_2"]').click())
        version = other.move(game, "play upgrade_2")["version"]
        asked(shown, "Your turn")
        sent.clear()
        other.post(f"/v1/games/{game}/take-back", {"to": version - 1})
        expect(shown.get_by_role("button", name="Agree")).to_be_visible()
        assert sent == []
