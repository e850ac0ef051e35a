"""The pages around the games in a real browser: looks, barriers, languages, and a host who opens a table."""

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from events.store.connections import connect
from tests.service.ratings.test_ratings import a_game, follow
from tests.support.service.browser import DESKTOP, LOCALES, PHONE, ZOOMED, barriers, page, picture
from tests.support.service.players import GAME, Person, somebody
from tests.support.service.running_service import House
from tests.support.service.scriptless_browser import PASSWORD

PAGES = (
    "/",
    "/lobby",
    "/lobby?fact=building_bought&subject=harbor",
    "/games/new",
    "/mine",
    "/account",
    "/webhooks",
    "/ratings",
)


def register(shown: Page, house: House, name: str) -> None:
    """Register by the form, and be somewhere else afterwards."""
    shown.goto(f"{house.url}/register")
    shown.fill("#name", name)
    shown.fill("#password", PASSWORD)
    shown.locator("main button.main").click()
    expect(shown.locator(".who")).to_have_text(name)


def named(path: str) -> str:
    """How a picture of a page is called."""
    return path.split("?")[0].strip("/").replace("/", "-") or "landing"


@pytest.mark.parametrize(("size", "dark"), [(DESKTOP, False), (PHONE, True)], ids=["desktop", "phone-dark"])
def test_nothing_keeps_people_out_of_the_lobby(house: House, opened: Browser, size: dict[str, int], dark: bool) -> None:
    with page(opened, DESKTOP if size is DESKTOP else PHONE, dark) as shown:
        register(shown, house, f"Guðrún {'dark' if dark else 'light'}")
        for path in (*PAGES, shown.locator(".who").get_attribute("href") or "/"):
            shown.goto(house.url + path)
            for closed in reversed(shown.locator("summary").all()):  # the menu of the site, over the page, is the last
                if closed.is_visible():
                    closed.click()
            assert barriers(shown) == [], path
            assert shown.evaluate("document.documentElement.scrollWidth") <= size["width"], path
            picture(shown, f"{named(path)}-{'phone-dark' if dark else 'desktop'}")


def test_at_twice_the_size_the_lobby_is_whole(house: House, opened: Browser) -> None:
    with page(opened, ZOOMED) as shown:
        register(shown, house, "Zoë")
        for path in PAGES:
            shown.goto(house.url + path)
            assert shown.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"], path


