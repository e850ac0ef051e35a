"""The page that verifies, in a real browser: it judges like the other two judges and says which part is whose word."""

import base64
import io
import json
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from cabildo_client import verify_standalone
from flask.testing import FlaskClient
from playwright.sync_api import Browser, Page, Route, expect

from deploy.local.stores import EmbeddedRedis
from events.event import received
from events.log.sequencer import sequence_once
from events.merkle.notes import SigningKey
from events.store.connections import connect
from events.store.postgres import write
from projections.games.chance import ChanceLevel
from projections.verify.archive import pack, unpack
from projections.verify.bundle import CHECKS
from service import pages
from service import settings as config
from service.app import create_app
from service.pages.games.verify import IN_THE_BROWSER
from tests import corpus
from tests.deploy.test_standalone_refusals import chosen_seed, misshapen, unproved, without_commitment, without_links
from tests.service.conftest import variables
from tests.service.web.test_gunicorn import answers, serving
from tests.support.projections.bundles import GAME, POLICY, WITNESS, bundle_of, honest, rechained, unsealed
from tests.support.projections.forged_games import ALL
from tests.support.projections.played_games import NO_CLOCK, played
from tests.support.projections.rewritten_history import bodies, bundle, changed_at, first, is_move
from tests.support.running_program import eventually
from tests.support.service.browser import DESKTOP, PHONE, barriers, page, picture
from tests.support.service.players import running
from workers.keeper.log import PublishLog, SealLog

SCRIPTS = Path(pages.__file__).parent / "static" / "verify"
OTHER_POLICY = verify_standalone.LogPolicy(str(POLICY).encode())
BY_THE_SERVICE = tuple(row.code for row in CHECKS if row.code not in IN_THE_BROWSER)
UNDATED = ("after", "saw")  # fields that name items absent from this history
JSON = {"Content-Type": "application/json"}
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
    """A running service, and bundles: an honest game, one with a forged move, one with unknown rules."""

    url: str
    honest: bytes
    forged: bytes
    unknown: bytes
    at: int  # the move that was made up
    policy: str


@pytest.fixture(scope="module")
def house(module_database: str, redis_server: EmbeddedRedis, module_directory: Path) -> Iterator[House]:
    key = base64.b64encode(bytes(32)).decode()
    stores = variables(module_database, redis_server.url(), module_directory)
    environ = {**stores, "CABILDO_MASTER_KEY": key, "CABILDO_LOG_KEY": key}
    app = create_app(config.load(environ))
    client = app.test_client()
    game, (host, _) = running(client)
    host.move(game, "play create_2")
    host.post(f"/v1/games/{game}/abort")
    at = first(bodies(most=8), is_move) + 2
    publish(environ, made_up(at))
    sound, forged = (client.get(f"/v1/games/{one}/bundle").data for one in (game, GAME))
    policy = client.get("/log/policy").text
    unknown = of_unknown_rules(SigningKey.from_seed(policy.split()[1].partition("+")[0], bytes(32)))
    with serving(environ, "service.app:create_app()", module_directory / "log") as (_, url):
        assert eventually(lambda: answers(url))
        yield House(url, sound, forged, unknown, at, policy)
    app.extensions["cabildo"].close()


def made_up(at: int) -> list[bytes]:
    """A game with a move that brought something else than the rules say."""
    return list(rechained(changed_at(bodies(most=8), at, facts=[])))


def of_unknown_rules(log: SigningKey) -> bytes:
    """A game that the log of the service vouches for, by rules which this program does not have."""
    told = [{**body, "rules": "spice_road/999"} for body in bodies(ChanceLevel.OPEN, NO_CLOCK, 4)]
    for body in told:
        body["data"] = {name: value for name, value in body["data"].items() if name not in UNDATED}
    made = bundle_of([received(body) for body in rechained(told)], (), log=log, cosigned=False)
    return replace(made, receipts=(), receipt_keys=()).encode()


