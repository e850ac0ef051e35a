"""Which addresses a webhook may have: those under which everybody reaches the same machine."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest

from service.core.errors import WebhookRefused
from service.webhooks.addresses import is_public, target


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://example.org/", "scheme"),
        ("ftp://example.org/", "scheme"),
        ("https:///path", "form"),
        ("https://user:word@example.org/", "form"),
        ("https://example.org/#part", "form"),
        ("https://example.org:99999/", "form"),
        ("https://exa mple.org/", "form"),
        ("https://example.invalid/", "unresolvable"),
        ("https://localhost/", "private_address"),
        ("https://127.0.0.1/", "private_address"),
        ("https://2130706433/", "private_address"),
        ("https://10.1.2.3/", "private_address"),
        ("https://169.254.169.254/latest/", "private_address"),
        ("https://[::1]/", "private_address"),
        ("https://[::ffff:192.168.0.1]/", "private_address"),
        ("https://[64:ff9b::7f00:1]/", "private_address"),
        ("https://[fec0::1]/", "private_address"),
    ],
)
def test_an_address_that_is_not_everybodys_is_refused(url: str, reason: str) -> None:
    with pytest.raises(WebhookRefused) as refused:
        target(url, anywhere=False)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2606:4700::1111", True),
        ("64:ff9b::808:808", True),
        ("::ffff:8.8.8.8", True),
        ("2002:808:808::1", True),
        ("2606:4700::200:5efe:808:808", True),
        ("0.0.0.0", False),
        ("100.64.0.1", False),
        ("172.16.0.1", False),
        ("192.0.2.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("192.0.0.9", False),
        ("192.88.99.1", False),
        ("198.18.0.1", False),
        ("240.0.0.1", False),
        ("fec0::1", False),
        ("feff:ffff::1", False),
        ("::10.0.0.1", False),
        ("::8.8.8.8", False),
        ("::ffff:10.0.0.1", False),
        ("2002:7f00:1::", False),
        ("2001:0:7f00:1::", False),
        ("2001:0:808:808:0:0:f7f7:f7f7", False),
        ("2001:1::1", False),
        ("2001:db8::1", False),
        ("3fff::1", False),
        ("5f00::1", False),
        ("64:ff9b::a00:1", False),
        ("64:ff9b:1::808:808", False),
        ("2606:4700::200:5efe:a00:1", False),
    ],
)
def test_which_addresses_are_everybodys(address: str, public: bool) -> None:
    assert is_public(address) is public


def answering(monkeypatch: pytest.MonkeyPatch, *answers: list[str]) -> None:
    """Lets the resolver answer each question with the next of these lists."""
    coming: Iterator[list[str]] = iter(answers)

    def resolve(_host: str, port: int, **_more: Any) -> list[Any]:
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in next(coming)]

    monkeypatch.setattr(socket, "getaddrinfo", resolve)


def test_the_checked_address_is_called_whatever_dns_says_next(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, ["8.8.8.8"], ["127.0.0.1"])
    checked = target("https://example.org/hook?a=1", anywhere=False)
    assert (checked.url, checked.authority) == ("https://8.8.8.8:443/hook?a=1", "example.org")
    with pytest.raises(WebhookRefused):
        target("https://example.org/hook?a=1", anywhere=False)


def test_a_name_with_one_private_address_among_others_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    answering(monkeypatch, ["8.8.8.8", "169.254.169.254"])
    with pytest.raises(WebhookRefused):
        target("https://example.org/", anywhere=False)
