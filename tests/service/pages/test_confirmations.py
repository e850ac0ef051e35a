"""Pages ask, with what follows, before what cannot be undone; and they offer nothing that would be refused."""

from typing import Any

from playwright.sync_api import Browser, Page, expect

from tests.support.service.browser import DESKTOP, PHONE, barriers, page
from tests.support.service.browser_players import asked, come_in, do, sit_down, step
from tests.support.service.players import in_turn, somebody
from tests.support.service.running_service import House

SEED = {"chance": 0, "seed": "42" * 32}


def status(house: House, game: str) -> Any:
    """Whether a game is open, running, finished or aborted."""
    return house.app.test_client().get(f"/v1/games/{game}").get_json()["status"]


def answer(shown: Page, follows: str, word: str) -> None:
    """The page asks for confirmation with the consequence; presses a button."""
    expect(shown.get_by_role("dialog")).to_contain_text(follows)
    shown.get_by_role("dialog").get_by_role("button", name=word, exact=True).click()


def test_a_token_is_revoked_only_after_a_question(house: House, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        come_in(shown, house.url)
        shown.goto(f"{house.url}/account")
        shown.get_by_label("Label").fill("my bot")
        shown.get_by_role("button", name="Make the token").click()
        shown.goto(f"{house.url}/account")
        revoke = shown.get_by_label("Revoke: my bot")
        revoke.first.focus()
        shown.keyboard.press("Enter")
        expect(shown.get_by_text("Programs that use this token are refused")).to_be_visible()
        assert barriers(shown) == []
        shown.keyboard.press("Tab")
        expect(revoke.last).to_be_focused()
        shown.keyboard.press("Enter")
        expect(shown.get_by_text("my bot")).to_have_count(0)


def test_a_host_cancels_a_game_only_after_a_question(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        game = sit_down(shown, house.url, "spice_road", "open")
        for word in ("Keep the game", "Cancel the game"):
            assert status(house, game) == "open"
            shown.locator(".room").get_by_role("button", name="Cancel the game").click()
            answer(shown, "cannot be opened again", word)
        expect(shown.locator("#prompt")).to_have_text("The game was aborted")
        assert status(house, game) == "aborted"


def test_to_agree_to_abort_is_asked_about_and_offered_once(house: House, table_house: str, opened: Browser) -> None:
    guest = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        game = sit_down(shown, table_house, "spice_road", guest.id, **SEED)
        expect(shown.locator(".room")).to_be_visible()
        guest.join(game)
        asked(shown, "play a card")
        expect(shown.get_by_role("button", name="Abort the game")).to_be_visible()
        for _ in range(2):  # a round is over: from now on all must agree
            shown.locator("#panel button[data-move='play create_2'], #panel button[data-move='rest']").first.click()
            shown.get_by_role("button", name="Do it").or_(shown.locator("body:not(.mine)")).first.wait_for()
            if shown.get_by_role("button", name="Do it").is_visible():
                shown.get_by_role("button", name="Do it").click()
            expect(shown.locator("body:not(.mine)")).to_be_attached()
            legal = guest.ask("GET", f"/v1/games/{game}/legal").get_json()["moves"]
            guest.move(game, next(one["move"] for one in legal if one["move"] in ("play create_2", "rest")))
            asked(shown, "play a card")
        guest.post(f"/v1/games/{game}/abort")
        agree = shown.locator("#offer").get_by_role("button", name="Agree")
        agree.wait_for()
        expect(shown.get_by_role("button", name="Abort the game")).to_have_count(0)  # one proposal at a time
        agree.click()
        answer(shown, "ends without a result", "Keep the game")
        assert status(house, game) == "running"
        agree.click()
        answer(shown, "ends without a result", "Agree")
        expect(shown.locator("#prompt")).to_have_text("The game was aborted")


def test_a_seat_that_is_kept_for_others_is_not_offered(house: House, opened: Browser) -> None:
    host, guest = (somebody(house.app.test_client()) for _ in range(2))
    kept = host.create("me", guest.id)["id"]
    free = host.create("me", "open")["id"]
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        for game, chairs in ((kept, 0), (free, 1)):
            shown.goto(f"{house.url}/games/{game}/play")
            expect(shown.locator(".room .seats li")).to_have_count(2)
            expect(shown.get_by_role("button", name="Take a chair")).to_have_count(chairs)
    assert in_turn(guest.join(kept), host, guest)


def test_a_move_that_revealed_what_was_hidden_is_not_undone(house: House, table_house: str, opened: Browser) -> None:
    guest = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown:
        come_in(shown, table_house)
        options = {"mayor_placement": "simultaneous"}
        game = sit_down(shown, table_house, "puerto_rico", guest.id, options=options, **SEED)
        expect(shown.locator(".room")).to_be_visible()
        guest.join(game)
        asked(shown, "choose a role")
        do(shown, "role builder")
        asked(shown, "build")
        do(shown, "build small_market")
        guest.move(game, "pass")
        guest.move(game, "role mayor")
        if guest.ask("GET", f"/v1/games/{game}").get_json()["turn"]["seat"] == 1:
            offers = guest.ask("GET", f"/v1/games/{game}/legal").get_json()
            guest.move(game, offers["moves"][0]["move"])
        asked(shown, "place")
        step(shown, lambda on: on.get_by_role("button", name="Place them so").click())
        asked(shown, "choose a role")
        expect(shown.get_by_role("button", name="Resign")).to_be_visible()
        expect(shown.get_by_role("button", name="Undo my move")).to_have_count(0)
        step(shown, lambda on: on.locator('#panel button[data-move="role craftsman"]').click())