def publish(environ: dict[str, str], forged: Sequence[bytes]) -> None:
    settings = config.load(environ)
    with connect(environ["DATABASE_URL"]) as connection:
        write(connection, [received(body) for body in forged], None, b"", ())
        sequence_once(connection)
        SealLog(settings, environ)(connection)
        PublishLog(settings, environ)(connection)


def examine(shown: Page, data: bytes, policy: str = "", ask: bool = False) -> None:
    """Verifies a file on the page."""
    shown.get_by_label("Bundle of a game, or archive").set_input_files(
        {"name": "file", "mimeType": "application/octet-stream", "buffer": data}
    )
    shown.get_by_label("Policy: whose").fill(policy)
    shown.get_by_label("Let this service check").set_checked(ask)
    shown.get_by_role("button", name="Verify").click()


def said(shown: Page) -> dict[str, str]:
    """The answer beside each check."""
    rows = shown.locator("[data-check]").all()
    return {str(row.get_attribute("data-check")): row.locator("[data-answer]").inner_text() for row in rows}


def cut_off(shown: Page) -> list[str]:
    """Blocks and records all requests of a page, except the icon, which a browser may fetch late."""
    sent: list[str] = []

    def refuse(route: Route) -> None:
        sent.append(route.request.url)
        route.abort()

    shown.context.route("**/*", refuse)
    shown.context.route("**/static/mark.svg", lambda route: route.continue_())
    return sent


