"""The application over real stores."""

import base64
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service import config
from service.app import create_app


@pytest.fixture
def environ(database: str, redis_url: str, tmp_path: Path) -> dict[str, str]:
    """The variables of a process that reaches the stores of this test."""
    return {
        "DATABASE_URL": database,
        "REDIS_URL": redis_url,
        "CABILDO_DATA_DIR": str(tmp_path),
        "CABILDO_MASTER_KEY": base64.b64encode(os.urandom(32)).decode(),
    }


@pytest.fixture
def app(environ: dict[str, str]) -> Iterator[Flask]:
    """The web application as gunicorn would make it."""
    app = create_app(config.load(environ))
    yield app
    app.extensions["cabildo"].stores.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of the application."""
    return app.test_client()
