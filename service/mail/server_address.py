"""Parses the settings of mail: the SMTP server with its TLS mode, and the sender's address."""

from email.utils import parseaddr
from typing import Final, NamedTuple
from urllib.parse import unquote, urlsplit

TLS_MODES: Final = {"smtp+starttls": "starttls", "smtps": "tls", "smtp": "none"}
PORTS: Final = {"starttls": 587, "tls": 465, "none": 25}
LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


class SmtpServer(NamedTuple):
    """Where mails are handed over, and as whom."""

    host: str
    port: int
    tls: str  # one of PORTS
    user: str | None = None  # None: without a login


def optional_smtp_server(given: str) -> SmtpServer | None:
    """Returns the server of a URL, None for none; its error omits the URL. Raises ValueError."""
    if not given:
        return None
    try:
        url = urlsplit(given)
        tls, port = TLS_MODES[url.scheme], url.port
    except (KeyError, ValueError) as problem:
        raise ValueError(f"must begin with {', '.join(TLS_MODES)}, and end with ://HOST or ://HOST:PORT") from problem
    if not url.hostname:
        raise ValueError("names no host")
    if url.password is not None:
        raise ValueError("must hold no password; it belongs into CABILDO_SMTP_PASSWORD or a file")
    if url.username and tls == "none" and url.hostname not in LOOPBACK:
        raise ValueError("would send a password without encryption; use smtp+starttls or smtps")
    return SmtpServer(url.hostname, port or PORTS[tls], tls, unquote(url.username) if url.username else None)


def sender_address(given: str) -> str:
    """Returns the sender of mails, with or without a name; empty without one. Raises ValueError."""
    if given and (not given.isprintable() or "@" not in parseaddr(given)[1]):
        raise ValueError("must be an e-mail address, as in Cabildo <no-reply@example.org>")
    return given
