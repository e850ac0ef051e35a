"""Mails are handed over with a deadline, over TLS with a login where it is set; no fault names an address."""

import datetime as dt
import ipaddress
import ssl
import time
from collections.abc import Iterator
from email.message import EmailMessage
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from service.mail.server_address import SmtpServer
from service.mail.smtp import MailServer
from tests.support.service.mail_server import (
    PASSWORD,
    USER,
    DrippingServer,
    TakenMails,
    free_port,
    mail_server,
)

HOST = "127.0.0.1"
SHORT = 0.5  # seconds; the deadline in tests


@pytest.fixture
def message() -> EmailMessage:
    """A mail."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = "no-reply@example.org", "anna@example.org", "Code"
    mail.set_content("ÞÆÖ: 12345\n")
    return mail


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A certificate of the server, which this process trusts."""
    key = ec.generate_private_key(ec.SECP256R1())
    name, now = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)]), dt.datetime.now(dt.UTC)
    signed = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - dt.timedelta(days=1))
        .not_valid_after(now + dt.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address(HOST))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    files = tmp_path / "certificate.pem", tmp_path / "key.pem"
    files[0].write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    files[1].write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain),
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(files[0]))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files)
    return context


@pytest.fixture
def plain() -> Iterator[tuple[TakenMails, MailServer]]:
    """A server without TLS, and its client."""
    with mail_server() as (taken, port):
        yield taken, MailServer(SmtpServer(HOST, port, "none"), None)


def test_a_mail_arrives_as_it_was_written(plain: tuple[TakenMails, MailServer], message: EmailMessage) -> None:
    taken, server = plain
    assert server.send(message) is None
    (arrived,) = taken.mails
    assert (arrived["To"], arrived.get_content().strip()) == ("anna@example.org", "ÞÆÖ: 12345")


def test_login_goes_over_starttls(certificate: ssl.SSLContext, message: EmailMessage) -> None:
    with mail_server(certificate) as (taken, port):
        assert MailServer(SmtpServer(HOST, port, "starttls", USER), PASSWORD).send(message) is None
        refused = MailServer(SmtpServer(HOST, port, "starttls", USER), "wrong").send(message)
        assert refused is not None
        assert (refused.reason, refused.final) == ("SMTPAuthenticationError: 535", False)
        assert len(taken.mails) == 1


def test_a_server_without_a_trusted_certificate_gets_nothing(
    certificate: ssl.SSLContext, message: EmailMessage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("SSL_CERT_FILE")
    with mail_server(certificate) as (taken, port):
        refused = MailServer(SmtpServer(HOST, port, "starttls", USER), PASSWORD).send(message)
        assert refused is not None
        assert (refused.reason, taken.mails) == ("SSLCertVerificationError", [])


@pytest.mark.parametrize(("reply", "final"), [("550 no such mailbox", True), ("451 later", False)])
def test_a_refused_recipient_is_final_or_not(
    plain: tuple[TakenMails, MailServer], message: EmailMessage, reply: str, final: bool
) -> None:
    taken, server = plain
    taken.reply = reply
    fault = server.send(message)
    assert fault is not None
    assert fault.final is final
    assert "anna" not in fault.reason


def test_a_dripping_server_is_cut_at_the_deadline(message: EmailMessage) -> None:
    with DrippingServer() as dripping:
        server = MailServer(SmtpServer(HOST, dripping.port, "none"), None, SHORT)
        began = time.monotonic()
        fault = server.send(message)
        assert fault is not None
        assert (fault.reason, fault.final) == (f"no answer within {SHORT:.0f} s", False)
        assert time.monotonic() - began >= SHORT
        assert server.send(message) is not None  # the thread is free again
        assert dripping.connections == 2


def test_a_server_that_is_down_is_a_passing_fault(message: EmailMessage) -> None:
    fault = MailServer(SmtpServer(HOST, free_port(), "none"), None).send(message)
    assert fault is not None
    assert (fault.reason, fault.final) == ("ConnectionRefusedError", False)
