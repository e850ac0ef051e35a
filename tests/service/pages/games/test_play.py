"""Playing in a real browser: with the mouse, with the keyboard alone, on a phone, over a bad connection."""

import re
from itertools import pairwise

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.support.service.browser import DESKTOP, PHONE, ZOOMED, barriers, page, picture
from tests.support.service.browser_players import (
    PASSWORD,
    asked,
    come_in,
    do,
    first_by_keyboard,
    first_by_mouse,
    log_in,
    placing,
    sit_down,
    step,
    until,
)
from tests.support.service.players import Person, in_turn, somebody
from tests.support.service.running_service import House

BOTS = ("bot:greedy", "bot:greedy")
SEED = {"chance": 0, "seed": "42" * 32}
HOSTILE = "<img src=x onerror=alert(1)>"
TOGETHER = re.compile(r"/v1/games/[^/]+/(position|legal|replay)\?")
OFFLINE = "net::ERR_INTERNET_DISCONNECTED"


def test_a_person_registers_opens_a_table_and_plays_a_round_with_the_mouse(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        shown.goto(f"{table_house}/games/new?game=puerto_rico")
        shown.get_by_text("More options").click()
        shown.locator("select[name=chance]").select_option("0")
        shown.locator("select[name=start_player]").select_option("seat_0")
        shown.locator("button.main").click()
        asked(shown, "choose a role")
        game = shown.url.split("/")[-2]
        expect(shown).to_have_title(re.compile("^●"))
        step(shown, lambda on: on.locator('[data-part="roles.settler"].can').click())
        asked(shown, "take an island tile")
        expect(shown.locator("#board .can")).to_have_count(5)  # the open tiles, and the quarry as a privilege
        shown.locator('[data-part="stack.quarry"].can').click()
        expect(shown.locator(".confirm")).to_contain_text("cannot be undone")
        assert barriers(shown) == []
        shown.keyboard.press("Escape")
        step(shown, lambda on: on.locator('[data-part="stack.quarry"].can').click())
        until(shown, "choose a role", first_by_mouse)
        shown.reload()
        asked(shown, "choose a role")
        expect(shown.locator('#board [data-part^="players.0.island.quarry"]')).to_have_count(1)
        looked_back(shown, f"{table_house}/games/{game}")
        asked(shown, "choose a role")


def looked_back(shown: Page, game: str) -> None:
    """Jump to a moment by its address, step on, look through other eyes, in another language, and go back to play."""
    shown.goto(f"{game}#5")
    expect(shown.locator("#board[data-version='5']")).to_be_attached()
    shown.keyboard.press("ArrowRight")
    expect(shown.locator("#board[data-version='6']")).to_be_attached()
    shown.locator("#eyes").select_option("0")  # the own eyes: others are closed while it runs
    expect(shown.locator("#eyes")).to_have_value("0")
    expect(shown.locator("#board[data-version='6']")).to_be_attached()
    for language, lang in (("Svenska", "sv"), ("English", "en")):
        shown.get_by_role("button", name=language).click()
        expect(shown.locator(f"html[lang={lang}]")).to_be_attached()
    shown.get_by_role("link", name="Play", exact=True).click()


def test_a_round_of_spice_road_is_played_with_the_mouse_on_the_board(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "spice_road", *BOTS, **SEED)
        asked(shown, "play a card")
        shown.get_by_text("What is not possible").click()
        why = shown.locator(".why li", has_text="Merchant cards 6")
        expect(why).to_contain_text("5 in all")
        expect(why.locator(".rule-page")).to_have_attribute("href", re.compile(r"^/rules/spice_road\?language=en#"))
        shown.get_by_label("Search the moves").fill("upgrade cardamom")
        expect(shown.locator("#panel button[data-move]:visible")).to_have_count(1)
        step(shown, lambda on: on.locator('[data-part="merchant_row.0"].can').click())
        asked(shown, "play a card")
        card = shown.locator('[data-part="players.0.hand.upgrade_2"].can')
        expect(card).to_have_attribute("aria-label", re.compile(r"^“upgrade 2”: \d+ moves here$"))
        card.click()
        expect(shown.locator("#panel button[data-move]").first).to_be_focused()  # several ways: the list has only them
        narrowed = shown.locator("#panel button[data-move]").evaluate_all("all => all.map((one) => one.dataset.move)")
        assert all(move.startswith("play upgrade_2") for move in narrowed)
        step(shown, lambda on: on.locator("#panel button[data-move]").last.click())
        asked(shown, "play a card")
        expect(shown.locator('#board [data-part="players.0.played.upgrade_2"]')).to_be_visible()
        shown.get_by_role("tab", name="Settings").click()
        shown.get_by_text("The board in words").click()
        expect(shown.locator("#text")).to_contain_text("played: “upgrade 2”")
        expect(shown.locator("#board .changed").first).to_be_visible()


@pytest.mark.parametrize(("game", "words"), [("puerto_rico", "choose a role"), ("spice_road", "play a card")])
def test_a_round_is_played_with_the_keyboard_alone(table_house: str, opened: Browser, game: str, words: str) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, game, *BOTS, **SEED)
        asked(shown, words)
        step(shown, first_by_keyboard)
        until(shown, words, first_by_keyboard)
        expect(shown.locator("#said p").last).to_contain_text("Your turn")
        said = shown.locator("#said p").all_inner_texts()
        shown_since = shown.locator("#log .own ~ li :is(a, small)").all_inner_texts()
        assert all(any(told in line for line in said) for told in shown_since)  # their moves and the effects
        calls = [line.split()[0] for line in said if line.startswith(("Waiting for", "Your turn"))]
        assert ("Waiting", "Waiting") not in pairwise(calls)  # not the seat to act
        expect(shown.locator("#log .own + li")).to_contain_text("(")  # Greta (greedy)


