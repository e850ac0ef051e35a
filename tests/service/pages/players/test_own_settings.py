"""Own settings: kept in the account or the browser, there at the first paint; colours that everybody tells apart."""

import re
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, ViewportSize, expect

from service import pages as pages_package
from service.players.preferences.values import CHOICES, Appearance
from tests.support.service.browser import DESKTOP, PHONE, barriers, page, picture
from tests.support.service.running_service import House
from tests.support.service.scriptless_browser import BROWSER, Visitor
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
PAGE: Final = "/account/settings"
TABLET: Final[ViewportSize] = {"width": 1024, "height": 800}
STATIC: Final = Path(pages_package.__file__).parent / "static"
DARK: Final = {"theme": "dark", "motion": "off", "colours": "safe", "sounds": "all", "confirm": "all", "volume": "35"}


def attributes(text: str) -> dict[str, str]:
    """Returns the settings on the page's first element."""
    opening = re.search(r"<html[^>]*>", text)
    assert opening is not None
    unusual = re.findall(r'data-(\w+)="([^"]*)"', opening[0])
    return {**{name: str(value) for name, value in Appearance()._asdict().items()}, **dict(unusual)}


def test_a_browser_without_an_account_keeps_its_settings(app: Flask) -> None:
    client = app.test_client()
    assert attributes(client.get("/", headers=BROWSER).text)["theme"] == "system"
    answer = client.post(PAGE, data=DARK, headers=BROWSER)
    assert (answer.status_code, answer.location) == (303, f"{PAGE}?done=done")
    for path in ("/", "/lobby", "/login", PAGE):
        assert attributes(client.get(path, headers=BROWSER).text) == DARK
    assert client.post(PAGE, data={"theme": "pink"}, headers=BROWSER).status_code == 422
    assert attributes(client.get("/", headers=BROWSER).text) == DARK
    client.set_cookie("cabildo_appearance", "theme=<script>&volume=9999&motion=off&&&" + "x=1&" * 50)
    assert attributes(client.get("/", headers=BROWSER).text)["theme"] in CHOICES["theme"]


def test_an_account_has_its_settings_on_every_device(app: Flask) -> None:
    ada, name = Visitor(app.test_client(), "Ada Anywhere"), "Ada Anywhere"
    assert ada.client.post(PAGE, data=DARK, headers=BROWSER).status_code == 403  # another site's form
    assert ada.send(PAGE, **DARK).status_code == 303
    other = app.test_client()
    assert other.post("/v1/session", json={"name": name, "password": "correct horse"}).status_code == 201
    assert attributes(other.get("/lobby", headers=BROWSER).text) == DARK
    assert ada.send(PAGE, theme="light").status_code == 303  # one alone, as the page of a game sends it
    assert attributes(other.get("/lobby", headers=BROWSER).text) == {**DARK, "theme": "light"}


