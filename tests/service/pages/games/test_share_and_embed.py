"""Games on other sites: the picture and the texts of a link, and the frame that a host may forbid."""

import re
import struct
from dataclasses import replace

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Locator, Page, expect

from service.core.work_gate import WorkGate
from service.pages.watch import share
from service.web.auth import SESSION_COOKIE
from tests.support.service.browser import DESKTOP, barriers, page, picture
from tests.support.service.opened_sessions import open_session
from tests.support.service.players import new_names, running, somebody
from tests.support.service.running_service import GAMES, House
from tests.support.service.tournament_fixture import Hall

PNG = b"\x89PNG\r\n\x1a\n"
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"  # and fitted before


def meta(html: str) -> dict[str, str]:
    """Returns the properties of a page for other sites."""
    return dict(re.findall(r'<meta (?:property|name)="([^"]+)" content="([^"]*)">', html))


def frames(client: FlaskClient, path: str) -> str:
    """Returns who may frame a page."""
    return client.get(path).headers["Content-Security-Policy"].rpartition("frame-ancestors ")[2]


def embedding(client: FlaskClient, path: str) -> str:
    """Returns the part of a page that lets others show the game."""
    return client.get(path).text.partition('id="embedding"')[2].partition("</details>")[0]


@pytest.mark.parametrize("name", GAMES)
def test_every_kind_of_game_has_a_picture_at_every_step(house: House, name: str) -> None:
    client, path = house.app.test_client(), f"/games/{house.games[name]}/share.png"
    for query in ("?language=hu", "?at=9"):
        drawn = client.get(path + query)
        assert (drawn.status_code, drawn.mimetype, drawn.data[:8]) == (200, "image/png", PNG)
        assert struct.unpack(">II", drawn.data[16:24]) == (1200, 630)
        assert len(drawn.data) < 300_000
    assert client.get(path + "?at=999999").status_code == 404
    assert client.get(path + "?at=x").status_code == 422


def test_an_unchanged_picture_is_not_sent_again(client: FlaskClient) -> None:
    game, (first, _) = running(client, start_player=0)
    path = f"/games/{game}/share.png"
    known = client.get(path)
    again = {"If-None-Match": known.headers["ETag"]}
    assert client.get(path, headers=again).status_code == 304
    first.move(game, "play create_2")
    assert client.get(path, headers=again).data != known.data


def test_a_link_says_what_it_leads_to_in_the_readers_language(app: Flask, client: FlaskClient) -> None:
    game, _ = running(client, "Ada", "Bo <b>", start_player=0)
    said = meta(client.get(f"/games/{game}", headers={"Accept-Language": "cs"}).text)
    url = app.extensions["cabildo"].settings.public_url
    assert said["og:title"] == "Century: Spice Road: Ada, Bo &lt;b&gt;"
    assert said["og:description"] == said["description"] == "probíhá · 1. kolo"
    assert said["og:image"] == f"{url}/games/{game}/share.png?language=cs"
    assert (said["og:url"], said["twitter:card"]) == (f"{url}/games/{game}", "summary_large_image")
    assert client.get(said["og:image"].removeprefix(url)).mimetype == "image/png"


def test_a_link_to_a_step_shows_its_board(app: Flask, client: FlaskClient) -> None:
    delayed, people = running(client, spectator_delay=2, start_player=0)
    for move in ("play create_2", "rest"):
        for person in people:
            person.move(delayed, move)
    seen = client.get(f"/v1/games/{delayed}").get_json()["version"]
    url = app.extensions["cabildo"].settings.public_url
    for at, query, step in ((seen, f"at={seen}&amp;", f"?at={seen}"), (seen + 1, "", "")):
        said = meta(client.get(f"/games/{delayed}?at={at}", headers={"Accept-Language": "sv"}).text)
        assert said["og:image"] == f"{url}/games/{delayed}/share.png?{query}language=sv"
        assert said["og:url"] == f"{url}/games/{delayed}{step}"
    assert client.get(f"/games/{delayed}?at=x").status_code == 422


