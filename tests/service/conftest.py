"""The application over real stores."""

import base64
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import Browser

from deploy.local.stores import EmbeddedRedis
from service import settings
from service.app import create_app
from service.core.queues import BOT_GAMES
from tests.support.databases import Databases
from tests.support.service.browser import browser
from tests.support.service.browser_players import working
from tests.support.service.running_service import House, opened_house

Environ = dict[str, str]


def variables(database: str, redis_url: str, data_dir: Path) -> Environ:
    """The variables of a process that reaches these stores."""
    return {
        "DATABASE_URL": database,
        "REDIS_URL": redis_url,
        "CABILDO_DATA_DIR": str(data_dir),
        "CABILDO_REQUESTS_PER_MINUTE": "1000000",  # and faster than any client
        "CABILDO_LOGINS_PER_MINUTE": "1000000",  # tests log in and register from one address
        "CABILDO_REGISTRATIONS_PER_HOUR": "1000000",
        "CABILDO_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
    }


@pytest.fixture
def environ(database: str, redis_url: str, tmp_path: Path) -> Environ:
    """The variables of a process that reaches the stores of this test."""
    return variables(database, redis_url, tmp_path)


@contextmanager
def opened_app(environ: Environ, **changes: str) -> Iterator[Flask]:
    """The web application as gunicorn would make it, until the tests are through."""
    app = create_app(settings.load({**environ, **changes}))
    try:
        yield app
    finally:
        app.extensions["cabildo"].close()


@pytest.fixture
def app(environ: Environ) -> Iterator[Flask]:
    """The web application over the stores of this test."""
    with opened_app(environ) as app:
        yield app


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of the application."""
    return app.test_client()


@pytest.fixture(scope="session")
def opened() -> Iterator[Browser]:
    """A real browser."""
    with browser() as running:
        yield running


@pytest.fixture(scope="session")
def house(
    databases: Databases, redis_server: EmbeddedRedis, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """A running service with games to look at, shared by all tests in a browser; its bots take no other test's jobs."""
    with (
        databases.migrated() as database,
        opened_house(database, redis_server.url(1), tmp_path_factory.mktemp("house")) as house,
    ):
        yield house


@pytest.fixture(scope="session")
def table_house(house: House) -> Iterator[str]:
    """The address of that service while its bots play."""
    with working(house.environ), working(house.environ, BOT_GAMES):
        yield house.url
