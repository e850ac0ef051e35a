"""Deletions in a study while its page asks for boards: it asks for nothing that it deletes, and follows others."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.service.annotators import Study, begin
from tests.support.service.browser import DESKTOP, page
from tests.support.service.browser_players import come_in
from tests.support.service.players import somebody
from tests.support.service.running_service import House
from tests.support.service.study_pages import shown, writing

BOARDS = re.compile(r"/chapters/2/board\?")
EDITS = re.compile("/v1/studies/[^/]+/edits[?]")


@contextmanager
def held(watched: Page, address: re.Pattern[str]) -> Iterator[list[Route]]:
    """Holds the requests of a page for an address, while this lasts; those that are held stay held."""
    routes, holds = list[Route](), True

    def hold(route: Route) -> None:
        routes.append(route) if holds else route.continue_()

    watched.route(address, hold)
    yield routes
    holds = False


def of_two(house: House, watched: Page) -> Study:
    """Returns a study of two chapters, in which the person at the page writes."""
    made = writing(house, watched)
    made.edit("add_chapter", of=house.games["puerto_rico"], title="Second")
    return made


def confirm(watched: Page) -> None:
    """Confirms a deletion."""
    watched.get_by_role("dialog").get_by_role("button", name="Delete", exact=True).click()


def test_boards_on_their_way_are_dropped_with_their_chapter(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        made = of_two(house, watched)
        with held(watched, BOARDS) as routes:
            watched.goto(f"{house.url}/studies/{made.id}#2/41")
            watched.get_by_text("Chapters, members, settings").click()
            watched.get_by_role("button", name="Delete the chapter").click()
            confirm(watched)
            expect(watched.locator("#chapters a")).to_have_count(1)
            expect(watched.locator("body.spice_road #board[data-place]")).to_be_attached()
        assert routes
        assert {route.request.failure for route in routes} == {"net::ERR_ABORTED"}
        expect(watched.locator("#verdict")).to_be_empty()


def test_nothing_is_asked_about_a_chapter_that_is_being_deleted(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        made = of_two(house, watched)
        watched.goto(f"{house.url}/studies/{made.id}#2/41")
        shown(watched, "41", 2)
        watched.get_by_text("Chapters, members, settings").click()
        with held(watched, EDITS) as routes:
            with watched.expect_request(EDITS):
                watched.get_by_role("button", name="Delete the chapter").click()
                confirm(watched)
            (deletion,) = routes
            answer = deletion.fetch()  # deleted; the answer is on its way
            assert answer.status == 201
            for key in ("ArrowRight", "Home", "End"):
                watched.keyboard.press(key)
            deletion.fulfill(response=answer)
        expect(watched.locator("#chapters a")).to_have_count(1)
        expect(watched.locator("body.spice_road #board[data-place]")).to_be_attached()
        expect(watched.locator("#verdict")).to_be_empty()


def test_a_refused_deletion_leaves_the_page_as_it_was(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP, forgiving=["status of 422"]) as watched:
        made = of_two(house, watched)
        watched.goto(f"{house.url}/studies/{made.id}#2/41")
        shown(watched, "41", 2)
        watched.get_by_text("Chapters, members, settings").click()
        problem = {"type": "/problems#unreadable_request", "title": "No", "status": 422, "detail": "not now"}
        watched.route(EDITS, lambda route: route.fulfill(status=422, json=problem))
        watched.get_by_role("button", name="Delete the chapter").click()
        confirm(watched)
        expect(watched.locator("#verdict")).to_contain_text("not now")
        watched.keyboard.press("ArrowRight")
        shown(watched, "42", 2)


@pytest.mark.parametrize("asks", [BOARDS, re.compile(r"/chapters/2\?")], ids=["boards", "chapter"])
def test_a_chapter_that_somebody_deleted_is_left_quietly(house: House, opened: Browser, asks: re.Pattern[str]) -> None:
    with page(opened, DESKTOP, forgiving=["status of 404"]) as watched:  # asked before the page could know
        made = of_two(house, watched)
        watched.goto(f"{house.url}/studies/{made.id}#1/30")
        shown(watched, "30")
        with held(watched, asks) as routes, watched.expect_request(asks):
            watched.locator("#chapters a", has_text="Second").click()
        made.edit("delete_chapter", chapter=2)
        for route in routes:
            with watched.expect_response(asks) as told:
                route.continue_()
            assert told.value.status == 404
        expect(watched.locator("#chapters a")).to_have_count(1)
        expect(watched.locator("body.spice_road #board[data-place]")).to_be_attached()
        expect(watched.locator("#verdict")).to_be_empty()


def test_a_deleted_variation_is_asked_for_no_more(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        made = writing(house, watched)
        move = made.read("/chapters/1/board?at=30&legal=true")["legal"]["moves"][0]["move"]
        (node,) = made.play("30", move)
        watched.goto(f"{house.url}/studies/{made.id}#1/{node}")
        shown(watched, node)
        boards = re.compile(rf"/board\?at={node}")
        with held(watched, boards) as routes:
            with watched.expect_request(boards):
                watched.locator("#eyes").select_option("all")
            watched.get_by_role("button", name="Delete from here").click()
            confirm(watched)
            expect(watched.locator(f'#moves [data-place="{node}"]')).to_have_count(0)
        assert {route.request.failure for route in routes} == {"net::ERR_ABORTED"}
        expect(watched.locator("#verdict")).to_be_empty()


def test_a_change_while_a_board_is_awaited_is_shown_too(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        made = writing(house, watched)
        watched.goto(f"{house.url}/studies/{made.id}#1/30")
        shown(watched, "30")
        boards = re.compile(r"/chapters/1/board\?at=30")
        with held(watched, boards) as routes:
            with watched.expect_request(boards):
                made.say("30", "the owner says something")
            with watched.expect_response(EDITS):
                watched.get_by_role("button", name="an interesting move").click()
        for route in routes:
            route.continue_()
        expect(watched.locator("#said")).to_contain_text("the owner says something")
        expect(watched.locator("#now .signs")).to_have_text("!?")


def test_a_member_who_leaves_a_private_study_is_led_away(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        name = come_in(watched, house.url)
        made = begin(somebody(house.app.test_client()), house.games["spice_road"], visibility="private")
        made.edit("member", player=name, role="writer")
        watched.goto(f"{house.url}/studies/{made.id}#1/30")
        shown(watched, "30")
        watched.get_by_text("Chapters, members, settings").click()
        watched.locator(".members").get_by_role("button").click()
        watched.get_by_role("dialog").get_by_role("button", name="Leave").click()
        expect(watched).to_have_url(f"{house.url}/studies")
