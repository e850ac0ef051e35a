"""The application over stores that the tests of a module share: tournaments do not meet."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from flask import Flask

from deploy.stores import EmbeddedRedis
from service import config
from service.app import create_app
from tests.service.conftest import Environ, variables
from tests.service.visiting import Visitor


@pytest.fixture(scope="module")
def environ(module_database: str, redis_server: EmbeddedRedis, tmp_path_factory: pytest.TempPathFactory) -> Environ:
    """The variables of a process over these stores."""
    return variables(module_database, redis_server.url(), tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def app(environ: Environ) -> Iterator[Flask]:
    """The web application as gunicorn would make it."""
    app = create_app(config.load(environ))
    yield app
    app.extensions["cabildo"].close()


@pytest.fixture(scope="module")
def director(app: Flask) -> Visitor:
    """Somebody who hosts tournaments by the pages."""
    return Visitor(app.test_client(), f"director {uuid4().hex[:8]}")
