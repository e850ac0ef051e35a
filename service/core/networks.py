"""Groups addresses of clients by the network that one client has to itself."""

from functools import lru_cache
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Final

PREFIX: Final = 64  # bits; a client with one IPv6 address has all those that share them


@lru_cache(maxsize=4_096)  # each request asks
def network_of(address: str | None) -> str:
    """Returns the IPv4 address, or the /64 of an IPv6 address; other texts as they are, "" for none."""
    try:
        found = ip_address((address or "").partition("%")[0])
    except ValueError:
        return address or ""
    if not isinstance(found, IPv6Address):
        return str(found)
    return str(found.ipv4_mapped or ip_network((found, PREFIX), strict=False))
