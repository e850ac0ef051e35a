"""A service that sends mail over a real server, shared by the tests of a module; import what is used."""

from collections.abc import Iterator

import psycopg
import pytest
from flask import Flask

from deploy.local.stores import EmbeddedRedis
from tests.service.conftest import Environ, opened_app, variables
from tests.support.service.mail_duty import smtp_environ
from tests.support.service.mail_server import TAKEN, TakenMails, mail_server


@pytest.fixture(scope="module")
def server() -> Iterator[tuple[TakenMails, int]]:
    """A mail server, and its port."""
    with mail_server() as running:
        yield running


@pytest.fixture
def mails(environ: Environ, server: tuple[TakenMails, int]) -> TakenMails:
    """A mail server that has taken nothing yet, and an empty queue."""
    with psycopg.connect(environ["DATABASE_URL"]) as database:
        database.execute("DELETE FROM outgoing_mails")
        database.execute("DELETE FROM recovery_requests")
    taken = server[0]
    taken.mails.clear()
    taken.asked.clear()
    taken.reply = TAKEN
    return taken


@pytest.fixture(scope="module")
def environ(
    module_database: str,
    redis_server: EmbeddedRedis,
    tmp_path_factory: pytest.TempPathFactory,
    server: tuple[TakenMails, int],
) -> Environ:
    """The variables of a service that sends mail."""
    stores = variables(module_database, redis_server.url(), tmp_path_factory.mktemp("data"))
    return smtp_environ(stores, server[1])


@pytest.fixture(scope="module")
def app(environ: Environ) -> Iterator[Flask]:
    """The application that sends mail."""
    with opened_app(environ) as app:
        yield app
