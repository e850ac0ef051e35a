"""Table talk in real browsers: guests, people at one screen, reports of messages, a tournament's talk."""

from uuid import UUID

from playwright.sync_api import Browser, Locator, Page, Request, Route, expect

from tests.support.service.browser import DESKTOP, barriers, page
from tests.support.service.browser_players import come_in, sit_down
from tests.support.service.page_tour import declared, send
from tests.support.service.players import Person, somebody, two_at_a_table
from tests.support.service.running_service import House


def became_guest(shown: Page, house: House) -> None:
    """A visitor becomes a guest by one click."""
    shown.goto(house.url)
    shown.locator("form[action='/play-now'] button").first.click()
    expect(shown.get_by_role("tab", name="Talk")).to_be_visible()


def opened_talk(shown: Page) -> Locator:
    shown.get_by_role("tab", name="Talk").click()
    return shown.locator("#talk")


def test_a_guest_reads_mutes_and_covers(house: House, opened: Browser) -> None:
    host = somebody(house.app.test_client())
    game = host.create("me", "open")["id"]
    with page(opened, DESKTOP) as shown:  # fails on a refusal in the console
        became_guest(shown, house)
        send(shown, f"/v1/games/{game}/seats")
        host.post(f"/v1/games/{game}/talk", {"text": "Good luck, fuck!"})
        shown.goto(f"{house.url}/games/{game}/play")
        with shown.expect_response(lambda answer: "/talk/read?" in answer.url) as noted:
            talk = opened_talk(shown)
        assert noted.value.status == 204
        expect(talk.locator(".hint").first).to_contain_text("Guests read")
        talk.get_by_text("Reading and muting").click()
        talk.get_by_label("Cover rough words").check()
        expect(talk.locator(".said")).to_have_text("Good luck, •••!")
        talk.locator(".deeds summary").click()
        expect(talk.get_by_role("button", name="Report")).to_have_count(0)
        talk.get_by_role("button", name=f"Mute {host.name}").click()
        expect(talk.locator(".message i")).to_have_text("you mute this player")
        assert barriers(shown) == []
        shown.goto(f"{house.url}/account/settings")
        expect(shown.locator("#notices, #push-title")).to_have_count(0)


