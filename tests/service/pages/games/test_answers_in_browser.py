"""Programmed answers on the play page: passing until something ends, always the same move, the list to clear."""

import re
from typing import Final

from playwright.sync_api import Browser, Page, Route, ViewportSize, expect

from tests.support.service.browser import DESKTOP, PHONE, barriers, page, picture
from tests.support.service.browser_players import asked, come_in, do, sit_down
from tests.support.service.players import Person, somebody
from tests.support.service.running_service import House

READS: Final = re.compile(r"/answers\?")
TABLET: Final[ViewportSize] = {"width": 1024, "height": 768}


def test_answers_are_left_played_and_cleared(house: House, table_house: str, opened: Browser) -> None:
    other = somebody(house.app.test_client())
    with page(opened, DESKTOP, forgiving=("400 (BAD REQUEST)",)) as shown:  # for a text that is no move
        come_in(shown, table_house)
        game = sit_down(shown, table_house, "puerto_rico", "open")
        other.join(game)
        asked(shown, "role")
        tab = shown.get_by_role("tab", name="Answers")
        tab.focus()
        shown.keyboard.press("Enter")
        answers = shown.locator("#answers")
        until = answers.get_by_label("Pass until")
        assert until.locator("option").all_inner_texts() == [
            *("this round ends", "you choose your next role", "the last round begins", "you clear it")
        ]
        until.select_option(label="you choose your next role")
        answers.get_by_role("button", name="Pass", exact=True).press("Enter")
        expect(answers.get_by_role("status")).to_have_text("Left: Pass")
        expect(answers.locator(".left li")).to_have_count(1)
        assert barriers(shown) == []
        picture(shown, "answers")
        do(shown, "role builder")
        expect(answers.locator(".left small")).to_contain_text("played once")
        expect(shown.locator("#log")).to_contain_text("passed")
        for size, name in ((TABLET, "tablet"), (PHONE, "phone")):
            shown.set_viewport_size(size)
            answers.scroll_into_view_if_needed()
            picture(shown, f"answers_{name}")
        shown.set_viewport_size(DESKTOP)
        answers.get_by_role("button", name="Clear: Pass").click()
        expect(answers.get_by_role("status")).to_have_text("Cleared: Pass")
        expect(answers.get_by_text("You have left no answer.")).to_be_visible()
        _leave_for_always(shown, table_house, other)


def _leave_for_always(shown: Page, table_house: str, other: Person) -> None:
    """Leaves the chosen move for always, another one in notation, and clears both."""
    tab, answers = shown.get_by_role("tab", name="Answers"), shown.locator("#answers")
    game = sit_down(shown, table_house, "spice_road", "open")
    other.join(game)
    asked(shown, "play a card")
    shown.locator("#ask").evaluate("(ask) => { ask.value = 'all'; }")
    shown.locator('#panel button[data-move="play create_2"]').click()
    picture(shown, "answers_always")
    shown.get_by_role("button", name="Always do this").click()
    expect(shown.locator("body.mine")).to_have_count(0)
    tab.click()
    expect(answers.locator(".left li")).to_have_count(1)
    expect(answers.locator(".left small")).to_contain_text("played once")
    answers.get_by_role("combobox", name="Move", exact=True).select_option(label="Another move, in notation")
    held: list[Route] = []  # the list that is read after a refusal

    def hold(route: Route) -> None:
        if route.request.method == "GET" and not held:
            return held.append(route)
        return route.continue_()

    shown.route(READS, hold)
    answers.get_by_role("textbox").fill("nonsense")
    shown.keyboard.press("Enter")
    expect(answers.locator(".trouble .rule-page")).to_have_attribute("href", "/rules/spice_road?language=en#15")
    answers.get_by_role("textbox").fill("claim 2")
    with shown.expect_request(lambda sent: sent.method == "POST" and bool(READS.search(sent.url))):
        shown.keyboard.press("Enter")
    for one in held:
        one.continue_()
    expect(answers.locator(".left li")).to_have_count(2)
    picture(shown, "answers_spice")
    answers.get_by_role("button", name="Clear all").click()
    expect(answers.get_by_role("status")).to_have_text("All answers are cleared.")


def test_an_answer_that_is_over_is_told_of_no_longer(house: House, table_house: str, opened: Browser) -> None:
    other = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        game = sit_down(shown, table_house, "puerto_rico", "open", leaver="forfeit")
        other.join(game)
        asked(shown, "role")
        shown.get_by_role("tab", name="Answers").click()
        answers = shown.locator("#answers")
        answers.get_by_role("button", name="Pass", exact=True).click()  # until the round ends
        expect(answers.get_by_role("status")).to_have_text("Left: Pass")
        other.post(f"/v1/games/{game}/resign")  # with nobody else the game ends, and with it all answers
        expect(answers.locator(".left li")).to_have_count(0)
        expect(answers.locator(".told")).to_be_empty()
