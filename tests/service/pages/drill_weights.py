"""The weight and the steadiness of every page that the bench opens; `deploy/test --pages` measures them."""

import pytest
from playwright.sync_api import Browser

from deploy.bench.opened_pages.weights import every_page, too_heavy, unsteady
from tests.support.projections.long_games import varied_record
from tests.support.service.annotators import begin
from tests.support.service.players import somebody
from tests.support.service.running_service import House


@pytest.mark.timeout(600)
def test_no_page_is_too_heavy_or_unsteady(house: House, table_house: str, opened: Browser) -> None:
    study = begin(somebody(house.app.test_client()), house.games["five"], visibility="public")
    long_game = somebody(house.app.test_client()).post("/v1/games/import", {"record": varied_record(2_600)})["id"]
    rows = every_page(opened, table_house, house.games["five"], study.id, times=1, long_game=long_game)
    assert {"home", "play", "study", "game", "long game"} <= set(rows)
    assert too_heavy(rows) == []
    assert unsteady(rows) == []
