"""Stores and an application that all tests of a module share, where nobody minds the others; import what is used."""

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient

from deploy.local.stores import EmbeddedRedis
from tests.service.conftest import Environ, opened_app, variables


@pytest.fixture(scope="module")
def environ(module_database: str, redis_server: EmbeddedRedis, tmp_path_factory: pytest.TempPathFactory) -> Environ:
    """The variables of the processes that share the stores of one module."""
    return variables(module_database, redis_server.url(), tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="module")
def app(environ: Environ) -> Iterator[Flask]:
    """An application over these stores."""
    with opened_app(environ) as app:
        yield app


@pytest.fixture(scope="module")
def client(environ: Environ) -> Iterator[FlaskClient]:
    """A client of an application over these stores."""
    with opened_app(environ) as app:
        yield app.test_client()
