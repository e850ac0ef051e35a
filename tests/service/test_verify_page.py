"""The page that verifies, in a real browser: it judges like the other two judges and says which part is whose word."""

import base64
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Route, expect

from deploy import verify_standalone
from deploy.stores import EmbeddedRedis
from events.connections import connect
from events.event import received
from events.sequencer import sequence_once
from events.store import write
from projections.audit import CHECKS
from service import config, pages
from service.app import create_app
from service.pages.proof import IN_THE_BROWSER
from tests.deploy.running import eventually
from tests.projections.bundles import GAME, POLICY, honest, rechained
from tests.projections.forged_games import ALL
from tests.projections.played import played
from tests.projections.retelling import bodies, bundle, changed_at, first, is_move
from tests.service.browsing import DESKTOP, PHONE, barriers, page, picture
from tests.service.people import running
from tests.service.test_gunicorn import answers, serving
from workers.sealing import Publishing, Sealing

SCRIPTS = Path(pages.__file__).parent / "static" / "verify"
OTHER_POLICY = verify_standalone.Policy(str(POLICY).encode())
BY_THE_SERVICE = tuple(row.code for row in CHECKS if row.code not in IN_THE_BROWSER)
JUDGE = """
async ([policy, files]) => {
  const { verify } = await import("/static/verify/bundle.js");
  const { Policy } = await import("/static/verify/notes.js");
  const trusted = await Policy.read(policy), found = [];
  for (const file of files) {
    const { failed, event } = await verify(Uint8Array.from(atob(file), (c) => c.charCodeAt(0)), trusted);
    found.push([failed, event]);
  }
  return found;
}
"""


class House(NamedTuple):
    """A running service, the bundle of an honest game, and one whose operator made up a move before it was sealed."""

    url: str
    honest: bytes
    forged: bytes
    at: int  # the move that was made up
    policy: str


@pytest.fixture(scope="module")
def house(module_database: str, redis_server: EmbeddedRedis, server_directory: Path) -> Iterator[House]:
    key = base64.b64encode(bytes(32)).decode()
    environ = {
        "DATABASE_URL": module_database,
        "REDIS_URL": redis_server.url(),
        "CABILDO_DATA_DIR": str(server_directory / "verifying"),
        "CABILDO_MASTER_KEY": key,
        "CABILDO_LOG_KEY": key,
    }
    (server_directory / "verifying").mkdir()
    app = create_app(config.load(environ))
    client = app.test_client()
    game, (host, _) = running(client)
    host.move(game, "play create_2")
    host.post(f"/v1/games/{game}/abort")
    at = first(bodies(most=8), is_move) + 2
    publish(environ, made_up(at))
    sound, forged = (client.get(f"/v1/games/{one}/bundle").data for one in (game, GAME))
    policy = client.get("/log/policy").text
    with serving(environ, "service.app:create_app()", server_directory / "verifying" / "log") as (_, url):
        assert eventually(lambda: answers(url))
        yield House(url, sound, forged, at, policy)
    app.extensions["cabildo"].close()


def made_up(at: int) -> list[bytes]:
    """A game with a move that brought something else than the rules say."""
    return list(rechained(changed_at(bodies(most=8), at, facts=[])))


def publish(environ: dict[str, str], forged: Sequence[bytes]) -> None:
    settings = config.load(environ)
    with connect(environ["DATABASE_URL"]) as connection:
        write(connection, [received(body) for body in forged], None, b"", ())
        sequence_once(connection)
        Sealing(settings, environ)(connection)
        Publishing(settings, environ)(connection)


def examine(shown: Page, data: bytes, policy: str = "", ask: bool = False) -> None:
    """What somebody with a file does."""
    shown.get_by_label("Bundle of a game").set_input_files(
        {"name": "game.bundle.json", "mimeType": "application/json", "buffer": data}
    )
    shown.get_by_label("Policy: whose").fill(policy)
    shown.get_by_label("Let this service examine").set_checked(ask)
    shown.get_by_role("button", name="Verify").click()


def said(shown: Page) -> dict[str, str]:
    """The answer beside each check."""
    rows = shown.locator("[data-check]").all()
    return {str(row.get_attribute("data-check")): row.locator("[data-answer]").inner_text() for row in rows}


def cut_off(shown: Page) -> list[str]:
    """Let a page reach nothing any more, and note what it asks for; the mark of its tab a browser may fetch late."""
    sent: list[str] = []

    def refuse(route: Route) -> None:
        sent.append(route.request.url)
        route.abort()

    shown.context.route("**/*", refuse)
    shown.context.route("**/static/mark.svg", lambda route: route.continue_())
    return sent