def test_the_mayors_people_are_dragged_or_set_with_the_keyboard(
    house: House, table_house: str, opened: Browser
) -> None:
    with page(opened, DESKTOP) as shown:
        placing(shown, house, table_house)
        state = shown.locator("#placing")
        expect(state).to_contain_text("✓")  # a sensible placement to begin with
        picture(shown, "play-mayor-desktop")
        shown.get_by_text("Place by place").click()
        assert barriers(shown) == []
        shown.get_by_role("button", name="Move all to San Juan").click()
        before = state.inner_text()
        circle = shown.locator("#mat .can").first
        shown.locator('#mat [data-part$="san_juan"]').drag_to(circle)
        expect(state).not_to_have_text(before)
        expect(circle).to_have_attribute("aria-label", re.compile("1 of"))
        circle.focus()
        shown.keyboard.press("Enter")
        expect(state).to_have_text(before)
        expect(circle).to_be_focused()
        more = shown.locator("#panel .counter").first.get_by_role("button", name="one more")
        more.focus()
        shown.keyboard.press("Enter")
        expect(state).not_to_have_text(before)
        expect(more).to_be_focused()
        shown.get_by_role("button", name="Fill up").click()
        step(shown, lambda on: on.get_by_role("button", name="Place them so").click())


def test_a_move_that_nobody_has_answered_is_undone(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "puerto_rico", *BOTS, **SEED)
        asked(shown, "choose a role")
        do(shown, "role settler")
        asked(shown, "take an island tile")
        shown.get_by_role("button", name="Undo my move").click()
        asked(shown, "choose a role")
        expect(shown.locator('[data-part="roles.settler"].can')).to_be_visible()


def test_costs_and_reasons_are_shown_before_the_click(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "puerto_rico", *BOTS, **SEED)
        asked(shown, "choose a role")
        do(shown, "role builder")
        asked(shown, "build")
        expect(shown.locator('#panel [data-move="build small_market"] small')).to_contain_text("1 - 1")
        expect(shown.locator('[data-part="market.small_market"].can title').first).to_contain_text("1 - 1")
        expect(shown.locator('[data-part="market.wharf"].can')).to_have_count(0)
        expect(shown.get_by_role("img", name="wharf: 9 doubloons, 3 victory points, ×2", exact=True)).to_be_visible()
        shown.locator('#panel [data-move="build small_market"]').click()
        expect(shown.locator("[data-first]")).to_be_focused()
        expect(shown.locator("[data-first]")).to_have_accessible_description(
            re.compile("small market.*cannot be undone")
        )
        shown.keyboard.press("Escape")
        shown.get_by_text("What is not possible").click()
        expect(shown.locator(".why li", has_text="wharf")).to_contain_text("costs 8")


