"""States of pages that no address shows: axe finds nothing in them, and each has its pictures; for `--pages`."""

import pytest
from playwright.sync_api import Browser

from tests.support.service.browser import PHONE, page, picture
from tests.support.service.page_faults import faults_at_every_width
from tests.support.service.page_layout import SIZES
from tests.support.service.page_states import STATES
from tests.support.service.running_service import House

SHEETS = ("hotseat-cover", "moves", "confirmation")  # they lie over the page
REFUSALS = ("401", "403", "404", "409", "422", "429")  # the browser writes the status of an answer into its console


@pytest.mark.timeout(600)
@pytest.mark.parametrize("state", STATES)
def test_no_state_keeps_people_out(house: House, table_house: str, opened: Browser, state: str) -> None:
    with page(opened, PHONE, forgiving=REFUSALS) as shown:
        STATES[state](shown, house)
        for size in reversed(SIZES):  # sheets open on a phone alone
            shown.set_viewport_size(size)
            for scheme in ("light", "dark"):
                shown.emulate_media(color_scheme=scheme)
                picture(shown, f"state-{state}-{size['width']}-{scheme}", whole=state not in SHEETS)
        shown.emulate_media(color_scheme="light")
        assert [*faults_at_every_width(shown)] == []
