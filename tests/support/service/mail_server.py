"""SMTP servers: one that takes mails, with and without TLS and login, one that refuses, one that drips."""

import logging
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Final, cast

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from tests.support.running_program import PATIENCE, eventually

USER, PASSWORD = "cabildo", "a secret of the operator"
TAKEN: Final = "250 taken"


class TakenMails:
    """Takes mails, or answers each recipient as it is told to."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.asked: list[str] = []  # recipients, those refused included
        self.reply = TAKEN

    async def handle_RCPT(  # noqa: N802 - the name that aiosmtpd looks for
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Notes a recipient."""
        self.asked.append(address)
        if self.reply == TAKEN:
            envelope.rcpt_tos.append(address)
        return self.reply

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802 - as above
        """Takes a mail."""
        content = cast(bytes, envelope.content)
        self.mails.append(message_from_bytes(content, policy=policy.default))
        return TAKEN

    def wait(self, number: int) -> list[EmailMessage]:
        """Returns the mails once so many were taken."""
        assert eventually(lambda: len(self.mails) >= number), [mail["Subject"] for mail in self.mails]
        return self.mails


@contextmanager
def mail_server(tls: ssl.SSLContext | None = None) -> Iterator[tuple[TakenMails, int]]:
    """Runs a server until the end; with TLS it asks for STARTTLS and a login. Yields it and its port."""
    taken = TakenMails()
    logging.getLogger("mail.log").setLevel(logging.ERROR)  # the server would log addresses into those of the service
    controller = Controller(
        taken,
        hostname="127.0.0.1",
        port=free_port(),
        authenticator=_authenticate,
        tls_context=tls,
        require_starttls=tls is not None,
        auth_required=tls is not None,
    )
    controller.start()
    try:
        yield taken, controller.port
    finally:
        controller.stop()


def _authenticate(server: SMTP, session: Session, envelope: Envelope, mechanism: str, given: object) -> AuthResult:
    right = isinstance(given, LoginPassword) and given == LoginPassword(USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False)


def free_port() -> int:
    """Returns a port that nobody listens on."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return int(taken.getsockname()[1])


class DrippingServer:
    """Sends a byte of a greeting that never ends now and then, and holds the connection."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._serve)
        self.port = int(self._listener.getsockname()[1])
        self.connections = 0

    def __enter__(self) -> "DrippingServer":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        with socket.create_connection(("127.0.0.1", self.port)):  # wakes the thread
            self._thread.join(PATIENCE)
        self._listener.close()

    def _serve(self) -> None:
        while not self._stopping.is_set():
            connection, _ = self._listener.accept()
            self.connections += 1
            with connection:
                self._drip(connection)

    def _drip(self, connection: socket.socket) -> None:
        try:
            while not self._stopping.wait(0.05):
                connection.sendall(b"2")
        except OSError:  # the client gave up
            return
