"""The regions beside the board in a real browser: the log with its search, and tabs by keyboard."""

from playwright.sync_api import Browser, expect

from tests.support.service.browser import DESKTOP, page
from tests.support.service.browser_players import asked, come_in, first_by_keyboard, sit_down, step

SEED = {"chance": 0, "seed": "42" * 32}
BOTS = ("bot:greedy", "bot:greedy")


def test_the_log_holds_the_whole_game_after_moves_and_a_reload(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        game = sit_down(shown, table_house, "spice_road", *BOTS, **SEED)
        asked(shown, "play a card")
        for _ in range(3):
            step(shown, first_by_keyboard)
            asked(shown, "play a card")
        steps = shown.evaluate("(path) => fetch(path).then((told) => told.json())", f"/v1/games/{game}/replay")["steps"]
        told = [f"#{step['version']}" for step in steps]
        assert len(told) == 10
        links = "links => links.map((link) => link.hash)"
        assert shown.locator("#log a").evaluate_all(links) == told
        expect(shown.locator("#log .own ~ li")).to_have_count(2)  # the moves of the two bots
        shown.get_by_label("Search the log").fill("game began")
        expect(shown.locator("#log li:visible")).to_have_count(1)
        expect(shown.locator("#log-found")).to_have_text("1 line found")
        shown.get_by_role("tab", name="Log").focus()
        shown.keyboard.press("ArrowRight")
        expect(shown.get_by_role("tab", name="Talk", selected=True)).to_be_focused()
        for _ in range(2):  # past the first tab to the last one
            shown.keyboard.press("ArrowLeft")
        expect(shown.get_by_label("Mark on the board what has changed")).to_be_visible()
        shown.reload()
        asked(shown, "play a card")
        assert shown.locator("#log a").evaluate_all(links) == told
        expect(shown.locator("#log .own ~ li")).to_have_count(2)


def test_moves_and_log_are_searched_without_accents(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "spice_road", *BOTS, **SEED)
        asked(shown, "play a card")
        step(shown, first_by_keyboard)
        shown.get_by_role("button", name="Magyar").click()
        expect(shown.locator("html[lang=hu]")).to_be_attached()
        expect(shown.locator("body.mine #panel:not(.busy) #search")).to_be_visible()
        moves = shown.locator("#panel button[data-move]:visible")
        shown.locator("#search").fill("INGYENES MEGSZERZES")
        expect(moves).to_have_count(1)
        expect(moves).to_contain_text("Ingyenes megszerzés")
        shown.locator("#log-search").fill("jatszma elkezdodott")
        expect(shown.locator("#log li:visible")).to_have_count(1)
        shown.locator("#log-search").fill("")
        to_newest = "(log) => Math.abs(log.scrollHeight - log.clientHeight - log.scrollTop) < 2"
        assert shown.locator("#log").evaluate(to_newest)
