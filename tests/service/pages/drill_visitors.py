"""Every page as visitors without an account see it, also the pages closed to them; `deploy/test --pages` opens them."""

import pytest
from playwright.sync_api import Browser

from tests.support.service.browser import PHONE, page
from tests.support.service.browser_players import play_now
from tests.support.service.page_faults import gone_through
from tests.support.service.page_tour import PageTour, speak
from tests.support.service.running_service import House

REFUSALS = ("404", "403")  # the browser writes the status of a page into its console
LANGUAGE = "hu"  # the longest words


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize("guest", [False, True], ids=["nobody", "guest"])
def test_no_page_keeps_visitors_without_an_account_out(house: House, opened: Browser, guest: bool) -> None:
    with page(opened, PHONE) as shown, page(opened, PHONE, forgiving=REFUSALS) as visitor:
        tour = PageTour(shown, house)
        if guest:
            play_now(visitor, house.url)
        speak(visitor, house.url, LANGUAGE)
        seen, faults = gone_through(visitor, tour.pages(visitor=visitor))
    assert seen > 40
    assert not faults, "\n".join(faults)
