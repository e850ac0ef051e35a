"""Notices on the pages: the form of what is told, a browser that takes pushes, a tab in the background."""

import json
from typing import Any, Final

from playwright.sync_api import Browser, Page, expect

from events.store.connections import connect
from service.notices.notice_keys import vapid_key
from tests.support.running_program import eventually
from tests.support.service.browser import DESKTOP, PHONE, barriers, page
from tests.support.service.browser_players import come_in, sit_down
from tests.support.service.page_tour import send
from tests.support.service.players import somebody
from tests.support.service.running_service import House, keep

SETTINGS: Final = "/account/settings"
OWN: Final = "fetch('/v1/me/settings').then((answer) => answer.json())"
CHANGE: Final = """([body, csrf]) => {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrf };
  return fetch("/v1/me/settings", { method: "PATCH", body, headers }).then((answer) => answer.status);
}"""
TOLD: Final = """() => {
  window.told = [];
  window.away = false;
  window.Notification = class extends EventTarget {
    static permission = "granted";
    static requestPermission = async () => "granted";
    constructor(title, options) { super(); window.told.push([title, options.tag]); }
  };
  Object.defineProperty(document, "hidden", { get: () => window.away });
}"""
LEAVE: Final = "(away) => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }"
PUSH: Final = """() => {
  let stored = null;
  Notification.requestPermission = async () => "granted";
  Object.defineProperty(Notification, "permission", { get: () => "granted" });
  const made = (options) => ({
    toJSON: () => ({ endpoint: "https://93.184.215.14/push", keys: { p256dh: window.keys[0], auth: window.keys[1] } }),
    unsubscribe: async () => { stored = null; return true; },
    key: options.applicationServerKey.length,
  });
  PushManager.prototype.getSubscription = async () => stored;
  PushManager.prototype.subscribe = async (options) => {
    window.asked = options.userVisibleOnly;
    return (stored = made(options));
  };
  window.keys = ["B".repeat(87), "A".repeat(22)];
}"""


def own(shown: Page) -> dict[str, Any]:
    """The settings of the reader."""
    settings: dict[str, Any] = shown.evaluate(OWN)
    return settings


def test_the_form_stores_what_is_told(house: House, opened: Browser) -> None:
    with page(opened, PHONE) as shown:
        come_in(shown, house.url)
        shown.goto(house.url + SETTINGS)
        shown.get_by_label("It is your turn: E-mail").check()
        shown.get_by_label("An open table ends soon: Browser").check()
        shown.get_by_label("A round is published: Tab in the background").check()
        shown.get_by_label("From", exact=True).fill("22:30")
        shown.get_by_label("Until").fill("07:00")
        shown.get_by_label("Time zone").fill("Europe/Prague")
        assert barriers(shown) == []
        assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
        shown.locator("#notices button.main").click()
        expect(shown.locator(".done")).to_be_visible()
        expect(shown.get_by_label("It is your turn: E-mail")).to_be_checked()
        stored = own(shown)
        assert stored["notify"] == {"turn": ["mail"], "time": [], "expires": ["push"], "over": [], "round": ["tab"]}
        assert (stored["quiet_hours"], stored["time_zone"]) == ({"from": "22:30", "until": "07:00"}, "Europe/Prague")


def test_a_wrong_form_of_notices_is_refused_and_changes_nothing(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP, forgiving=("422",)) as shown:
        come_in(shown, house.url)
        shown.goto(house.url + SETTINGS)
        shown.get_by_label("It is your turn: E-mail").check()
        shown.get_by_label("Time zone").fill("Middle/Earth")
        shown.locator("#notices button.main").click()
        expect(shown.locator("main .refused")).to_contain_text("is no time zone")
        expect(shown.get_by_label("It is your turn: E-mail")).to_be_checked()
        expect(shown.get_by_label("Time zone")).to_have_value("Middle/Earth")
        assert own(shown)["notify"]["turn"] == []


def test_half_of_the_quiet_hours_is_refused_and_nothing_chosen_is_lost(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP, forgiving=("422",)) as shown:
        come_in(shown, house.url)
        shown.goto(house.url + SETTINGS)
        shown.get_by_label("It is your turn: E-mail").check()
        shown.get_by_label("From", exact=True).fill("22:30")
        shown.locator("#notices button.main").click()
        expect(shown.locator("main .refused")).to_contain_text("Quiet hours take both times")
        expect(shown.get_by_label("It is your turn: E-mail")).to_be_checked()
        expect(shown.get_by_label("From", exact=True)).to_have_value("22:30")
        assert own(shown)["notify"]["turn"] == []


def test_a_browser_begins_and_ends_to_take_pushes(house: House, opened: Browser) -> None:
    here = house.app.extensions["cabildo"]
    with connect(house.environ["DATABASE_URL"]) as connection:
        vapid_key(connection, here.vault, here.now())  # as the keeper makes it
    with page(opened, DESKTOP) as shown:
        shown.add_init_script(f"({PUSH})()")
        come_in(shown, house.url)
        shown.goto(house.url + SETTINGS)
        state = shown.locator("#push-state")
        expect(state).to_have_text("This browser takes no notices.")
        shown.get_by_role("button", name="Switch notices on").click()
        expect(state).to_have_text("This browser takes notices.")
        assert shown.evaluate("window.asked") is True
        assert shown.evaluate("fetch('/v1/me/push').then((answer) => answer.json())")["browsers"] == 1
        shown.get_by_role("button", name="Switch notices off").click()
        expect(state).to_have_text("This browser takes no notices.")


def test_a_tab_out_of_view_tells_of_the_turn(house: House, opened: Browser) -> None:
    other = somebody(house.app.test_client())
    with page(opened, DESKTOP) as shown:
        shown.add_init_script(f"({TOLD})()")
        come_in(shown, house.url)
        wanted = json.dumps({"notify": {"turn": ["tab"]}})
        game = sit_down(shown, house.url, "spice_road", "open")
        other.join(game)
        csrf = json.loads(shown.locator("#setting").inner_text())["csrf"]
        assert shown.evaluate(CHANGE, [wanted, csrf]) == 200
        first = "play create_2"
        with shown.expect_response(lambda answer: "status=running" in answer.url):  # asked for at each of the news
            keep(house.environ)
        shown.locator(f"#panel button[data-move='{first}']").click()
        expect(shown.locator("body.mine")).to_have_count(0)
        shown.evaluate(LEAVE, True)
        other.move(game, first)
        keep(house.environ)
        assert eventually(lambda: bool(shown.evaluate("window.told.length")))
        assert shown.evaluate("window.told") == [["It is your turn.", f"/games/{game}/play"]]
        shown.evaluate(LEAVE, False)
        send(shown, f"/v1/games/{game}/moves", {"move": "rest"})


def test_pages_can_be_put_on_a_home_screen(house: House, opened: Browser) -> None:
    with page(opened, PHONE) as shown:  # phones of one maker take pushes of such pages alone
        shown.goto(house.url)
        read = shown.context.new_cdp_session(shown).send("Page.getAppManifest")
        assert read["errors"] == []
        manifest = json.loads(read["data"])
        assert (manifest["display"], manifest["start_url"]) == ("standalone", "/mine")
        for path in (manifest["start_url"], *(icon["src"] for icon in manifest["icons"])):
            assert shown.request.get(house.url + path).ok
