"""Pages of studies, as tests of them open and read them in a browser."""

import re

from playwright.sync_api import Page, expect

from tests.support.service.annotators import Study, begin
from tests.support.service.browser_players import come_in
from tests.support.service.players import somebody
from tests.support.service.running_service import House


def shown(watched: Page, place: str, chapter: int = 1) -> None:
    """Waits until the board and the address show this place."""
    expect(watched.locator(f'#board[data-place="{place}"]')).to_be_attached()
    expect(watched).to_have_url(re.compile(f"#{chapter}/{place}$"))


def writing(house: House, watched: Page) -> Study:
    """Registers a player in the browser. Returns a study of that player."""
    name = come_in(watched, house.url)
    owner = somebody(house.app.test_client())
    made = begin(owner, house.games["spice_road"], title="Ours", visibility="unlisted")
    made.edit("member", player=name, role="writer")
    return made


def of(study: Study) -> str:
    """Returns the game of the first chapter."""
    return str(study.chapter()["of"])