def test_an_honest_bundle_is_checked_in_the_browser_and_nothing_is_sent(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        sent = cut_off(shown)
        examine(shown, house.honest, house.policy)
        verdict = shown.locator("#verdict")
        expect(verdict).to_contain_text("V1 to V5 passed in this browser.")
        expect(verdict).to_contain_text("V6 to V13 were not checked")
        assert "valid" not in verdict.inner_text().lower()
        assert said(shown) == {**dict.fromkeys(IN_THE_BROWSER, "passed"), **dict.fromkeys(BY_THE_SERVICE, "")}
        assert sent == []


def test_what_the_browser_did_not_establish_is_not_checked(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        for data, policy, open_checks in (
            (house.honest, "", {"V3": "Without a policy", "V4": "Without a policy"}),
            (house.forged, house.policy, {"V5": "seed is not revealed before"}),
            (unsealed(house.honest), house.policy, {"V3": "No published checkpoint", "V4": "No published checkpoint"}),
        ):
            examine(shown, data, policy)
            expect(shown.locator("#verdict")).to_contain_text("could not check all of them")
            answers = said(shown)
            for code in IN_THE_BROWSER:
                status, _, why = answers[code].partition(": ")
                fine = open_checks.get(code, "") in why and status == ("not checked" if why else "passed")
                assert fine, answers


def test_the_browser_refuses_a_quorum_that_no_witness_signed(house: House, opened: Browser) -> None:
    witnessed = house.policy.replace("quorum none", f"witness W {WITNESS.verifier}\nquorum W")
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, house.honest, witnessed)
        expect(shown.locator("#verdict")).to_contain_text("too few witnesses cosigned")


def test_the_rest_is_the_services_word_and_told_as_such(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, house.honest, house.policy, ask=True)
        expect(shown.locator("#verdict")).to_contain_text("By the word of this service it is valid")
        report = judged(shown, house.honest)
        for row in report["checks"]:
            if row["code"] in BY_THE_SERVICE:
                why = f": {row['why_not']}" if row["status"] == "not checked" else ""
                spoken = {"not applicable": "does not apply"}.get(row["status"], row["status"])
                assert said(shown)[row["code"]] == spoken + why
        for code in ("V5", "V6"):
            where = "in this browser" if code in IN_THE_BROWSER else "by this service"
            expect(shown.locator(f'[data-check="{code}"]')).to_contain_text(where)
        expect(shown.locator("#verdict li", has_text="chance is of level")).to_be_attached()  # the service's notes
        picture(shown, "verify")


def judged(shown: Page, data: bytes) -> dict[str, Any]:
    """The report of the service itself."""
    answer = shown.request.post(f"{shown.url.split('/verify')[0]}/v1/verify", data=data, headers=JSON)
    report: dict[str, Any] = answer.json()
    return report


def test_a_result_that_nobody_recomputed_is_not_called_valid(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, house.unknown, house.policy, ask=True)
        expect(shown.locator("#verdict")).to_contain_text("there is no verdict")
        answers = said(shown)
        assert answers["V7"].startswith("not checked: ")
        assert answers["V8"].startswith("not checked: ")
        shown.route("**/bundle?*", lambda route: route.fulfill(body=house.unknown))
        shown.goto(f"{house.url}/games/{json.loads(house.honest)['stream']}")
        shown.get_by_role("button", name="Verify").click()
        expect(shown.locator(".seal.open")).to_have_text("– Not decided: the result was not recomputed")


def test_a_move_made_up_by_the_operator_is_found_only_by_the_rules(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, house.forged, house.policy)
        expect(shown.locator("#verdict")).to_contain_text("V6 to V13 were not checked")
        examine(shown, house.forged, house.policy, ask=True)
        expect(shown.locator("#verdict")).to_contain_text(f"Wrong (V7), event {house.at}.")
        answered = said(shown)
        assert [answered[code] for code in ("V1", "V7", "V8")] == ["passed", "failed", "not reached"]


def test_an_archive_is_checked_bundle_by_bundle_in_the_browser(house: House, opened: Browser) -> None:
    archive = pack([(stream_of(data), data) for data in (house.honest, house.forged)])
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        sent = cut_off(shown)
        examine(shown, archive, house.policy)
        expect(shown.locator("#verdict")).to_contain_text("Bundles in the archive: 2.")
        answers = said(shown)
        assert {answers[code] for code in ("V1", "V2", "V3", "V4")} == {"passed (2 of 2)"}
        assert answers["V5"].startswith("not checked (1 of 2): ")
        assert (answers["V7"], sent) == ("", [])


def test_the_service_judges_an_archive_and_names_the_bundle_that_is_wrong(house: House, opened: Browser) -> None:
    archive = pack([(stream_of(data), data) for data in (house.honest, house.forged)])
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, archive, house.policy, ask=True)
        verdict = shown.locator("#verdict")
        expect(verdict).to_contain_text(f"Bundle {stream_of(house.forged)}:")
        expect(verdict).to_contain_text(f"Wrong (V7), event {house.at}.")
        assert said(shown)["V6"].startswith("not checked (1 of 2): ")
        assert said(shown)["V7"] == "failed (1 of 2)"
        picture(shown, "verify-archive")


def test_what_is_no_archive_of_its_manifest_is_refused(house: House, opened: Browser) -> None:
    sound = pack([(stream_of(house.honest), house.honest)])
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        for archive, says in (
            (b"PK\x03\x04", "a damaged zip file"),
            (sound[:-40], "a damaged zip file"),
            (
                repacked(sound, lambda name, data: (name, data.replace(b"play", b"plan"))),
                "is not the one of",
            ),
            (repacked(sound, lambda name, data: (name.replace("bundle", "bungle"), data)), "not those of its manifest"),
            (repacked(sound, lambda name, data: None if name == "archive.json" else (name, data)), "no manifest"),
            (repacked(sound, lambda name, data: (name, data), zipfile.ZIP_BZIP2), "neither stored nor deflated"),
        ):
            examine(shown, archive, house.policy, ask=True)
            expect(shown.locator("#verdict")).to_contain_text("The archive is refused")
            expect(shown.locator("#verdict")).to_contain_text(says)


def stream_of(data: bytes) -> UUID:
    return UUID(json.loads(data)["stream"])


