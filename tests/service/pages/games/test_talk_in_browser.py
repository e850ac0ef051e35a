"""Table talk on the pages: players and spectators in real browsers, by keyboard, over the stream of the moves."""

import re

from playwright.sync_api import Browser, Route, expect

from tests.support.service.browser import DESKTOP, PHONE, barriers, page, picture
from tests.support.service.browser_players import come_in, sit_down
from tests.support.service.players import somebody
from tests.support.service.running_service import House

MESSAGES = re.compile(r"/v1/games/[^/]+/talk(\?.*)?$")
ROUGH = "Oh fuck <b>bold</b> https://example.org"


def test_players_talk_and_spectators_read(house: House, opened: Browser) -> None:
    other, watcher = somebody(house.app.test_client()), somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown, page(opened, PHONE) as watched:
        come_in(shown, house.url)
        game = sit_down(shown, house.url, "spice_road", "open", leaver="forfeit")
        other.join(game)
        shown.get_by_role("tab", name="Talk").click()
        talk = shown.locator("#talk")
        talk.get_by_role("textbox", name="Message").fill("Good luck!")
        talk.get_by_role("textbox", name="Message").press("Enter")
        expect(talk.locator(".own .said")).to_have_text("Good luck!")
        expect(talk.get_by_role("textbox", name="Message")).to_have_value("")
        other.post(f"/v1/games/{game}/talk", {"text": ROUGH})
        second = talk.locator(".message").nth(1).locator(".said")
        expect(second).to_have_text(ROUGH)  # by the stream; no markup, no link
        assert talk.locator(".said :is(a, b)").count() == 0
        watched.goto(f"{house.url}/games/{game}")
        watched.locator("#talk-panel > summary").click()
        expect(watched.locator("#talk .message")).to_have_count(2)
        expect(watched.locator("#talk .hint").first).to_have_text("Log in to write.")
        watcher.post(f"/v1/games/{game}/talk", {"text": "They are friendly"})
        expect(watched.locator("#talk .message")).to_have_count(3)
        assert talk.locator(".message").count() == 2
        talk.get_by_text("Reading and muting").click()
        talk.get_by_label("Cover rough words").check()
        expect(second).to_have_text("Oh ••• <b>bold</b> https://example.org")
        assert barriers(shown) == barriers(watched) == []
        picture(shown, "talk_at_table")
        picture(watched, "talk_watched_on_phone")
        talk.get_by_role("button", name="Covered word").click()
        expect(second).to_have_text(ROUGH)
        talk.locator(".own .deeds summary").click()
        talk.get_by_role("button", name="Erase").click()
        expect(talk.locator(".own i")).to_have_text("erased by the writer")
        expect(watched.locator("#talk .message").first.locator("i")).to_have_text("erased by the writer")
        talk.get_by_label("Close the players' talk").check()
        expect(talk.get_by_role("textbox", name="Message")).to_be_hidden()
        other.post(f"/v1/games/{game}/resign")
        expect(talk.locator(".message")).to_have_count(3)  # and what spectators said


def test_the_settings_of_the_talk_unfold_before_its_messages_come(house: House, opened: Browser) -> None:
    held, holding = list[Route](), True
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        shown.route(MESSAGES, lambda route: held.append(route) if holding else route.continue_())
        shown.goto(house.replay("five"))
        shown.locator("#talk-panel > summary").click()
        reading = shown.locator("#talk").get_by_text("Reading and muting")
        with shown.expect_response("**/v1/me/talk?*"):
            reading.click()
        holding = False
        for route in held:
            route.continue_()
        expect(shown.get_by_label("Cover rough words")).to_be_visible()
        expect(shown.locator("#talk .trouble")).to_be_empty()
