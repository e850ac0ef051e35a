"""Every page of the application, found by its routes: axe finds nothing, and nothing scrolls sideways.

`deploy/test --pages` goes through all languages and both themes, and takes a picture of every page at three widths.
"""

import re

import pytest
from playwright.sync_api import Browser

from tests.support.service.browser import EVERYTHING, LOCALES, PHONE, page, picture
from tests.support.service.page_layout import SIZES
from tests.support.service.page_tour import PageTour
from tests.support.service.running_service import House

WIDE = "document.documentElement.scrollWidth"


@pytest.mark.timeout(1_800 if EVERYTHING else 300)
@pytest.mark.parametrize("locale", LOCALES)
def test_no_page_keeps_people_out_or_scrolls_sideways(house: House, opened: Browser, locale: str) -> None:
    faults = list[str]()
    with page(opened, PHONE, forgiving=("404",)) as shown:
        tour, seen = PageTour(shown, house), 0
        tour.speak(locale[:2])
        for path in tour.pages():
            seen += 1
            faults += [f"{path}: {fault}" for fault in tour.faults()]
            for size in SIZES if EVERYTHING else ():
                shown.set_viewport_size(size)
                faults += [f"{path} is wider than {size['width']}"] if shown.evaluate(WIDE) > size["width"] else []
                if locale == LOCALES[0]:
                    picture(shown, f"page-{_name(path)}-{size['width']}")
            shown.set_viewport_size(PHONE)
            faults += [f"{path} is wider than a phone"] if shown.evaluate(WIDE) > PHONE["width"] else []
    assert seen > 40
    assert not faults, "\n".join(faults)


def _name(path: str) -> str:
    """Returns the name of a page's picture: its path without ids."""
    return re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "id", path.partition("?")[0]).strip("/").replace("/", "-") or "home"
