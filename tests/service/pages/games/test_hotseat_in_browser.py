"""Two people at one screen: a cover between their views, and each moves for their own seat."""

from playwright.sync_api import Browser, expect

from tests.support.service.browser import DESKTOP, barriers, page
from tests.support.service.browser_players import come_in
from tests.support.service.page_tour import send
from tests.support.service.running_service import House


def test_two_people_hand_the_table_over_behind_a_cover(opened: Browser, house: House) -> None:
    with page(opened, DESKTOP) as shown:
        host = come_in(shown, house.url)
        terms = {"game": "spice_road", "seats": ["me", "here:Anna"], "start_player": 0}
        made = send(shown, "/v1/games", terms)
        shown.goto(f"{house.url}/games/{made['id']}/play")
        cover, moves = shown.locator("#cover"), shown.locator("#panel button[data-move='play create_2']")
        expect(cover).to_contain_text(host)
        expect(shown.locator("#board")).not_to_be_visible()
        assert not barriers(shown)
        for person in (host, f"Anna ({host})", host):
            expect(cover).to_contain_text(person.split(" (")[0])
            for _ in range(3):
                shown.keyboard.press("Escape")  # does not lift it, nor take it away with its button
            expect(cover.get_by_role("button")).to_be_visible()
            expect(shown.locator("main")).not_to_be_visible()
            cover.get_by_role("button").press("Enter")
            expect(shown.locator("#seats .acts")).to_contain_text(person)
            if moves.count():
                moves.click()
        expect(shown.locator("#log")).to_contain_text(f"Anna ({host})")