def repacked(
    archive: bytes, change: Callable[[str, bytes], tuple[str, bytes] | None], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    """The archive with its files changed, renamed or left out."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as read, zipfile.ZipFile(made, "w", method) as written:
        for name in read.namelist():
            if (file := change(name, read.read(name))) is not None:
                written.writestr(*file)
    return made.getvalue()


def test_the_mark_of_a_replay_names_the_event_that_the_service_finds_wrong(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.route("**/bundle?*", lambda route: route.fulfill(body=house.forged))
        shown.goto(f"{house.url}/games/{json.loads(house.honest)['stream']}")
        shown.get_by_role("button", name="Verify").click()
        expect(shown.locator(".seal.broken")).to_have_text("✗ Not valid")
        expect(shown.locator("#verdict")).to_contain_text(f"Check V7 found something wrong at event {house.at}:")
        expect(shown.locator("[data-check=V7]")).to_contain_text("failed · by the service")


def test_what_is_wrong_in_the_chain_is_named_at_its_event_and_not_sent(house: House, opened: Browser) -> None:
    changed = house.honest.replace(b"play create_2", b"play create_3", 1)
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        sent: list[str] = []
        shown.on("request", lambda request: sent.append(request.url) if "/v1/" in request.url else None)
        examine(shown, changed, house.policy, ask=True)
        expect(shown.locator("#verdict")).to_contain_text("Wrong (V2), event 6.")
        assert list(said(shown).values())[:5] == ["passed", "failed", "not reached", "not reached", "not reached"]
        assert sent == []
        examine(shown, house.honest, house.policy.replace("log ", "log x", 1))
        expect(shown.locator("#verdict")).to_contain_text("This could not be examined")


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


READ = """
async (files) => {
  const { readArchive } = await import("/static/verify/archive.js");
  const read = (file) => readArchive(Uint8Array.from(atob(file), (c) => c.charCodeAt(0)));
  return Promise.all(files.map(async (file) => (await read(file)).map(({ stream, data }) => [stream, data.length])));
}
"""


def test_the_browser_reads_archives_of_tournaments_as_the_others_do(house: House, opened: Browser) -> None:
    files = [path.read_bytes() for path in sorted(Path(corpus.__file__).parent.glob("*/*.zip"))]
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        found = shown.evaluate(READ, [base64.b64encode(data).decode() for data in files])
    contents = [unpack(data).games for data in files]
    assert contents
    assert found == [sorted([str(stream), len(data)] for stream, data in games.items()) for games in contents]


def test_the_browser_refuses_malformed_promises_by_the_same_event(house: House, opened: Browser) -> None:
    files = [chosen_seed(1), chosen_seed(2), without_commitment(1), without_links(whole_chain())]
    files += [unproved(told) for kind in sorted(verify_standalone.PROMISES) for told, *_ in misshapen(kind)][::4]
    with page(opened, DESKTOP) as shown:
        shown.goto(f"{house.url}/verify")
        found = shown.evaluate(JUDGE, [str(POLICY), [base64.b64encode(data).decode() for data in files]])
    assert found == json.loads(json.dumps([judged_alone(data) for data in files]))


def whole_chain() -> int:
    """The first move of a game of level 3."""
    return first(bodies(ChanceLevel.CHAINED, NO_CLOCK, 8), is_move)


def test_the_page_keeps_nobody_out_and_fits_a_phone(house: House, opened: Browser) -> None:
    with page(opened, PHONE, dark=True) as shown:
        shown.goto(f"{house.url}/verify")
        examine(shown, house.honest, house.policy, ask=True)
        expect(shown.locator("#verdict")).to_contain_text("By the word of this service")
        assert barriers(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        picture(shown, "verify-phone")


def test_the_page_and_its_scripts_are_served(client: FlaskClient) -> None:
    shown = client.get("/verify")
    assert shown.status_code == 200
    assert re.search(r'src="/static/[^"]*verify/page\.js"', shown.text)
    for script in SCRIPTS.glob("*.js"):
        with client.get(f"/static/verify/{script.name}") as served:
            assert served.data == script.read_bytes()