def test_nothing_keeps_people_out_of_webhooks_and_ratings_that_there_are(house: House, opened: Browser) -> None:
    a_game(*(Person(house.app.test_client(), f"Rated {number}") for number in range(3)), visibility="unlisted")
    with connect(house.environ["DATABASE_URL"]) as connection:
        follow(connection)
    with page(opened, PHONE) as shown:
        register(shown, house, "Wanda")
        shown.goto(f"{house.url}/ratings?game={GAME}")
        expect(shown.get_by_role("row")).to_have_count(4)
        assert barriers(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        picture(shown, "ratings-filled")
        shown.goto(f"{house.url}/webhooks")
        shown.fill("#url", "https://1.1.1.1/news")
        shown.get_by_role("button", name="Make the webhook").click()
        expect(shown.locator("#secret")).to_contain_text("whsec_")
        expect(shown.get_by_role("button", name="Test: https://1.1.1.1/news")).to_be_visible()
        assert barriers(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        picture(shown, "webhooks-filled")
        remove = shown.get_by_label("Remove: https://1.1.1.1/news")
        remove.locator("visible=true").press("Enter")
        expect(shown.get_by_text("Nothing more is sent to this address")).to_be_visible()
        assert barriers(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        remove.last.click()
        expect(shown.get_by_text("You have no webhooks.")).to_be_visible()


def test_a_host_opens_a_table_with_a_named_player_and_a_clock(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        register(shown, house, "Hákon")
        shown.goto(f"{house.url}/lobby")
        shown.get_by_role("link", name="New game").click()
        shown.get_by_role("link", name="Century: Spice Road").click()
        expect(shown.locator("[name=name1]")).to_be_hidden()
        shown.select_option("[name=seat1]", "person")
        shown.fill("[name=name1]", "ísabella")
        shown.select_option("[name=seat2]", "")
        expect(shown.locator("[name=minutes]")).to_be_hidden()
        shown.select_option("[name=clock]", "per_move")
        shown.fill("[name=minutes]", "5")
        shown.get_by_role("button", name="Open the table").click()
        shown.wait_for_url("**/play")
        shown.goto(f"{house.url}/mine")
        expect(shown.locator("#open .listed")).to_have_count(1)


def test_the_language_is_switched_and_the_moment_kept(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(house.replay("expansions", 60))
        expect(shown.locator('#board[data-version="60"]')).to_be_attached()
        for name, verify in (("Magyar", "Ellenőrzés"), ("Čeština", "Ověřit"), ("Svenska", "Kontrollera")):
            shown.get_by_role("button", name=name).click()
            expect(shown.locator("#verify")).to_have_text(verify)
            expect(shown.locator('#board[data-version="60"]')).to_be_attached()
            assert shown.url.endswith("#60")
        expect(shown.locator(".roles h2")).to_have_text("Yrken")


def test_a_search_by_what_happened_leads_to_the_game(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/lobby")
        shown.locator(".search summary").click()
        shown.select_option("[name=fact]", "role_taken")
        shown.fill("[name=subject]", "Builder")
        shown.fill("[name=by_round]", "1")
        shown.get_by_role("button", name="Find").click()
        shown.locator(".listed .to").first.click()
        expect(shown.locator("#board .mat").first).to_be_visible()


@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_terms_of_a_table_need_no_scrolling_sideways(house: House, opened: Browser, width: int) -> None:
    clock = {"kind": "bank", "seconds": 200_000, "increment": 90_000}
    table = somebody(house.app.test_client()).create("me", "open", rated=True, silent=True, clock=clock)["id"]
    for locale in LOCALES:
        with page(opened, {"width": width, "height": 900}, locale=locale) as shown:
            shown.goto(f"{house.url}/lobby")
            marks = shown.locator(f".listed:has([href='/games/{table}/play']) .marks li")
            expect(marks).to_have_count(3)
            for mark in marks.all():
                box = mark.bounding_box()
                assert box is not None
                assert box["x"] >= 0
                assert box["x"] + box["width"] <= width
            assert shown.evaluate("document.documentElement.scrollWidth") <= width
            picture(shown, f"lobby-terms-{width}-{locale}")


def test_a_list_that_the_reader_is_in_changes_when_the_reader_leaves_it(house: House, opened: Browser) -> None:
    host = somebody(house.app.test_client())
    first = host.create("me", "open")["id"]
    with page(opened, DESKTOP) as shown:
        with shown.expect_response("**/v1/lobby/stream?*"):
            shown.goto(f"{house.url}/lobby")
        reading = shown.locator(f"section:has(#open-title) a[href^='/games/{first}']").first
        reading.focus()
        with shown.expect_response(f"{house.url}/lobby?*") as renewed:  # the page is asked for anew
            second = host.create("me", "open")["id"]
        renewed.value.finished()
        expect(shown.locator("#lobby-news")).not_to_be_empty()
        expect(reading).to_be_focused()
        assert shown.locator(f"a[href^='/games/{second}']").count() == 0
        shown.keyboard.press("Shift+Tab")
        while shown.evaluate("Boolean(document.activeElement.closest('section:has(#open-title)'))"):
            shown.keyboard.press("Shift+Tab")
        expect(shown.locator(f"a[href^='/games/{second}']").first).to_be_visible()


def test_a_table_that_closes_while_the_lobby_loads_is_not_offered(house: House, opened: Browser) -> None:
    host = somebody(house.app.test_client())
    table = host.create("me", "open")["id"]
    with page(opened, DESKTOP) as shown:
        offered = shown.locator(f"a[href='/games/{table}/play']")

        def close_first(route: Route) -> None:
            if not closed:
                closed.append(host.post(f"/v1/games/{table}/abort", {}))
            route.continue_()

        closed: list[object] = []
        shown.route("**/v1/lobby/stream?*", close_first)
        shown.goto(f"{house.url}/lobby")
        expect(offered).to_have_count(0)
        assert closed


def test_news_of_the_lobby_that_could_not_be_fetched_come_later(house: House, opened: Browser) -> None:
    host = somebody(house.app.test_client())
    with page(opened, DESKTOP, forgiving=["503"]) as shown:
        with shown.expect_response("**/v1/lobby/stream?*"):
            shown.goto(f"{house.url}/lobby")
        failed: list[str] = []

        def fail_once(route: Route) -> None:
            if failed:
                return route.continue_()
            failed.append(route.request.url)
            return route.fulfill(status=503, body="")

        shown.route(f"{house.url}/lobby?*", fail_once)
        table = host.create("me", "open")["id"]
        expect(shown.locator(f"a[href='/games/{table}/play']").first).to_be_visible()
        assert failed
