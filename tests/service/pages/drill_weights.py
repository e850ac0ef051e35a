"""The weight and the steadiness of every page that the bench opens; `deploy/test --pages` measures them."""

import pytest
from playwright.sync_api import Browser

from deploy.bench.opened_pages.weights import every_page, too_heavy, unsteady
from tests.support.service.annotators import begin
from tests.support.service.players import somebody
from tests.support.service.running_service import House


@pytest.mark.timeout(600)
def test_no_page_is_too_heavy_or_unsteady(house: House, table_house: str, opened: Browser) -> None:
    study = begin(somebody(house.app.test_client()), house.games["five"], visibility="public")
    rows = every_page(opened, table_house, house.games["five"], study.id, times=1)
    assert {"home", "play", "study", "game"} <= set(rows)
    assert too_heavy(rows) == []
    assert unsteady(rows) == []
