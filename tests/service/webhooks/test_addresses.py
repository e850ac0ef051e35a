"""Which addresses a webhook may have: those under which everybody reaches the same machine."""

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
        ("0.0.0.0", False),
        ("100.64.0.1", False),
        ("172.16.0.1", False),
        ("192.0.2.1", False),
        ("224.0.0.1", False),
        ("255.255.255.255", False),
        ("fe80::1%eth0", False),
        ("fc00::1", False),
        ("ff02::1", False),
        ("2002:7f00:1::", False),
        ("2001:0:7f00:1::", False),
    ],
)
def test_which_addresses_are_everybodys(address: str, public: bool) -> None:
    assert is_public(address) is public
