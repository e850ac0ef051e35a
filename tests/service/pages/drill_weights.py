"""The weight of every page that the bench opens, with an empty cache; `deploy/test --pages` weighs them."""

import pytest
from playwright.sync_api import Browser

from deploy.bench.opened_pages.weights import every_page, too_heavy
from tests.support.service.annotators import begin
from tests.support.service.players import somebody
from tests.support.service.running_service import House


@pytest.mark.timeout(600)
def test_no_page_weighs_more_than_the_aim(house: House, table_house: str, opened: Browser) -> None:
    study = begin(somebody(house.app.test_client()), house.games["five"], visibility="public")
    rows = every_page(opened, table_house, house.games["five"], study.id, times=1)
    assert {"home", "play", "study", "game"} <= set(rows)
    assert too_heavy(rows) == []
