"""Watching games in a real browser: by keys, by address, through other eyes, live, on a desk and on a phone."""

import re
from collections import Counter

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.service.games.test_written_records import record
from tests.support.running_program import eventually
from tests.support.service.browser import DESKTOP, PHONE, ZOOMED, barriers, page, picture
from tests.support.service.players import Person, in_turn, somebody
from tests.support.service.running_service import House

HOSTILE = "<img src=x onerror=alert(1)>"
BOT = "bot:greedy"
STEPS_SHOWN = """
const replace = history.replaceState.bind(history);
globalThis.shown = [];
history.replaceState = (state, title, address) => { shown.push(address); replace(state, title, address); };
"""  # in turn, by their addresses


def shown(watched: Page, version: int) -> None:
    """The board and the address tell this moment."""
    expect(watched.locator(f'#board[data-version="{version}"]')).to_be_attached()
    assert watched.url.endswith(f"#{version}")


def versions(watched: Page) -> list[int]:
    """The moments of the list of steps, oldest first."""
    expect(watched.locator("#steps a").first).to_be_attached()
    links = watched.locator("#steps a").evaluate_all("links => links.map((link) => link.hash.slice(1))")
    return [int(link) for link in links]


def test_a_game_is_stepped_through_by_keys(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("puerto_rico"))
        steps = versions(watched)
        shown(watched, steps[-1])
        for key, at in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", -1)):
            watched.keyboard.press(key)
            shown(watched, steps[at])
        watched.keyboard.press("ArrowUp")
        assert int(watched.url.split("#")[1]) < steps[-1]
        watched.keyboard.press("Home")
        watched.keyboard.press("ArrowDown")
        assert int(watched.url.split("#")[1]) > steps[0]


def test_the_slider_goes_anywhere_and_charts_tell_points_money_and_goods(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("puerto_rico"))
        steps = versions(watched)
        shown(watched, steps[-1])
        watched.locator("#slider").fill("10")
        shown(watched, steps[10])
        expect(watched.locator("#slider")).to_have_attribute("aria-valuetext", re.compile(r"\(greedy\)"))
        assert watched.locator("#rounds span").count() > 5
        charts = set[str]()
        for series in ("points", "doubloons", "goods"):
            watched.locator("#series").select_option(series)
            expect(watched.locator("#chart .line")).to_have_count(4)
            charts.add(watched.locator("#chart svg").inner_html())
        assert len(charts) == 3
        watched.locator("#series").select_option("roles")
        expect(watched.locator("#chart tbody tr")).to_have_count(watched.locator("#rounds span").count())
        watched.locator("#chart tbody td a").last.click()
        expect(watched.locator("#now")).to_contain_text("chose the")
        expect(watched.locator("#chart a[aria-current]")).to_have_count(1)


def test_rounds_begin_after_the_draft_and_end_with_the_game(house: House, opened: Browser) -> None:
    chosen, drafted = ["role_taken", 0, "mayor"], ["building_drafted", 0, "wharf"]
    begun = [[drafted], [drafted, ["phase_begun", "role_choice", 0]], [chosen, ["round_ended", 1]]]
    last = [[chosen, ["round_ended", 1], ["phase_begun", "final_guests", 1]], [["game_ended"]]]
    drafting = [{"facts": facts, "kept": True, "turn": {"seat": 0}} for facts in [*begun, *last]]
    count = (
        "steps => import('/static/replay/tale.js').then((tale) => tale.rounds(steps).map((it) => [it.at, it.round]))"
    )
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("puerto_rico"))
        assert watched.evaluate(count, drafting) == [[0, 0], [2, 1], [3, 2]]
        assert watched.evaluate(count, drafting[2:]) == [[0, 1], [1, 2]]


def test_a_draft_of_the_buildings_is_called_so_and_not_round_0(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("expansions", 2))
        expect(watched.locator("#place")).to_contain_text("Draft of the buildings")
        expect(watched.locator("#steps .round").first).to_have_text("Draft of the buildings")
        expect(watched.locator("#rounds span").first).to_have_text("")
        watched.locator("#series").select_option("roles")
        expect(watched.locator("#chart tbody th").first).to_have_text("1")


