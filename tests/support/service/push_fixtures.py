"""An application whose pushes may go to this machine, and a push service; a module imports what it uses."""

from collections.abc import Iterator

import pytest
from flask import Flask

from tests.service.conftest import Environ, opened_app
from tests.support.service.mail_duty import run_duty
from tests.support.service.webhook_receiver import Receiver, receiving
from workers.keeper.notices import SendPushes


@pytest.fixture(scope="module")
def app(environ: Environ) -> Iterator[Flask]:
    """An application whose pushes may go to this machine."""
    environ["CABILDO_WEBHOOKS"] = "anywhere"
    run_duty(environ, SendPushes)
    with opened_app(environ) as app:
        yield app


@pytest.fixture
def phones() -> Iterator[Receiver]:
    """A push service."""
    with receiving() as receiver:
        yield receiver