def test_the_page_shows_a_choice_at_once_and_themes_are_readable(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        shown.goto(house.url + PAGE)
        assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(246, 240, 226)"
        shown.locator("[name=theme][value=dark]").check()
        assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(25, 21, 17)"
        assert barriers(shown) == []
        picture(shown, "settings-dark-1366")
        shown.locator("[name=colours][value=safe]").check()
        shown.locator("#appearance button.main").click()
        expect(shown.locator(".done")).to_be_visible()
        assert shown.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(25, 21, 17)"
        shown.locator("[name=theme][value=light]").check()
        assert barriers(shown) == []
        for size in (PHONE, TABLET):
            shown.set_viewport_size(size)
            assert shown.evaluate("document.documentElement.scrollWidth <= innerWidth")
            picture(shown, f"settings-{size['width']}")
        shown.goto(house.replay("five", 41))
        shown.locator("#board:not([aria-busy]) .mat").first.wait_for()
        picture(shown, "settings-safe-colours", whole=False)


COUNT: Final = """() => {
  window.flights = window.moved = 0;
  const isFlight = (node) => node.className === "in-flight";
  new MutationObserver((found) => found.flatMap((one) => [...one.addedNodes]).filter(isFlight).forEach(() => {
    window.flights += 1;
    window.moved += document.getAnimations().filter(({ playState }) => playState === "running").length;
  })).observe(document.body, { childList: true });
}"""


def flights(shown: Page, key: str, steps: int) -> int:
    """Goes some steps on; returns how often pieces moved meanwhile."""
    before = shown.evaluate("window.flights")
    for _ in range(steps):
        board = shown.locator("#board")
        was = board.get_attribute("data-version") or ""
        shown.keyboard.press(key)
        expect(board).not_to_have_attribute("data-version", was)
    return int(shown.evaluate("window.flights")) - int(before)


def test_pieces_move_when_they_may_and_leave_nothing_behind(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP) as shown:
        for name in ("five", "caravans"):
            shown.emulate_media(reduced_motion="no-preference")
            shown.goto(house.replay(name, 41))
            shown.locator("#board:not([aria-busy]) .mat").first.wait_for()
            shown.evaluate(COUNT)
            assert flights(shown, "ArrowRight", 6) > 0
            expect(shown.locator(".in-flight")).to_have_count(0)
            assert shown.evaluate("window.moved") > 0
            shown.emulate_media(reduced_motion="reduce")
            assert flights(shown, "ArrowLeft", 6) == 0
            shown.evaluate("document.documentElement.dataset.motion = 'on'")  # the reader's own choice comes first
            assert flights(shown, "ArrowRight", 6) > 0
            shown.evaluate("document.documentElement.dataset.motion = 'off'")
            assert flights(shown, "ArrowLeft", 6) == 0


def test_times_are_those_of_the_reader_and_name_their_zone(house: House, opened: Browser) -> None:
    context = opened.new_context(timezone_id="Europe/Prague", locale="cs-CZ")
    shown = context.new_page()
    shown.goto(house.url + "/lobby?status=finished")
    time = shown.locator("time[data-local]").first
    expect(time).to_have_text(re.compile(r"\d\d\. \d\d\. 20\d\d,? \d\d:\d\d (SEČ|SELČ|CET|CEST|GMT\+[12])$"))
    assert (time.get_attribute("title") or "").endswith(" UTC")
    context.close()


# How people see who lack one kind of cones (Machado, Oliveira, Fernandes 2009), on linear RGB.
DEFICIENCIES: Final = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.01182, 0.04294, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.3039)),
}
LEAST_DIFFERENCE: Final = 15  # of CIELAB 1976; neighbours in a photograph differ by some 2 to be seen


def lab(colour: str, matrix: tuple[tuple[float, ...], ...]) -> tuple[float, float, float]:
    """Returns the colour as it is seen, in CIELAB."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    red, green, blue = (min(max(sum(m * c for m, c in zip(row, linear, strict=True)), 0), 1) for row in matrix)
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


@pytest.mark.parametrize("kind", DEFICIENCIES)
def test_safe_colours_differ_for_everybody(kind: str) -> None:
    style = (STATIC / "colours.css").read_text()
    fills: dict[str, str] = {}
    for selectors, colour in re.findall(r"([^{}]+)\{ (?:fill|background): (#[0-9a-f]{6}); \}", style):
        fills |= dict.fromkeys(re.findall(r"\] (\.[\w.-]+)", selectors), colour)
    sets = (
        (".corn", ".indigo", ".sugar", ".tobacco", ".coffee"),
        (".turmeric", ".saffron", ".cardamom", ".cinnamon"),
        tuple(f".badge.seat-{seat}" for seat in range(5)),
    )
    seen = {name: lab(colour, DEFICIENCIES[kind]) for name, colour in fills.items()}
    for alike in sets:
        for one, other in combinations(alike, 2):
            difference = sum((a - b) ** 2 for a, b in zip(seen[one], seen[other], strict=True)) ** 0.5
            assert difference >= LEAST_DIFFERENCE, (kind, one, other, difference)