def test_an_address_names_a_moment_and_what_changed_in_it_is_marked(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("puerto_rico", 41))
        shown(watched, 41)
        assert watched.locator("#board .changed").count() > 0
        expect(watched.locator("#steps [aria-current]")).to_have_attribute("href", "#41")
        watched.evaluate("location.hash = '#60'")
        shown(watched, 60)
        picture(watched, "puerto-rico-desktop")
        watched.locator("#steps a", has_text="chose").first.click()
        expect(watched.locator("#now")).to_contain_text("chose")
        taken = watched.locator("#steps a", has_text=" took the").first
        taken.click()
        expect(watched.locator("#now")).to_contain_text(" took the")
        new = new_in_row(house, "puerto_rico", "row", int(str(taken.get_attribute("href"))[1:]))
        expect(watched.locator('[data-row="row"].changed')).to_have_count(new)
        watched.locator("#steps a", has_text="placed").first.click()
        expect(watched.locator("#now")).to_contain_text("placed")
        expect(watched.locator("#now")).not_to_contain_text("−")  # placed colonists stay in the count


def test_the_viewpoint_is_switched(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("puerto_rico", 41))
        shown(watched, 41)
        treasures = watched.locator(".mat > svg")
        hidden = "victory points hidden"
        assert [hidden in str(it.get_attribute("aria-label")) for it in treasures.all()] == [False] * 4
        watched.select_option("#eyes", "")
        expect(treasures.nth(0)).to_have_attribute("aria-label", re.compile(re.escape(hidden)))
        assert [hidden in str(it.get_attribute("aria-label")) for it in treasures.all()] == [True] * 4
        watched.select_option("#eyes", "1")
        expect(treasures.nth(1)).not_to_have_attribute("aria-label", re.compile(re.escape(hidden)))
        assert hidden in str(treasures.nth(0).get_attribute("aria-label"))
        watched.locator("#in-words summary").click()
        expect(watched.locator("#text")).to_contain_text(hidden)
        watched.select_option("#eyes", "all")
        expect(treasures.nth(0)).not_to_have_attribute("aria-label", re.compile(re.escape(hidden)))
        expect(watched.locator("#text")).not_to_contain_text(hidden)
        shown(watched, 41)


def test_the_board_is_told_in_words_and_the_game_taken_home_and_judged(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("spice_road", 30))
        shown(watched, 30)
        watched.locator("#in-words summary").click()
        expect(watched.locator("#text")).to_contain_text("Century: Spice Road")
        for row in ("point_row", "merchant_row"):  # of cards that slid along only the new one is marked
            expect(watched.locator(f'[data-row="{row}"].changed')).to_have_count(
                new_in_row(house, "spice_road", row, 30)
            )
        with watched.expect_download() as taken:
            watched.get_by_role("link", name="Save the bundle").click()
        assert taken.value.suggested_filename == f"{house.games['spice_road']}.bundle.json"


def new_in_row(house: House, game: str, row: str, version: int) -> int:
    """How many cards or tiles were laid into a row by a step."""
    path = f"/v1/games/{house.games[game]}/position?at="
    boards = [house.app.test_client().get(f"{path}{at}").get_json() for at in (version - 1, version)]
    rows = [board["plantations"]["face_up"] if game == "puerto_rico" else board[row] for board in boards]
    before, after = (Counter(it if isinstance(it, str) else it["card"] for it in laid) for laid in rows)
    return (after - before).total()


def test_the_mark_verified_says_who_has_checked_what(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("spice_road", 30))
        shown(watched, 30)
        watched.get_by_role("button", name="Verify").click()
        expect(watched.locator(".seal")).to_have_text("✓ Verified")
        expect(watched.locator("#verdict")).to_contain_text("5 checks passed in this browser")
        watched.locator("#verdict summary").click()
        for code in ("V1", "V2", "V3", "V4", "V5"):
            expect(watched.locator(f"[data-check={code}]")).to_contain_text("passed · in this browser")
        expect(watched.locator("[data-check=V7]")).to_contain_text("passed · by the service")
        expect(watched.locator("#verdict")).to_contain_text("chance is of level 0")
        assert barriers(watched) == []
        picture(watched, "verified")


