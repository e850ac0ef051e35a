"""Checks the addresses of webhooks: public ones only, unless the operator allows all.

A name is resolved once, every address it resolves to is checked, and the request goes to the checked address: a name
that resolves differently a moment later (DNS rebinding) gains nothing. Resolving has a deadline, and at most so many
names are resolved at once: the name servers belong to strangers.
"""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from service.core.errors import WebhookRefused

PORTS: Final = {"https": 443, "http": 80}
NAT64: Final = IPv6Network("64:ff9b::/96")  # RFC 6052: the last four bytes are an IPv4 address
ISATAP: Final = 0x0000_5EFE  # RFC 5214: marks an interface whose last four bytes are an IPv4 address
GLOBAL_UNICAST: Final = IPv6Network("2000::/3")  # all that IANA has given out; site-local, NAT64 in private lie outside
SPECIAL_6: Final = tuple(map(IPv6Network, ("2001::/23", "2001:db8::/32", "3fff::/20")))  # the first with Teredo
SPECIAL_4: Final = tuple(map(IPv4Network, ("192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24")))
"""By the special-purpose registries of IANA, which Python knows in part, each version another part."""
Found = list[str]
RESOLVE_SECONDS: Final = 3.0
MOST_RESOLVED_AT_ONCE: Final = 64  # the system's resolver cannot be interrupted: its threads end by its own timeouts
_resolving = threading.BoundedSemaphore(MOST_RESOLVED_AT_ONCE)


class Target(NamedTuple):
    """A checked address and the name it was resolved from."""

    scheme: str
    host: str
    port: int
    path: str  # with its query
    address: str  # the checked one

    @property
    def url(self) -> str:
        """The URL to connect to, by address instead of name."""
        bare = f"[{self.address}]" if ":" in self.address else self.address
        return f"{self.scheme}://{bare}:{self.port}{self.path}"

    @property
    def authority(self) -> str:
        """The value of the Host header."""
        named = f"[{self.host}]" if ":" in self.host else self.host
        return named if self.port == PORTS[self.scheme] else f"{named}:{self.port}"


def target(url: str, *, anywhere: bool) -> Target:
    """Resolves and checks a URL; raises WebhookRefused for one that the service may not call."""
    parts = _parts(url)
    if parts.scheme not in PORTS or (parts.scheme == "http" and not anywhere):
        raise WebhookRefused("scheme", "an address begins with https://")
    host, port = parts.hostname or "", parts.port or PORTS[parts.scheme]
    if not host or parts.username is not None or parts.fragment:
        raise WebhookRefused("form", "an address is https://HOST/PATH, without a user and without a fragment")
    found = _resolved(host, port)
    if not anywhere and not all(is_public(address) for address in found):
        raise WebhookRefused("private_address", "{host} is not an address that everybody can reach", host=host)
    path = f"{parts.path or '/'}{'?' if parts.query else ''}{parts.query}"
    return Target(parts.scheme, host, port, path, found[0])


def _parts(url: str) -> SplitResult:
    if not url.isascii() or not url.isprintable() or " " in url:
        raise WebhookRefused("form", "an address is written in ASCII, without spaces")
    try:
        parts = urlsplit(url)
        _ = parts.port  # parsed only here; raises ValueError
    except ValueError as unreadable:
        raise WebhookRefused("form", "the address cannot be read: {unreadable}", unreadable=unreadable) from unreadable
    return parts


def _resolved(host: str, port: int) -> Found:
    found: Future[Found] = Future()
    places, until = _resolving, time.monotonic() + RESOLVE_SECONDS
    if not places.acquire(timeout=RESOLVE_SECONDS):
        raise WebhookRefused("resolver_busy", "too many names are looked up at the moment; try again")
    threading.Thread(target=_resolve, args=(host, port, found, places), name="resolver", daemon=True).start()
    try:
        return found.result(max(0.0, until - time.monotonic()))
    except TimeoutError as late:
        reason = "the addresses of {host} were not found within {seconds} s"
        raise WebhookRefused("slow_name", reason, host=host, seconds=int(RESOLVE_SECONDS)) from late
    except (OSError, UnicodeError) as unknown:
        raise WebhookRefused("unresolvable", "{host} has no address", host=host) from unknown


def _resolve(host: str, port: int, found: "Future[Found]", places: threading.Semaphore) -> None:
    try:
        addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        found.set_result([str(address[0]) for *_, address in addresses])
    except Exception as fault:  # noqa: BLE001 - the waiting thread raises it
        found.set_exception(fault)
    finally:
        places.release()


def is_public(text: str) -> bool:
    """Returns whether an address is globally routable: no loopback, private, multicast or reserved address."""
    address = ip_address(text.partition("%")[0])
    if isinstance(address, IPv4Address):
        return _is_public_4(address)
    if address in NAT64 or (address in GLOBAL_UNICAST and not any(address in one for one in SPECIAL_6)):
        return all(map(_is_public_4, _embedded(address)))
    return address.ipv4_mapped is not None and _is_public_4(address.ipv4_mapped)


def _is_public_4(address: IPv4Address) -> bool:
    return (
        address.is_global
        and not address.is_multicast
        and not address.is_reserved
        and not any(address in one for one in SPECIAL_4)
    )


def _embedded(address: IPv6Address) -> Iterator[IPv4Address]:
    """Yields the IPv4 addresses that packets to an IPv6 address are sent on to: NAT64, 6to4, ISATAP."""
    low = int(address) & 0xFFFF_FFFF
    if address in NAT64 or (int(address) >> 32) & 0xFDFF_FFFF == ISATAP:
        yield IPv4Address(low)
    if address.sixtofour is not None:
        yield address.sixtofour