def test_the_address_of_a_step_is_copied_and_opens_the_step(house: House, opened: Browser) -> None:
    page_of_game = f"{house.url}/games/{house.games['spice_road']}"
    with page(opened, DESKTOP) as shown:
        shown.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as on plain HTTP
        shown.goto(f"{page_of_game}?at=20")
        expect(shown.locator("#board[data-version='20']")).to_be_visible()
        shown.locator("[data-go=on]").click()
        expect(shown.locator("#board:not([data-version='20'])")).to_be_visible()
        version = shown.locator("#board").get_attribute("data-version")
        shown.locator("#share").click()
        expect(shown.locator("#share")).to_have_text("✓ Link copied")
        shown.evaluate("document.execCommand = () => false")  # a browser that copies nothing
        shown.locator("#share").click()
        expect(shown.locator(".title .address")).to_have_value(f"{page_of_game}?at={version}")
        assert shown.url == f"{page_of_game}?at=20#{version}"


def test_few_pictures_wait_to_be_drawn_and_drawn_ones_for_none(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, _ = running(client, start_player=0)
    path = f"/games/{game}/share.png?language="
    assert client.get(f"{path}en").status_code == 200
    gate = WorkGate(replace(share._drawing.capacity, waiting=0))
    monkeypatch.setattr(share, "_drawing", gate)
    with gate.passed():
        assert client.get(f"{path}en").status_code == 200
        refused = client.get(f"{path}cs")
        assert (refused.status_code, refused.headers["Retry-After"]) == (503, "5")
    assert client.get(f"{path}cs").status_code == 200


def test_pictures_show_what_spectators_see_and_no_more(client: FlaskClient) -> None:
    delayed, people = running(client, spectator_delay=2, start_player=0)
    for move in ("play create_2", "rest"):
        for person in people:
            person.move(delayed, move)
    seen = client.get(f"/v1/games/{delayed}").get_json()["version"]
    for at, status in ((seen, 200), (seen + 1, 404)):  # also to players: links are for others
        assert people[0].ask("GET", f"/games/{delayed}/share.png?at={at}").status_code == status
    host = somebody(client)
    private = host.create("me", "open", visibility="private")["id"]
    for path in ("share.png", "embed"):
        assert host.ask("GET", f"/games/{private}/{path}").status_code == 404
    assert "og:image" not in host.ask("GET", f"/games/{private}").text
    waiting = host.create("me", "open")["id"]
    assert client.get(f"/games/{waiting}/share.png").data[:8] == PNG  # players without a board


def test_a_game_is_framed_unless_its_host_says_no_and_other_pages_never(app: Flask, client: FlaskClient) -> None:
    host, guest = somebody(client), somebody(client)
    game = host.create("me", "open")["id"]
    guest.join(game)
    assert frames(client, f"/games/{game}/embed?size=small&at=4") == "*"
    for path in ("/", "/watch", "/lobby", f"/games/{game}"):
        assert frames(client, path) == "'none'"
    assert "Set-Cookie" not in client.get(f"/games/{game}/embed").headers
    assert client.get(f"/games/{game}/embed?size=huge").status_code == 422
    for person, allowed, status in ((guest, "", 403), (host, "", 303), (host, "yes", 303)):
        browser = app.test_client()
        secret, csrf, _ = open_session(app.extensions["cabildo"], person.id)
        browser.set_cookie(SESSION_COOKIE, secret)
        sent = browser.post(f"/games/{game}/framing", data={"csrf": csrf, "allowed": allowed})
        assert sent.status_code == status
        forbidden = status == 303 and not allowed
        assert client.get(f"/games/{game}/embed").status_code == (403 if forbidden else 200)
        assert ("embed-snippet" in client.get(f"/games/{game}").text) != forbidden


def test_directors_say_who_frames_the_games_of_their_tournament(app: Flask, client: FlaskClient) -> None:
    hall = Hall(app, [{"format": "swiss", "rounds": 1, "sizes": [2]}]).open(people=2)
    hall.direct("stages")
    hall.start()
    (game,) = hall.games()
    for person, status, frame in ((hall.people[0], 403, 200), (hall.host, 303, 403)):
        browser = app.test_client()
        secret, csrf, _ = open_session(app.extensions["cabildo"], person.id)
        browser.set_cookie(SESSION_COOKIE, secret)
        assert ('name="csrf"' in embedding(browser, f"/games/{game}")) == (status == 303)
        assert browser.post(f"/games/{game}/framing", data={"csrf": csrf}).status_code == status
        assert client.get(f"/games/{game}/embed").status_code == frame


def test_the_frame_shows_the_step_it_was_made_for(house: House, opened: Browser) -> None:
    game = house.games["spice_road"]
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/games/{game}#20")
        shown.get_by_text("Show this game on another site").click()
        shown.get_by_label("Size").select_option("small")
        shown.get_by_label("begin with the step").check()
        frame = shown.get_by_label("HTML to copy").input_value()
        assert "size=small&amp;at=20" in frame
        shown.set_viewport_size({"width": 440, "height": 420})
        shown.goto(f"{house.url}/games/{game}/embed?size=small&at=20")
        expect(shown.locator("#board[data-version='20']")).to_be_visible()
        shown.locator('#board [data-part="merchant_row.0"]').hover()
        expect(shown.locator(".piece-card")).to_contain_text("Acquire it free of charge")
        shown.mouse.move(0, 0)
        expect(shown.locator(".piece-card")).to_be_hidden()
        assert barriers(shown) == []
        picture(shown, "embed-small", whole=False)
        shown.get_by_role("button", name="next step").or_(shown.locator("[data-go=on]")).first.click()
        expect(shown.locator("#board:not([data-version='20'])")).to_be_visible()
        assert shown.evaluate("document.documentElement.scrollWidth") <= 440
        assert shown.get_by_role("link", name="Open on Cabildo").get_attribute("href") == f"/games/{game}"
        shown.goto(f"{house.url}/games/{house.games['five']}/embed?size=small")  # the largest board
        expect(shown.locator("#board .mat")).to_have_count(5)
        picture(shown, "embed-small-five", whole=False)


def test_a_large_frame_shows_the_whole_board_or_enlarges_it(house: House, opened: Browser) -> None:
    with page(opened, {"width": 1120, "height": 1800}) as shown:
        shown.goto(f"{house.url}/games/{house.games['spice_road']}/embed")
        expect(shown.locator("#board[data-version]")).to_be_visible()
        enlarge = shown.get_by_role("button", name="Enlarge the board")
        expect(enlarge).to_be_hidden()  # nothing is gained by it
        for height in range(1800, 600, -20):  # until the board as it was dealt is a little too high
            assert is_whole(shown)
            if enlarge.is_visible():
                break
            shown.set_viewport_size({"width": 1120, "height": height})
            shown.evaluate(DRAWN)
        expect(shown.locator("#standing")).to_be_hidden()
        enlarge.click()
        assert not is_whole(shown)
        enlarge.click()
        assert is_whole(shown)


def is_whole(shown: Page) -> bool:
    """Returns whether the frame shows everything without scrolling."""
    wide, high = (f"document.documentElement.scroll{side} <= inner{side}" for side in ("Width", "Height"))
    return bool(shown.evaluate(f"{wide} && {high}"))


def test_frames_show_a_player_what_everybody_sees(house: House, opened: Browser) -> None:
    options = {"hand_visibility": "owner_only"}
    names = new_names("Anna", "Birgir")
    game, (first, _) = running(house.app.test_client(), *names, options=options, start_player=0)
    secret, _, _ = open_session(house.app.extensions["cabildo"], first.id)
    with page(opened, DESKTOP) as shown:
        shown.context.add_cookies([{"name": SESSION_COOKIE, "value": secret, "url": house.url}])
        shown.goto(f"{house.url}/games/{game}")
        expect(hidden_cards(shown)).to_have_count(2)  # the hand and the point cards of the other player
        shown.goto(f"{house.url}/games/{game}/embed")
        expect(hidden_cards(shown)).to_have_count(4)
        before = shown.locator("#board").get_attribute("data-version")
        first.move(game, "play create_2")
        expect(shown.locator("#board")).not_to_have_attribute("data-version", before or "")
        expect(hidden_cards(shown)).to_have_count(4)


def hidden_cards(shown: Page) -> Locator:
    """Returns the cards on a board that the reader does not see."""
    return shown.locator("#board").get_by_text("face down", exact=True)