def test_a_forged_bundle_is_found_in_the_browser(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.route("**/bundle?*", lambda route: route.fulfill(body=forged(route.fetch().body())))
        watched.goto(house.replay("spice_road", 30))
        shown(watched, 30)
        watched.get_by_role("button", name="Verify").click()
        expect(watched.locator(".seal.broken")).to_have_text("✗ Not valid")
        expect(watched.locator("[data-check=V2]")).to_contain_text("failed · in this browser")


def forged(bundle: bytes) -> bytes:
    """A bundle in which a move has become another."""
    changed = bundle.replace(rb"\"move\":\"rest\"", rb"\"move\":\"play create_2\"", 1)
    assert changed != bundle
    return changed


def test_moves_that_were_taken_back_are_shown_on_request(house: House, opened: Browser) -> None:
    first, second = somebody(house.app.test_client()), somebody(house.app.test_client())
    game = first.create("me", second.id)["id"]
    mover = in_turn(second.join(game), first, second)[0]
    before = mover.ask("GET", f"/v1/games/{game}").get_json()["version"]
    mover.move(game, "play create_2")
    mover.post(f"/v1/games/{game}/undo")
    with page(opened, DESKTOP) as watched:
        watched.add_init_script(STEPS_SHOWN)
        watched.goto(f"{house.url}/games/{game}")
        watched.wait_for_function("() => shown.length > 1 && shown.at(-1) === '#4'")  # the stream told of both at once
        assert versions(watched) == [4]
        options = watched.locator("#eyes option").all()
        assert [option.is_enabled() for option in options] == [True, False, False, False]  # no hand is visible yet
        watched.get_by_label("Show moves that were taken back").check()
        expect(watched.locator("#steps .undone")).to_contain_text("played “create 2”: took 2 turmeric (taken back)")
        expect(watched.locator("#steps a")).to_have_count(3)
        watched.locator("#steps .undone a").click()
        shown(watched, before + 1)


@pytest.mark.parametrize("name", ["expansions", "for_two"])
def test_other_tables_of_puerto_rico_are_drawn_whole(house: House, opened: Browser, name: str) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay(name))
        last = versions(watched)[-1]
        shown(watched, last)
        position = house.app.test_client().get(f"/v1/games/{house.games[name]}/position?as=all").get_json()
        for seat, player in enumerate(position["players"]):
            mat = watched.locator(".mat").nth(seat)
            expect(mat.locator('[data-part*=".city."]')).to_have_count(len(player["city"]))
            expect(mat.locator('[data-part*=".island."]')).to_have_count(len(player["island"]))
            boxes = [lot.bounding_box() for lot in mat.locator('[data-part*=".city."] > .building').all()]
            assert len({(round(lot["x"]), round(lot["y"])) for lot in boxes if lot}) == len(player["city"])
        picture(watched, f"puerto-rico-{name.replace('_', '-')}")
        forced = watched.locator("#steps li > small", has_not_text="passed").first
        forced.locator("..").locator("a").click()
        expect(watched.locator("#now")).to_contain_text(forced.inner_text())


