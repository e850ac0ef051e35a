"""`cabildo up` with a mail server: its keeper sends mails, and it alone is told the password of the server."""

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.process_memory import remembers
from tests.support.running_program import PATIENCE, Up, eventually, up
from tests.support.service.mail_duty import code_in, smtp_environ
from tests.support.service.mail_server import TakenMails, mail_server

ADDRESS = "anna@example.org"
ACCOUNT = {"name": "Anna", "password": "over the hills"}
PASSWORD, SECRET = "CABILDO_SMTP_PASSWORD", "a secret of the operator"


@pytest.fixture(scope="module")
def service(module_directory: Path) -> Iterator[tuple[Up, TakenMails]]:
    """A service that was given a mail server and its password, and that server."""
    with (
        mail_server() as (taken, port),
        up(module_directory / "mailing", environ={**smtp_environ({}, port), PASSWORD: SECRET}) as running,
    ):
        running.ready()
        yield running, taken


def test_mail_of_a_player_arrives(service: tuple[Up, TakenMails]) -> None:
    running, taken = service
    with httpx.Client(base_url=running.ready(), timeout=PATIENCE) as browser:
        assert browser.post("/v1/players", json=ACCOUNT).status_code == 201
        csrf = {"X-CSRF-Token": browser.post("/v1/session", json=ACCOUNT).json()["csrf"]}
        assert browser.put("/v1/me/email", json={"address": ADDRESS}, headers=csrf).status_code == 202
        code = {"code": code_in(taken.wait(1)[0])}
        assert browser.post("/v1/me/email/confirmation", json=code, headers=csrf).json()["address"] == ADDRESS
        assert browser.post("/v1/recovery/mail", json={"account": "Anna"}).status_code == 202
        recovery = {"name": "Anna", "password": "and far away", "code": code_in(taken.wait(2)[1])}
        assert eventually(lambda: browser.post("/v1/recovery", json=recovery).status_code == 200)


def test_only_the_keeper_is_told_the_password(service: tuple[Up, TakenMails]) -> None:
    running, _ = service
    names = ("postgresql", "redis", "fork server", "web", "keeper", "worker bots 1")
    told = [name for name in names if remembers(running.process(name), SECRET)]
    assert told == ["keeper"]
    assert SECRET not in running.said
