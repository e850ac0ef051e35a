"""Clocks that stop, on the pages: a pause is proposed, agreed, seen and ended; days away are declared and seen."""

from uuid import UUID

from playwright.sync_api import Browser, expect

from tests.support.service.browser import DESKTOP, PHONE, barriers, page, picture
from tests.support.service.browser_players import come_in, sit_down
from tests.support.service.players import answer, somebody
from tests.support.service.running_service import House

SLOW = {"kind": "bank", "seconds": 3 * 86_400, "increment": 3600}


def test_players_pause_and_are_away(house: House, opened: Browser) -> None:
    other = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown, page(opened, PHONE) as phone:
        come_in(shown, house.url)
        game = sit_down(shown, house.url, "spice_road", "open", clock=SLOW)
        other.join(game)
        pause = shown.locator("#pause")
        pause.get_by_text("Pause", exact=True).click()
        pause.get_by_label("Stop the clocks for").select_option("3 days")
        picture(shown, "pause_form")
        pause.get_by_role("button", name="Propose a pause").click()
        expect(shown.locator("#offer")).to_contain_text("proposes to stop the clocks: 3 days.")
        other.post(f"/v1/games/{game}/offer", {"agrees": True})
        expect(pause.locator(".standing")).to_contain_text("The clocks stand until")
        expect(shown.locator("#log")).to_contain_text("All players agreed to stop the clocks until")
        expect(shown.locator("#seats .acts .clock")).to_have_text("‖ 2d 23h")
        answer(other.ask("PUT", "/v1/me/vacation", {"days": 2}), 200)
        house.app.extensions["cabildo"].game_commands.settle_time(UUID(game))
        expect(shown.locator("#seats .away")).to_contain_text("away until")
        picture(shown, "paused")
        assert barriers(shown) == []
        pause.get_by_role("button", name="Resume the clocks").click()
        expect(pause.locator(".standing")).to_have_count(0)
        expect(shown.locator("#log")).to_contain_text("resumed the clocks")
        shown.goto(f"{house.url}/account#vacation")
        section = shown.locator("#vacation")
        section.get_by_label("For how many days").fill("10")
        section.get_by_role("button", name="Be away").click()
        expect(section).to_contain_text("You are away:")
        assert barriers(shown) == []
        picture(shown, "vacation")
        section.get_by_role("button", name="Come back now").click()
        expect(section).to_contain_text("Days left this year: 29")
        come_in(phone, house.url)
        phone.goto(f"{house.url}/account#vacation")
        picture(phone, "vacation_on_phone")


def test_a_declined_proposal_is_told_to_those_at_the_table(house: House, opened: Browser) -> None:
    other = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        game = sit_down(shown, house.url, "spice_road", "open", clock=SLOW)
        other.join(game)
        pause, notes = shown.locator("#pause"), shown.locator("#log .note")
        for _ in range(2):
            pause.get_by_text("Pause", exact=True).click()
            pause.get_by_role("button", name="Propose a pause").click()
            expect(shown.locator("#offer")).to_contain_text("proposes to stop the clocks")
            if not notes.count():
                other.post(f"/v1/games/{game}/offer", {"agrees": False})
                expect(notes).to_have_text([f"{other.name} declined the proposal"])
                expect(shown.locator("#said")).to_contain_text(f"{other.name} declined the proposal.")
        shown.get_by_role("button", name="Withdraw the proposal").click()
        expect(notes.last).to_contain_text("withdrew the proposal")
        shown.reload()
        expect(notes).to_have_count(2)
