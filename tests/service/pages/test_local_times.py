"""Times on pages are elements that a script writes in the zone of the reader, or name their zone themselves."""

import re
from pathlib import Path
from typing import Final

import pytest
from flask import Flask
from playwright.sync_api import Browser, Page, expect

import service.pages
from tests.support.service.browser import DESKTOP, page
from tests.support.service.page_tour import speak
from tests.support.service.running_service import House
from tests.support.service.tournament_fixture import Hall

PAGES: Final = Path(service.pages.__file__).parent
CUT: Final = re.compile(r"\[:1[06]\]|\[11:1[69]\]")  # a time in ISO 8601 that is cut into words
ELEMENT: Final = re.compile(r"<time [^>]*datetime=.*?</time>")
OTHERWISE: Final = {  # what is cut outside of elements
    "_declared.html": "the time at the place of the tournament, with its zone, beside an element",
    "_ratings.html": "the day of a point in a chart, in its tip",
    "ratings.html": "the beginning of a hash",
}
BROWSERS: Final = re.compile(r"toLocale(Date|Time)?String\(|DateTimeFormat\(")
OTHER_SCRIPTS: Final = {  # scripts beside local_times.js that ask the browser for words of a time
    "settings/push.js": "reads the name of the zone",
    "settings/tab_notices.js": "compares the clock of the zone with quiet hours",
}


def test_times_in_templates_are_elements() -> None:
    templates = (PAGES / "templates").rglob("*.html")
    cut = {path.name for path in templates if CUT.search(ELEMENT.sub("", path.read_text()))}
    assert cut == OTHERWISE.keys()


def test_scripts_write_times_by_one_function() -> None:
    scripts = {path.relative_to(PAGES / "static").as_posix(): path for path in (PAGES / "static").rglob("*.js")}
    found = {name for name, path in scripts.items() if BROWSERS.search(path.read_text())}
    assert found == {"local_times.js", *OTHER_SCRIPTS}


def test_a_tournament_tells_its_times_to_readers_anywhere(app: Flask) -> None:
    heats = {"format": "heats", "rounds": 1, "sizes": [4]}
    times = {"starts": "2026-12-18T12:00:00Z", "ends": "2026-12-18T15:00:00Z", "time_zone": "America/Puerto_Rico"}
    hall = Hall(app, [heats], **times).open()
    shown = hall.client.get(f"/tournaments/{hall.id}").get_data(as_text=True)
    assert re.search(r'<time datetime="2026-12-18T12:00:00[^"]*">2026-12-18 12:00 UTC</time> '
                     r"\(2026-12-18 08:00 America/Puerto_Rico\)", shown)  # fmt: skip


@pytest.mark.parametrize(("locale", "day"), [("en-GB", "18/12/2026"), ("en-US", "12/18/2026"), ("de-DE", "12/18/2026")])
def test_dates_are_written_as_in_the_country_of_the_reader(
    house: House, opened: Browser, locale: str, day: str
) -> None:
    with page(opened, DESKTOP, locale=locale) as shown:
        shown.goto(f"{house.url}/lobby")
        writes(shown, day)


def test_dates_in_icelandic_are_icelandic_in_every_browser(house: House, opened: Browser) -> None:
    with page(opened, DESKTOP, locale="en-US") as shown:
        speak(shown, house.url, "is")
        shown.goto(f"{house.url}/lobby")
        writes(shown, "18.12.2026")


def writes(shown: Page, day: str) -> None:
    """See that a time on a page is written with this day."""
    shown.evaluate("""() => {
      const time = Object.assign(document.createElement("time"), { dateTime: "2026-12-18T12:00:00Z" });
      document.querySelector("main").append(time);
    }""")
    expect(shown.locator("main > time")).to_contain_text(day)