def test_people_at_one_screen_read_for_nobody_else(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        host = come_in(shown, house.url)
        made = send(shown, "/v1/games", {"game": "spice_road", "seats": ["me", "here:Anna"], "start_player": 1})
        send(shown, f"/v1/games/{made['id']}/talk", {"text": "Hello"})
        noted: list[Request] = []  # of what was read, for a person at the screen

        def note(sent: Request) -> None:
            noted.extend([sent] if "/talk/read?" in sent.url and "x-seat-of" in sent.headers else [])

        shown.on("request", note)
        shown.goto(f"{house.url}/games/{made['id']}/play")
        cover = shown.locator("#cover")
        for person in (f"Anna ({host})", host):
            expect(cover).to_contain_text(person.split(" (")[0])
            cover.get_by_role("button").click()
            expect(shown.locator("#seats .acts")).to_contain_text(person)
            talk = opened_talk(shown)
            expect(talk.locator(".said")).to_have_text("Hello")
            if person != host:
                expect(talk.locator(".hint").first).to_contain_text("People at one screen read")
                expect(talk.locator(".deeds")).to_have_count(0)
                shown.locator("#panel button[data-move='play create_2']").click()
        assert noted == []


def test_a_message_that_comes_while_older_ones_are_read_is_shown(house: House, opened: Browser) -> None:
    other = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        game = sit_down(shown, house.url, "spice_road", "open", leaver="forfeit")
        other.join(game)
        other.post(f"/v1/games/{game}/talk", {"text": "one"})
        held: list[tuple[Route, bytes]] = []

        def hold(route: Route) -> None:
            held.append((route, route.fetch().body()))

        shown.route(f"{house.url}/v1/games/{game}/talk?*", hold, times=1)
        with shown.expect_request(f"{house.url}/v1/games/{game}/talk?*"):
            shown.goto(f"{house.url}/games/{game}/play")
        expect(shown.locator("body.mine")).to_have_count(1)
        other.post(f"/v1/games/{game}/talk", {"text": "two"})
        other.post(f"/v1/games/{game}/resign")
        expect(shown.locator("body.mine")).to_have_count(0)  # the stream of the talk told of the end
        ((route, answer),) = held
        route.fulfill(body=answer, content_type="application/json")
        expect(opened_talk(shown).locator(".said")).to_have_text(["one", "two"])


def test_a_talk_that_is_unfolded_before_the_page_is_ready_is_followed(house: House, opened: Browser) -> None:
    game, first, _ = two_at_a_table(house.app.test_client(), leaver="forfeit")
    first.post(f"/v1/games/{game}/resign")
    with page(opened, DESKTOP) as shown:
        held: list[Route] = []
        shown.route("**/replay?*", lambda route: held.append(route))
        with shown.expect_request("**/replay?*"):
            shown.goto(f"{house.url}/games/{game}")
        shown.locator("#talk-panel > summary").click()
        expect(shown.locator("#talk-panel[open]")).to_be_attached()
        assert len(held) == 1
        for one in held:
            one.continue_()
        first.post(f"/v1/games/{game}/talk", {"text": "Well played"})
        expect(shown.locator("#talk")).to_contain_text("Well played")
        first.post(f"/v1/games/{game}/talk", {"text": "Once more?"})
        expect(shown.locator("#talk")).to_contain_text("Once more?")


def test_a_message_is_reported_from_the_table(house: House, opened: Browser) -> None:
    other = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        game = sit_down(shown, house.url, "spice_road", "open")
        other.join(game)
        for text in ("Hello", "You fool"):
            other.post(f"/v1/games/{game}/talk", {"text": text})
        report(opened_talk(shown), 1)
        filled(shown, "message:2", "You fool")


def test_a_director_closes_the_talk_of_a_tournament(house: House, opened: Browser) -> None:
    entrant = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown:
        come_in(shown, house.url)
        tournament = UUID(declared(shown))
        send(shown, f"/v1/tournaments/{tournament}/publication")
        entrant.post(f"/v1/tournaments/{tournament}/entrants")
        wrote(entrant, tournament, "You fool")
        shown.goto(f"{house.url}/tournaments/{tournament}")
        shown.locator("#talk-panel > summary").click()
        talk = shown.locator("#talk")
        expect(talk.locator(".said")).to_have_text("You fool")
        wrote(entrant, tournament, "Sorry")
        expect(talk.locator(".said")).to_have_count(2)  # by the stream
        assert barriers(shown) == []
        talk.get_by_text("Reading and muting").click()
        talk.get_by_label("Close the talk").check()
        expect(talk.get_by_role("textbox", name="Message")).to_be_hidden()
        expect(talk.locator(".hint").first).to_have_text("The host or a director has closed this talk.")
        assert wrote(entrant, tournament, "?", 409)["reason"] == "closed"
        report(talk, 0)
        filled(shown, "message:1", "You fool")


def wrote(entrant: Person, tournament: UUID, text: str, status: int = 201) -> dict[str, object]:
    """An entrant writes in the talk of a tournament."""
    return entrant.post(f"/v1/tournaments/{tournament}/talk", {"text": text}, status)


def report(talk: Locator, message: int) -> None:
    """Follow the way from a message to the form of reports."""
    one = talk.locator(".message").nth(message)
    one.locator(".deeds summary").click()
    one.get_by_role("button", name="Report").click()


def filled(shown: Page, value: str, text: str) -> None:
    """The form is about a message; send it."""
    about = shown.locator("#thing")
    expect(about).to_have_value(value)
    expect(about.locator(":checked")).to_contain_text(text)
    shown.locator("#text").fill("Rude.")
    shown.locator("main form button").click()
    expect(shown.get_by_role("status")).to_be_visible()
