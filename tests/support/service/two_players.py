"""Fixtures of two players of a running service: Anna, whose pages are open in a browser, and Birgir."""

from uuid import uuid4

import pytest

from tests.support.service.browser_players import PASSWORD
from tests.support.service.players import Person, somebody
from tests.support.service.running_service import House


@pytest.fixture
def anna(house: House) -> Person:
    """The reader of the page, who can log in."""
    return Person(house.app.test_client(), f"Anna {uuid4().hex[:8]}", password=PASSWORD)


@pytest.fixture
def birgir(house: House) -> Person:
    """Another player."""
    return somebody(house.app.test_client())
