"""The rematch of a game: who played it hears of it on the open page of its end, and goes to the new table."""

import re
from typing import Final
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.support.service.browser import DESKTOP, LOCALES, PHONE, barriers, page, picture
from tests.support.service.browser_players import PASSWORD, log_in, play_now
from tests.support.service.page_tour import send
from tests.support.service.players import Person
from tests.support.service.running_service import House
from tests.support.service.two_players import anna, birgir

__all__ = ["anna", "birgir"]

TO_TABLE: Final = "Go to the new table"


def over(anna: Person, birgir: Person, visibility: str = "public") -> str:
    """A game that Anna has won."""
    game = str(anna.create("me", birgir.id, leaver="forfeit", visibility=visibility)["id"])
    birgir.join(game)
    birgir.post(f"/v1/games/{game}/resign")
    return game


def invited(shown: Page, birgir: Person, again: str) -> None:
    """The page says who wants to play again, and leads to the table."""
    place = shown.locator("#rematch")
    expect(place).to_contain_text(f"{birgir.name} wants to play again.")
    link = place.get_by_role("link", name=TO_TABLE)
    expect(link).to_have_attribute("href", f"/games/{again}/play")


@pytest.mark.parametrize("size", [DESKTOP, {"width": 1024, "height": 768}, PHONE], ids=["desktop", "tablet", "phone"])
def test_the_end_of_a_game_says_that_another_player_plays_again(
    house: House, opened: Browser, anna: Person, birgir: Person, size: ViewportSize
) -> None:
    game = over(anna, birgir, visibility="private")
    with page(opened, size) as shown:
        log_in(shown, house.url, anna.name, next=f"/games/{game}/play")
        expect(shown.locator("#prompt")).to_have_text("You have won!")
        expect(shown.locator("#rematch")).to_be_empty()
        again = birgir.post(f"/v1/games/{game}/rematch")["id"]
        invited(shown, birgir, again)
        assert barriers(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= size["width"]
        picture(shown, f"rematch-{size['width']}")
        shown.reload()
        invited(shown, birgir, again)
        shown.get_by_role("link", name=TO_TABLE).click()
        shown.wait_for_url(f"**/games/{again}/play")
        shown.get_by_role("button", name="Take a chair").click()
        expect(shown.locator("#board .mat").first).to_be_visible()


def test_an_invitation_goes_when_the_new_table_is_closed(
    house: House, opened: Browser, anna: Person, birgir: Person
) -> None:
    game = over(anna, birgir)
    with page(opened, DESKTOP) as shown:
        log_in(shown, house.url, anna.name, next=f"/games/{game}/play")
        again = birgir.post(f"/v1/games/{game}/rematch")["id"]
        invited(shown, birgir, again)
        birgir.post(f"/v1/games/{again}/abort")
        expect(shown.locator("#rematch")).to_be_empty()


def test_the_replay_invites_players_and_no_spectators(
    house: House, opened: Browser, anna: Person, birgir: Person
) -> None:
    game = over(anna, birgir)
    with page(opened, DESKTOP) as watched, page(opened, DESKTOP) as shown:
        watched.goto(f"{house.url}/games/{game}")
        watched.locator("#talk-panel > summary").click()  # the page then follows the talk
        log_in(shown, house.url, anna.name, next=f"/games/{game}")
        again = birgir.post(f"/v1/games/{game}/rematch")["id"]
        invited(shown, birgir, again)
        birgir.post(f"/v1/games/{game}/talk", {"text": "Once more?"})
        expect(watched.locator("#talk")).to_contain_text("Once more?")
        expect(watched.locator("#rematch")).to_be_empty()


def test_a_person_at_the_screen_is_led_to_the_own_chair(house: House, opened: Browser, birgir: Person) -> None:
    host = Person(house.app.test_client(), f"Hanna {uuid4().hex[:8]}", password=PASSWORD)
    made = host.create("here:Nina", "open", leaver="forfeit")
    game, nina = made["id"], made["seats"][0]["player"]["id"]
    birgir.join(game)
    birgir.post(f"/v1/games/{game}/resign")
    with page(opened, DESKTOP) as shown:
        log_in(shown, house.url, host.name, next=f"/games/{game}/play?as={nina}")
        again = birgir.post(f"/v1/games/{game}/rematch")["id"]
        link = shown.locator("#rematch").get_by_role("link", name=TO_TABLE)
        expect(link).to_have_attribute("href", f"/games/{again}/play?as={nina}")
        link.click()
        shown.get_by_role("button", name="Take a chair").click()
        expect(shown.locator("#board .mat").first).to_be_visible()


def test_guests_hear_of_a_rematch_in_the_language_of_the_page(house: House, opened: Browser, birgir: Person) -> None:
    with page(opened, PHONE, locale=LOCALES[-1]) as shown:
        play_now(shown, house.url)
        made = send(shown, "/v1/games", {"game": "spice_road", "seats": ["me", "open"], "leaver": "forfeit"})
        game = made["id"]
        birgir.join(game)
        birgir.post(f"/v1/games/{game}/resign")
        shown.goto(f"{house.url}/games/{game}/play")
        again = birgir.post(f"/v1/games/{game}/rematch")["id"]
        expect(shown.locator("#rematch strong")).to_have_text(f"{birgir.name} újra játszana.")
        shown.locator("#rematch a").click()
        shown.wait_for_url(re.compile(f"/games/{again}/play"))
