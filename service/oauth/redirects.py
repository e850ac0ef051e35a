"""Addresses to which a browser may be sent with a code: their forms, and how a request's is compared."""

import re
from typing import Final
from urllib.parse import SplitResult, urlsplit

LONGEST_REDIRECT: Final = 400
CHARACTERS: Final = re.compile(r"[!#-;=?-\[\]_a-z~%]+")  # of an address, without quotes, brackets and backslashes
LOOPBACK: Final = ("127.0.0.1", "::1")  # any port (RFC 8252, 7.3)
LABEL: Final = "[a-z0-9]([a-z0-9_-]*[a-z0-9])?"
HOST: Final = re.compile(rf"{LABEL}(\.{LABEL})*\.?|\[[0-9a-f:.]+\]")  # as it stands in a security policy
PRIVATE_SCHEME: Final = re.compile(r"[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+")  # of an app: a name of a domain, reversed


def is_allowed(address: str) -> bool:
    """Returns whether a program may register an address: https, loopback, or the private scheme of an app."""
    parts = _split(address)
    if parts is None or parts.fragment or "#" in address or parts.username is not None:
        return False
    if parts.scheme == "https":
        return HOST.fullmatch(parts.netloc.lower().removesuffix(f":{parts.port}")) is not None
    if parts.scheme == "http":
        return parts.hostname in (*LOOPBACK, "localhost")
    return PRIVATE_SCHEME.fullmatch(parts.scheme) is not None and not parts.netloc


def is_registered(address: str, registered: list[str] | tuple[str, ...]) -> bool:
    """Returns whether an address is one of the registered ones: equal, or on loopback equal but for the port."""
    if not is_allowed(address):
        return False
    return address in registered or (_is_loopback(address) and _portless(address) in map(_portless, registered))


def form_target(address: str) -> str:
    """Returns the source by which a security policy lets a form end at an address."""
    parts = urlsplit(address)
    if parts.scheme not in ("https", "http") or parts.hostname == "::1":  # policies know no IPv6 addresses
        return f"{parts.scheme}:"
    return f"{parts.scheme}://{parts.netloc}"


def place(address: str) -> str:
    """Returns what a reader recognises of an address: its host, or the scheme of an app."""
    parts = urlsplit(address)
    return parts.netloc or f"{parts.scheme}:"


def _is_loopback(address: str) -> bool:
    parts = urlsplit(address)
    return parts.scheme == "http" and parts.hostname in LOOPBACK


def _portless(address: str) -> SplitResult | None:
    if not _is_loopback(address):
        return None
    parts = urlsplit(address)
    return parts._replace(netloc=parts.hostname or "")


def _split(address: str) -> SplitResult | None:
    """Returns the parts of an address; None for one that is too long, or no address."""
    if len(address) > LONGEST_REDIRECT or CHARACTERS.fullmatch(address.lower()) is None:
        return None
    try:
        parts = urlsplit(address)
        parts.port  # noqa: B018 - raises for what is no port
    except ValueError:
        return None
    return parts
