"""A request takes one connection at a time: with a pool of one, every read of a tournament game is answered."""

from collections.abc import Iterator
from http import HTTPStatus

import pytest
from flask import Flask

from tests.support.service.tournament_fixture import Hall

READS = (
    "/v1/games/{game}",
    "/v1/games/{game}/position",
    "/v1/games/{game}/legal",
    "/v1/games/{game}/replay",
    "/v1/games/{game}/events",
    "/v1/games/{game}/bundle",
    "/v1/games",
    "/v1/tournaments/{tournament}",
    "/v1/tournaments/{tournament}/rounds",
    "/v1/tournaments/{tournament}/standings",
    "/v1/tournaments/{tournament}/entrants",
    "/v1/tournaments/{tournament}/archive",
    "/games/{game}",
    "/",
    "/lobby",
    "/tournaments/{tournament}",
)


@pytest.fixture(scope="module")
def hall(app: Flask) -> Hall:
    """A round of bots that was played."""
    hall = Hall(app, [{"format": "swiss", "rounds": 1, "sizes": [4]}], bots="random").open(bots=4)
    hall.direct("stages")
    hall.round()
    hall.direct("stages/current/closing")
    hall.direct("closing")
    return hall


@pytest.fixture
def pool_of_one(hall: Hall) -> Iterator[None]:
    """The application with a single connection."""
    pool = hall.container.stores.pool
    size = pool.min_size, pool.max_size
    pool.resize(1, 1)
    hall.container.tournaments._cache.clear()
    hall.container.games._cache.clear()
    yield
    pool.resize(*size)


@pytest.mark.usefixtures("pool_of_one")
@pytest.mark.parametrize("path", READS)
def test_a_read_needs_no_second_connection(hall: Hall, path: str) -> None:
    answer = hall.client.get(path.format(game=hall.games()[0], tournament=hall.id))
    assert answer.status_code == HTTPStatus.OK, answer.text