def test_two_players_see_moves_at_once_and_agree_on_a_take_back(
    house: House, table_house: str, opened: Browser
) -> None:
    guest = Person(house.app.test_client(), HOSTILE + " 2")
    with page(opened, DESKTOP) as shown:
        host = come_in(shown, table_house)
        clock = {"kind": "bank", "seconds": 600, "increment": 5}
        game = sit_down(shown, table_house, "spice_road", guest.id, clock=clock)
        expect(shown.locator(".room")).to_contain_text("The game begins when every chair is taken")
        assert barriers(shown) == []
        guest.join(game)
        asked(shown, "play a card")
        expect(shown.locator("#terms")).to_have_text(
            "10:00 in the bank, 0:05 added for each turn. "
            "When a player runs out of time, this bot plays on: random bot."
        )
        expect(shown.locator("#seats .acts .clock")).to_have_text(re.compile(r"^(10:0\d|9:\d\d)$"))
        do(shown, "play create_2")
        expect(shown.locator("#prompt")).to_contain_text(f"Waiting for {guest.name}")
        expect(shown.locator("body:not(.mine)")).to_be_attached()
        expect(shown).to_have_title(re.compile("^[^●]"))
        guest.move(game, "play create_2")
        asked(shown, "play a card")
        expect(shown.locator("#log .own ~ li")).to_have_count(1)
        expect(shown.locator("#favicon")).to_have_attribute("href", re.compile("mark-turn"))
        shown.get_by_role("button", name="Propose to take back").click()
        expect(shown.locator("#offer")).to_contain_text("Waiting for the others")
        shown.get_by_role("button", name="Withdraw the proposal").click()
        expect(shown.locator("#offer")).to_be_empty()
        shown.get_by_role("button", name="Propose to take back").click()
        expect(shown.locator("#offer")).to_contain_text("Waiting for the others")
        guest.post(f"/v1/games/{game}/offer", {"agrees": True})
        expect(shown.locator('#board [data-part="players.0.hand.create_2"]')).to_be_visible()
        guest.post(f"/v1/games/{game}/resign")
        expect(shown.locator("#seats")).to_contain_text("a bot plays on")
        expect(shown.locator("#log .note")).to_have_text(
            [f"{host} withdrew the proposal", f"{guest.name} resigned; a bot plays on"]
        )


def test_a_host_hands_out_the_link_of_a_chair_kept_by_invitation(table_house: str, opened: Browser) -> None:
    with page(opened, PHONE) as shown, page(opened, DESKTOP) as elsewhere:
        come_in(shown, table_house)
        sit_down(shown, table_house, "spice_road", "invite", visibility="private")
        link = shown.get_by_label("For chair 2")
        expect(link).to_be_visible()
        assert barriers(shown) == []
        picture(shown, "play-invitation-phone")
        come_in(elsewhere, table_house)
        elsewhere.goto(link.input_value())
        elsewhere.get_by_role("button", name="Sit down").click()
        expect(elsewhere.locator("#board .mat")).to_have_count(2)
        expect(shown.locator("#board .mat")).to_have_count(2)


def test_a_link_lets_sit_down_on_its_own_chair_alone(house: House, table_house: str, opened: Browser) -> None:
    host, guest = somebody(house.app.test_client()), somebody(house.app.test_client())
    made = host.create("me", "invite", "invite", visibility="unlisted")
    taken, free = (f"{table_house}/games/{made['id']}/play?invite={made['invites'][chair]}" for chair in "12")
    guest.join(made["id"], invite=made["invites"]["1"])
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        for link, ways in ((taken, 0), (free, 1)):
            shown.goto(link)
            expect(shown.locator(".room .seats")).to_contain_text(guest.name)
            expect(shown.get_by_role("button", name="Take a chair")).to_have_count(ways)


def test_a_lost_connection_is_shown_and_nothing_is_missed(house: House, table_house: str, opened: Browser) -> None:
    guest = somebody(house.app.test_client())
    with page(opened, DESKTOP, forgiving=[OFFLINE]) as shown:
        come_in(shown, table_house)
        game = sit_down(shown, table_house, "spice_road", guest.id)
        guest.join(game)
        asked(shown, "play a card")
        shown.context.set_offline(True)
        shown.locator('#panel [data-move="play create_2"]').click()
        expect(shown.locator("#connection")).to_contain_text("No connection")
        shown.context.set_offline(False)
        expect(shown.locator("#prompt")).to_contain_text("Waiting for")  # sent again, done once
        guest.move(game, "play create_2")
        asked(shown, "play a card")
        expect(shown.locator("#connection")).to_have_text("")


def test_who_has_looked_away_is_told_that_the_board_has_changed(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP, forgiving=["409 (CONFLICT)", "ERR_BLOCKED_BY_CLIENT"]) as shown:
        # Nothing is heard of the table.
        shown.route(re.compile(r"/events\?"), lambda asked: asked.abort("blockedbyclient"))
        name = come_in(shown, table_house)
        with page(opened, DESKTOP) as elsewhere:
            log_in(elsewhere, table_house, name)  # the same person at another desk
            game = sit_down(elsewhere, table_house, "puerto_rico", *BOTS, **SEED)
            shown.goto(f"{table_house}/games/{game}/play")
            asked(shown, "choose a role")
            do(elsewhere, "role settler")
        shown.locator('#panel [data-move="role builder"]').click()
        expect(shown.locator("#trouble")).to_contain_text("The board has changed meanwhile")
        asked(shown, "take an island tile")


def test_who_is_logged_out_meanwhile_is_sent_to_the_door(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP, forgiving=["401 (UNAUTHORIZED)"]) as shown:
        come_in(shown, table_house)
        game = sit_down(shown, table_house, "spice_road", *BOTS, **SEED)
        asked(shown, "play a card")
        shown.context.clear_cookies()
        shown.locator('#panel [data-move="play create_2"]').click()
        shown.wait_for_url(f"**/login?next=%2Fgames%2F{game}%2Fplay")


