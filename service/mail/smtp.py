"""Hands mails over to an SMTP server; a deadline cuts the connection, however slowly the server answers."""

import smtplib
import socket
import ssl
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from email.message import EmailMessage
from threading import Lock, Timer
from typing import Final, NamedTuple

from service.mail.server_address import SmtpServer

CALL_SECONDS: Final = 10.0  # of a whole call: looking up the name, connection, TLS, login, mail
STILL_WAITS: Final = 1.0  # after the deadline, for the connection to notice that it was cut
PERMANENT: Final = 500  # replies from here on will be the same the next time
REFUSED: Final = "the server refused the recipient or the mail"


class MailFault(NamedTuple):
    """Why a mail was not handed over; without the address."""

    reason: str
    final: bool = False  # another attempt cannot succeed
    of_server: bool = True  # not of this mail alone


class MailServer:
    """Sends mails, one at a time."""

    def __init__(self, server: SmtpServer, password: str | None, seconds: float = CALL_SECONDS) -> None:
        self._server = server
        self._password = password
        self._seconds = seconds
        self._thread = ThreadPoolExecutor(1, "smtp")

    def send(self, message: EmailMessage) -> MailFault | None:
        """Hands a mail over within the deadline. Returns the fault, None on success."""
        deadline = Deadline(self._seconds)
        sending = self._thread.submit(self._send, deadline, message)
        try:
            return sending.result(self._seconds + STILL_WAITS)
        except TimeoutError:  # the name of the server is still being looked up
            sending.cancel()
            return self._late()
        finally:
            deadline.end()

    def close(self) -> None:
        """Waits for no call."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _late(self) -> MailFault:
        return MailFault(f"no answer within {self._seconds:.0f} s")

    def _send(self, deadline: "Deadline", message: EmailMessage) -> MailFault | None:
        fault = self._attempt(deadline, message)
        return self._late() if fault is not None and deadline.passed else fault  # a cut answer says anything

    def _attempt(self, deadline: "Deadline", message: EmailMessage) -> MailFault | None:
        try:
            with self._connected(deadline) as smtp:
                smtp.send_message(message)
        except smtplib.SMTPRecipientsRefused as refused:
            codes = [code for code, _ in refused.recipients.values()]
            return MailFault(f"{REFUSED}: {codes}", min(codes, default=0) >= PERMANENT, of_server=False)
        except (smtplib.SMTPSenderRefused, smtplib.SMTPDataError) as refused:
            return MailFault(f"{REFUSED}: {refused.smtp_code}", refused.smtp_code >= PERMANENT, of_server=False)
        except smtplib.SMTPResponseException as refused:  # of greeting, TLS or login: the operator can mend it
            return MailFault(f"{type(refused).__name__}: {refused.smtp_code}")
        except (smtplib.SMTPException, OSError) as problem:
            return MailFault(type(problem).__name__)
        return None

    @contextmanager
    def _connected(self, deadline: "Deadline") -> Iterator[smtplib.SMTP]:
        """Yields a connection after greeting, TLS and login. What the server says to the farewell does not matter."""
        server = self._server
        with socket.create_connection((server.host, server.port), self._seconds) as plain:
            deadline.watch(plain)
            smtp = smtplib.SMTP(local_hostname=socket.gethostname(), timeout=self._seconds)
            try:
                _use(smtp, _encrypted(plain, server.host) if server.tls == "tls" else plain)
                _expect(smtp.getreply(), 220)
                smtp.ehlo_or_helo_if_needed()
                if server.tls == "starttls":
                    _expect(smtp.docmd("STARTTLS"), 220)
                    _use(smtp, _encrypted(plain, server.host))
                if server.user is not None:
                    smtp.login(server.user, self._password or "")
                yield smtp
                with suppress(smtplib.SMTPException, OSError):
                    smtp.quit()
            finally:
                smtp.close()


class Deadline:
    """Shuts a connection down after some seconds; every call that waits for it ends then."""

    def __init__(self, seconds: float) -> None:
        self.passed = False
        self._lock = Lock()
        self._watched: socket.socket | None = None
        self._timer = Timer(seconds, self._cut)
        self._timer.daemon = True
        self._timer.start()

    def watch(self, connection: socket.socket) -> None:
        """Shuts a connection down at the deadline, or now when it has passed."""
        with self._lock:
            self._watched = connection.dup()  # stays the same under TLS
        if self.passed:
            self._cut()

    def end(self) -> None:
        """Stops watching."""
        self._timer.cancel()
        self._cut()  # a call that is still about to connect is cut as soon as it does

    def _cut(self) -> None:
        self.passed = True
        with self._lock:
            watched, self._watched = self._watched, None
        if watched is not None:
            with watched, suppress(OSError):
                watched.shutdown(socket.SHUT_RDWR)


def _use(smtp: smtplib.SMTP, connection: socket.socket) -> None:
    """Goes on over a connection, as at the beginning of a session."""
    smtp.sock, smtp.file = connection, None  # what was read before STARTTLS is dropped
    smtp.helo_resp = smtp.ehlo_resp = None
    smtp.esmtp_features, smtp.does_esmtp = {}, False


def _encrypted(connection: socket.socket, host: str) -> ssl.SSLSocket:
    return ssl.create_default_context().wrap_socket(connection, server_hostname=host)


def _expect(reply: tuple[int, bytes], code: int) -> None:
    if reply[0] != code:
        raise smtplib.SMTPResponseException(*reply)
