"""Whole games of each kind in a browser, by each kind of input, at three widths; `deploy/test --pages` plays them."""

import pytest
from playwright.sync_api import Browser

from tests.support.service.running_service import House
from tests.support.service.whole_games import GAMES, play_whole_game

WAYS = ("keyboard", "pointer", "tree")


@pytest.mark.timeout(1_500)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played(house: House, table_house: str, opened: Browser, name: str, way: str) -> None:
    play_whole_game(house, table_house, opened, name, way)