def test_a_building_keeps_its_lot_through_the_whole_game(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("puerto_rico", 1))
        steps = versions(watched)
        lots: dict[str, set[str]] = {}
        for version in steps[10 :: len(steps) // 6]:
            watched.evaluate(f"location.hash = '#{version}'")
            shown(watched, version)
            for lot in watched.locator('[data-part*=".city."]').all():
                key = str(lot.get_attribute("data-part"))
                lots.setdefault(key, set()).add(str(lot.get_attribute("transform")))
        assert {key: places for key, places in lots.items() if len(places) > 1} == {}


def test_playing_goes_on_by_itself(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("spice_road", 1))
        steps = versions(watched)
        shown(watched, steps[0])
        watched.select_option("#speed", "fast")
        watched.get_by_role("button", name="Play", exact=True).click()
        board = watched.locator("#board")
        assert eventually(lambda: int(board.get_attribute("data-version") or 0) >= steps[3])
        watched.get_by_role("button", name="Pause").click()
        expect(watched.get_by_role("button", name="Play", exact=True)).to_have_attribute("aria-pressed", "false")


@pytest.mark.parametrize("game", ["puerto_rico", "spice_road"])
def test_a_phone_shows_everything_without_sideways_scrolling(house: House, opened: Browser, game: str) -> None:
    with page(opened, PHONE, dark=True) as watched:
        watched.goto(house.replay(game, 41))
        shown(watched, 41)
        picture(watched, f"{game.replace('_', '-')}-phone-dark")
        assert watched.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        watched.get_by_role("button", name="Go on a step").click()
        shown(watched, 42)


def test_what_happens_at_the_table_is_seen_at_once(house: House, opened: Browser) -> None:
    first, second = somebody(house.app.test_client()), Person(house.app.test_client(), HOSTILE)
    game = first.create("me", second.id)["id"]
    mover = in_turn(second.join(game), first, second)[0]
    with page(opened, DESKTOP) as watched:
        watched.goto(f"{house.url}/games/{game}")
        last = versions(watched)[-1]
        shown(watched, last)
        expect(watched.locator("#board")).to_contain_text(HOSTILE)
        mover.move(game, "play create_2")
        shown(watched, last + 1)
        watched.goto(house.url)
        expect(watched.locator("#running")).to_contain_text(HOSTILE)


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_landing_page_has_three_doors_and_games_to_look_at(
    house: House, opened: Browser, size: dict[str, int]
) -> None:
    with page(opened, DESKTOP if size is DESKTOP else PHONE) as watched:
        watched.goto(house.url)
        assert watched.locator(".door strong").all_text_contents() == ["Host", "Replay", "Build a bot"]
        expect(watched.locator(".stage .mat").first).to_be_visible()
        expect(watched.locator(".stage #now")).not_to_be_empty()
        assert watched.evaluate("document.documentElement.scrollWidth") <= size["width"]
        picture(watched, f"landing-{size['width']}")
        watched.locator("#finished a", has_text="Puerto Rico").first.click()
        shown(watched, versions(watched)[0])


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("what", ["landing", "puerto_rico", "spice_road"])
def test_nothing_on_a_page_keeps_people_out(house: House, opened: Browser, what: str, dark: bool) -> None:
    with page(opened, DESKTOP, dark) as watched:
        watched.goto(house.url if what == "landing" else house.replay(what, 41))
        expect(watched.locator("#board .mat").first).to_be_attached()
        if what != "landing":
            shown(watched, 41)
            watched.locator("#in-words summary").click()
            expect(watched.locator("#text")).not_to_be_empty()
            watched.locator("#series").select_option(index=3 if what == "puerto_rico" else 0)  # roles: a table of links
        assert barriers(watched) == []


def test_at_twice_the_size_nothing_is_cut_off(house: House, opened: Browser) -> None:
    for game in ("puerto_rico", "spice_road"):
        with page(opened, ZOOMED) as watched:
            watched.goto(house.replay(game, 41))
            shown(watched, 41)
            assert watched.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"]


@pytest.mark.parametrize("path", ["/docs", "/verify"])
def test_the_other_pages_open_without_complaints(house: House, opened: Browser, path: str) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.url + path)
        watched.wait_for_load_state("networkidle")
        expect(watched.locator("h1")).to_be_visible()


def test_the_market_shows_what_its_buildings_and_cards_are_worth(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as watched:
        watched.goto(house.replay("expansions", 41))
        shown(watched, 41)
        wharf = watched.locator('[data-part="market.wharf"]')
        expect(wharf).to_have_attribute("aria-label", "wharf: 9 doubloons, 3 victory points, ×2")
        expect(wharf.locator(".on-shield")).to_have_text("3")
        watched.goto(house.replay("spice_road", 30))
        shown(watched, 30)
        expect(watched.locator('[data-row="point_row"] .on-shield')).to_have_count(5)
        row = (
            house.app.test_client().get(f"/v1/games/{house.games['spice_road']}/position?at=30").get_json()["point_row"]
        )
        expect(watched.locator('[data-row="point_row"] .on-shield')).to_have_text([card.split("_")[1] for card in row])


def test_a_record_is_shown_with_names_place_and_comments(house: House, opened: Browser) -> None:
    game = somebody(house.app.test_client()).post("/v1/games/import", {"record": record()})["id"]
    for size in (DESKTOP, PHONE):
        with page(opened, size) as watched:
            watched.goto(f"{house.url}/games/{game}#3")
            expect(watched.locator(".record")).to_contain_text("Reykjavík")
            expect(watched.locator(".record")).to_contain_text("They shook hands")
            expect(watched.locator("#now")).to_contain_text("Úlfur")
            expect(watched.locator("#now q")).to_have_text(["White to begin", "a surprise"])
            assert watched.evaluate("document.documentElement.scrollWidth <= innerWidth")
            picture(watched, f"record-{size['width']}")
