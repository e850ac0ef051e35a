"""Every page of the application, found by its routes: axe finds nothing, and nothing scrolls sideways.

`deploy/test --pages` goes through all languages, widths and both themes, reads every document, and takes a picture of
every page at three widths in each language.
"""

import pytest
from playwright.sync_api import Browser

from tests.support.service.browser import EVERYTHING, LOCALES, PHONE, page
from tests.support.service.page_faults import gone_through
from tests.support.service.page_tour import PageTour, speak
from tests.support.service.running_service import House


@pytest.mark.timeout(3_600 if EVERYTHING else 300)
@pytest.mark.parametrize("locale", LOCALES)
def test_no_page_keeps_people_out_or_scrolls_sideways(house: House, opened: Browser, locale: str) -> None:
    with page(opened, PHONE, forgiving=("404",)) as shown:
        tour = PageTour(shown, house)
        speak(shown, house.url, locale[:2])
        seen, faults = gone_through(shown, tour.pages(), pictured=locale[:2])
        if EVERYTHING:
            faults += gone_through(shown, tour.pages(tour.documents()))[1]
    assert seen > 40
    assert not faults, "\n".join(faults)
