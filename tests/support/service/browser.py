"""A real browser for tests: Debian's Chromium, driven by Playwright; it keeps what goes wrong on a page."""

import os
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, ViewportSize, expect, sync_playwright

from deploy.bootstrap import BROWSERS
from tests.support.running_program import PATIENCE

FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
EVERYTHING = bool(os.environ.get("CABILDO_ALL_PAGES"))  # screenshots, and every language instead of the longest words
LOCALES = ("en-GB", "is-IS", "sv-SE", "cs-CZ", "hu-HU") if EVERYTHING else ("hu-HU",)
ARTEFACTS = Path(__file__).parents[3] / ".artefacts"
DESKTOP: ViewportSize = {"width": 1366, "height": 900}
ZOOMED: ViewportSize = {"width": 683, "height": 450}  # the desktop at 200%
PHONE: ViewportSize = {"width": 390, "height": 844}
expect.set_options(timeout=PATIENCE * 1_000)
MISSING = "the tests of the pages take Debian's chromium: apt-get install chromium (deploy/test does it as root)"


def chromium() -> str:
    """Returns the path of the browser; fails with the missing package."""
    found = os.environ.get("CABILDO_CHROMIUM") or next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        pytest.fail(MISSING)
    return found


@contextmanager
def browser() -> Iterator[Browser]:
    """A browser with a directory of its own, closed at the end."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), headless=True, args=list(FLAGS))
        try:
            yield running
        finally:
            running.close()


@contextmanager
def page(
    running: Browser,
    size: ViewportSize,
    dark: bool = False,
    forgiving: Sequence[str] = (),
    locale: str = "en-GB",
    touch: bool = False,
) -> Iterator[Page]:
    """A page of a size; fails on messages in its console, except the allowed ones."""
    colours: Literal["dark", "light"] = "dark" if dark else "light"
    context = running.new_context(viewport=size, color_scheme=colours, locale=locale, has_touch=touch)
    context.set_default_timeout(PATIENCE * 1_000)
    shown, complaints = context.new_page(), list[str]()
    shown.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    shown.on("pageerror", lambda error: complaints.append(str(error)))
    try:
        yield shown
        assert not [said for said in complaints if not any(known in said for known in forgiving)], complaints
    finally:
        context.close()


def barriers(shown: Page) -> list[str]:
    """Returns the barriers that axe finds on a page, with the first element of each kind."""
    found = Axe().run(shown).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html'][:200]} {one['nodes'][0]['failureSummary']}" for one in found]


def picture(shown: Page, name: str, whole: bool = True) -> None:
    """Saves a screenshot where pictures are asked for: they take longer than most of what a test asks of a page."""
    if not EVERYTHING:
        return
    ARTEFACTS.mkdir(exist_ok=True)
    shown.screenshot(path=ARTEFACTS / f"{name}.png", full_page=whole)