def test_another_game_that_waits_is_pointed_to_and_a_game_can_be_given_up(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        first = sit_down(shown, table_house, "spice_road", *BOTS, **SEED)
        sit_down(shown, table_house, "puerto_rico", *BOTS, **SEED)
        shown.get_by_role("link", name="1 other game waits for you").click()
        shown.wait_for_url(f"**/games/{first}/play")
        asked(shown, "play a card")
        shown.get_by_role("button", name="Abort the game").click()
        expect(shown.get_by_role("dialog")).to_contain_text("Abort this game?")
        assert barriers(shown) == []
        shown.get_by_role("dialog").get_by_role("button", name="Abort the game").click()
        expect(shown.locator("#prompt")).to_contain_text("aborted")
        shown.get_by_role("button", name="Play again").click()
        asked(shown, "play a card")
        assert first not in shown.url


def test_the_table_speaks_the_readers_language(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "puerto_rico", *BOTS, **SEED)
        asked(shown, "choose a role")
        shown.get_by_role("button", name="Íslenska").click()
        asked(shown, "Þú átt leik: velja hlutverk")
        step_in_icelandic = shown.locator('#panel [data-move="role settler"]')
        assert step_in_icelandic.inner_text() not in ("", "Choose the settler")
        expect(shown.locator("#board")).not_to_contain_text("Roles")


@pytest.mark.parametrize(("game", "words"), [("puerto_rico", "choose a role"), ("spice_road", "play a card")])
def test_a_phone_is_enough_to_play_a_round(table_house: str, opened: Browser, game: str, words: str) -> None:
    with page(opened, PHONE, dark=True) as shown:
        come_in(shown, table_house)
        id = sit_down(shown, table_house, game, *BOTS, **SEED)
        asked(shown, words)
        assert shown.evaluate("scrollY") == 0  # the board was drawn above the rest of the page
        step(shown, first_by_mouse)
        until(shown, words, first_by_mouse)
        picture(shown, f"play-{game.replace('_', '-')}-phone-dark")
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        looked_back(shown, f"{table_house}/games/{id}")
        asked(shown, words)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("game", ["puerto_rico", "spice_road"])
def test_nothing_on_the_table_keeps_people_out(table_house: str, opened: Browser, game: str, dark: bool) -> None:
    with page(opened, ZOOMED if dark else DESKTOP, dark) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, game, *BOTS, **SEED)
        expect(shown.locator("#board .can").first).to_be_visible()
        assert barriers(shown) == []
        picture(shown, f"play-{game.replace('_', '-')}-{'zoomed' if dark else 'desktop'}")
        assert shown.evaluate("document.documentElement.scrollWidth") <= (ZOOMED if dark else DESKTOP)["width"]


@pytest.mark.parametrize("what", ["/login", "/register"])
def test_nothing_at_the_door_keeps_people_out(table_house: str, opened: Browser, what: str) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(table_house + what)
        assert barriers(shown) == []
        picture(shown, f"account{what.replace('/', '-')}")


def test_who_logs_in_comes_back_to_the_table(house: House, table_house: str, opened: Browser) -> None:
    app = house.app.test_client()
    anna, birgir = (Person(app, f"{name} of the table", password=PASSWORD) for name in ("Anna", "Birgir"))
    game = anna.create("me", birgir.id)["id"]
    first = in_turn(birgir.join(game), anna, birgir)[0]
    with page(opened, DESKTOP) as shown:
        log_in(shown, table_house, first.name, next=f"/games/{game}/play")
        asked(shown, "play a card")
        expect(shown.locator("#board .mat").first).to_have_attribute("aria-label", first.name)


def test_a_board_waits_for_three_answers_at_once_a_move_for_its_own(table_house: str, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        sit_down(shown, table_house, "spice_road", *BOTS, **SEED)
        shown.get_by_role("tab", name="Settings").click()
        shown.get_by_label("Ask before").select_option("none")
        held: list[Route] = []

        def answer_together(route: Route) -> None:
            held.append(route)
            if len(held) == 3:
                for one in held:
                    one.continue_()

        shown.route(TOGETHER, answer_together)
        shown.reload()
        asked(shown, "play a card")
        named = {one.request.url.partition("?")[0].rpartition("/")[2] for one in held}
        assert named == {"position", "legal", "replay"}
        shown.unroute(TOGETHER)

        board, later = shown.locator("#board"), list[Route]()
        before = board.get_attribute("data-version") or ""
        shown.route(TOGETHER, lambda route: later.append(route))
        shown.locator("#panel button[data-move]").first.click()
        expect(board).not_to_have_attribute("data-version", before)  # while all but the answer to the move is kept away
        for one in later:
            one.continue_()
