"""Which addresses the service calls for others: public ones only, unless its operator allows all.

A name is resolved once, all that it stands for is judged, and what was judged is called: a name that stands for
something else a moment later gains nothing by it.
"""

import socket
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Final, NamedTuple
from urllib.parse import SplitResult, urlsplit

from service.core.errors import WebhookRefused

PORTS: Final = {"https": 443, "http": 80}
NAT64: Final = IPv6Network("64:ff9b::/96")  # RFC 6052: the last four bytes are an address of the other kind
Address = IPv4Address | IPv6Address


class Target(NamedTuple):
    """Where to call, and under which name."""

    scheme: str
    host: str
    port: int
    path: str  # with its query
    address: str  # that was judged

    @property
    def url(self) -> str:
        """The address to connect to, without the name."""
        bare = f"[{self.address}]" if ":" in self.address else self.address
        return f"{self.scheme}://{bare}:{self.port}{self.path}"

    @property
    def authority(self) -> str:
        """The name as the Host header tells it."""
        named = f"[{self.host}]" if ":" in self.host else self.host
        return named if self.port == PORTS[self.scheme] else f"{named}:{self.port}"


def target(url: str, *, anywhere: bool) -> Target:
    """Where an address leads now; refuses with WebhookRefused what is not to be called."""
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
        _ = parts.port  # is read only now, and may be none
    except ValueError as unreadable:
        raise WebhookRefused("form", "the address cannot be read: {unreadable}", unreadable=unreadable) from unreadable
    return parts


def _resolved(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as unknown:
        raise WebhookRefused("unresolvable", "{host} has no address", host=host) from unknown
    return [str(address[0]) for *_, address in found]


def is_public(text: str) -> bool:
    """Whether everybody reaches the same machine under an address: not this one, not a neighbour, not a group."""
    address = ip_address(text.partition("%")[0])
    inner = _inner(address)
    if inner is not None:
        return is_public(str(inner))
    return address.is_global and not address.is_multicast and not address.is_reserved


def _inner(address: Address) -> IPv4Address | None:
    """The address of the older kind that one of the newer stands for."""
    if isinstance(address, IPv4Address):
        return None
    if address in NAT64:
        return IPv4Address(int(address) & 0xFFFF_FFFF)
    return address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