def test_an_honest_bundle_is_examined_in_the_browser_and_nothing_is_sent(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        sent = cut_off(shown)
        examine(shown, house.honest, house.policy)
        verdict = shown.locator("#verdict")
        expect(verdict).to_contain_text("Nothing is wrong in V1 to V5; this browser has examined them.")
        expect(verdict).to_contain_text("V6 to V13 have not been examined")
        expect(verdict).to_contain_text("No quorum of witnesses vouches for the log.")
        assert said(shown) == {**dict.fromkeys(IN_THE_BROWSER, "yes"), **dict.fromkeys(BY_THE_SERVICE, "")}
        assert sent == []


def test_the_rest_is_the_services_word_and_told_as_such(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, house.honest, house.policy, ask=True)
        expect(shown.locator("#verdict")).to_contain_text("by the word of this service")
        answered = said(shown)
        assert {answered.pop(code) for code in ("V12",)} == {"does not apply"}
        assert set(answered.values()) == {"yes"}
        for code in ("V5", "V6"):
            where = "in this browser" if code in IN_THE_BROWSER else "by this service"
            expect(shown.locator(f'[data-check="{code}"]')).to_contain_text(where)
        expect(shown.locator("#verdict li", has_text="level 1")).to_be_attached()  # the service's remarks
        picture(shown, "verify")


def test_a_move_made_up_by_the_operator_is_found_only_by_the_rules(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, house.forged, house.policy)
        expect(shown.locator("#verdict")).to_contain_text("V6 to V13 have not been examined")
        examine(shown, house.forged, house.policy, ask=True)
        expect(shown.locator("#verdict")).to_contain_text(f"Wrong (V7), event {house.at}.")
        answered = said(shown)
        assert [answered[code] for code in ("V5", "V6", "V7", "V8")] == ["yes", "yes", "no", "not reached"]


def test_the_mark_of_a_replay_names_the_event_that_the_service_finds_wrong(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.route("**/bundle", lambda route: route.fulfill(body=house.forged))
        shown.goto(f"{house.url}/games/{json.loads(house.honest)['stream']}")
        shown.get_by_role("button", name="Verify").click()
        expect(shown.locator(".seal.broken")).to_have_text("✗ Not valid")
        expect(shown.locator("#verdict")).to_contain_text(f"Check V7 found something wrong at event {house.at}:")
        expect(shown.locator("[data-check=V7]")).to_contain_text("no · by the service")


def test_what_is_wrong_in_the_chain_is_named_at_its_event_and_not_sent(house: House, opened: Browser) -> None:
    changed = house.honest.replace(b"play create_2", b"play create_3", 1)
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        sent: list[str] = []
        shown.on("request", lambda request: sent.append(request.url) if "/v1/" in request.url else None)
        examine(shown, changed, house.policy, ask=True)
        expect(shown.locator("#verdict")).to_contain_text("Wrong (V2), event 6.")
        assert (said(shown)["V1"], said(shown)["V2"], said(shown)["V3"], sent) == ("yes", "no", "", [])
        examine(shown, house.honest, house.policy.replace("log ", "log x", 1))
        expect(shown.locator("#verdict")).to_contain_text("This could not be examined")
        examine(shown, b"PK\x03\x04")
        expect(shown.locator("#verdict")).to_contain_text("This is an archive.")


def test_a_service_that_trusts_other_keys_is_told_to_disagree(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, honest().encode(), str(POLICY), ask=True)
        expect(shown.locator("#verdict")).to_contain_text("the service finds V3 wrong")


def judged_alone(data: bytes) -> list[str | int | None]:
    found = verify_standalone.verify(data, OTHER_POLICY)
    return [found["failed"], found["event"]]


def flipped(data: bytes, step: int) -> list[bytes]:
    return [data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :] for at in range(0, len(data), step)]


def test_the_browser_judges_every_bundle_and_forgery_like_the_others(house: House, opened: Browser) -> None:
    files = [*(honest(level).encode() for level in (0, 1, 2)), bundle(played()).encode()]
    files += [*(forgery.make() for forgery in ALL), *flipped(honest().encode(), 29)]
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        found = shown.evaluate(JUDGE, [str(POLICY), [base64.b64encode(data).decode() for data in files]])
    assert found == json.loads(json.dumps([judged_alone(data) for data in files]))


def test_the_page_keeps_nobody_out_and_fits_a_phone(house: House, opened: Browser) -> None:
    with page(opened, PHONE, dark=True) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, house.honest, house.policy, ask=True)
        expect(shown.locator("#verdict")).to_contain_text("by the word of this service")
        assert barriers(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        picture(shown, "verify-phone")


def test_the_page_and_its_scripts_are_served(client: FlaskClient) -> None:
    shown = client.get("/verify")
    assert (shown.status_code, "static/verify/page.js" in shown.text) == (200, True)
    for script in SCRIPTS.glob("*.js"):
        with client.get(f"/static/verify/{script.name}") as served:
            assert served.data == script.read_bytes()
