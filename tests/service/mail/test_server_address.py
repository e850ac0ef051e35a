"""The settings of mail: a server by URL, a sender, a password that only the keeper reads."""

from pathlib import Path

import pytest

from service import settings as config
from service.core.errors import BadSettings
from service.key_settings import KEEPER_ALONE, smtp_password
from service.mail.server_address import SmtpServer
from tests.service.test_settings import GOOD, KEY

SENDER = {"CABILDO_MAIL_FROM": "Cabildo <no-reply@example.org>"}


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp+starttls://ann%40x@mail.example.org", SmtpServer("mail.example.org", 587, "starttls", "ann@x")),
        ("smtps://mail.example.org:4650", SmtpServer("mail.example.org", 4650, "tls")),
        ("smtp://mail.example.org", SmtpServer("mail.example.org", 25, "none")),
        ("smtp://ann@127.0.0.1:2525", SmtpServer("127.0.0.1", 2525, "none", "ann")),
    ],
)
def test_a_server_is_read_out_of_its_url(url: str, server: SmtpServer) -> None:
    assert config.load({**GOOD, **SENDER, "CABILDO_SMTP": url}).smtp_server == server


@pytest.mark.parametrize(
    ("url", "fault"),
    [
        ("https://mail.example.org", "must begin with"),
        ("smtps://", "names no host"),
        ("smtps://mail.example.org:x", "must begin with"),
        ("smtps://ann:hidden@mail.example.org", "must hold no password"),
        ("smtp://ann@mail.example.org", "without encryption"),
    ],
)
def test_a_server_that_cannot_be_used_is_refused(url: str, fault: str) -> None:
    with pytest.raises(BadSettings, match=fault) as refused:
        config.load({**GOOD, **SENDER, "CABILDO_SMTP": url})
    assert "hidden" not in str(refused.value)


@pytest.mark.parametrize("sender", ["", "nobody", "a\r\nBcc: x@example.org"])
def test_a_server_needs_a_sender(sender: str) -> None:
    with pytest.raises(BadSettings, match="CABILDO_MAIL_FROM"):
        config.load({**GOOD, "CABILDO_SMTP": "smtps://mail.example.org", "CABILDO_MAIL_FROM": sender})


def test_without_a_server_there_is_no_mail() -> None:
    assert config.load(GOOD).smtp_server is None


def test_the_keeper_needs_the_password_of_a_user(tmp_path: Path) -> None:
    environ = {**GOOD, **SENDER, "CABILDO_SMTP": "smtps://ann@mail.example.org", "CABILDO_LOG_KEY": KEY}
    assert config.load(environ).smtp_server is not None  # other processes do not get it
    with pytest.raises(BadSettings, match="CABILDO_SMTP_PASSWORD"):
        config.load(environ, seals=True)
    file = tmp_path / "password"
    file.write_text("hidden\n")
    file.chmod(0o644)
    given = {**environ, "CABILDO_SMTP_PASSWORD_FILE": str(file)}
    with pytest.raises(BadSettings, match="may be read by others"):
        config.load(given, seals=True)
    file.chmod(0o600)
    assert config.load(given, seals=True).smtp_server is not None
    assert (smtp_password(given), repr(smtp_password(given))) == (b"hidden", "Secret(***)")
    assert "CABILDO_SMTP_PASSWORD" in KEEPER_ALONE
