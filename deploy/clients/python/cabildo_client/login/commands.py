"""The commands login, logout and whoami."""

import sys
import webbrowser
from collections.abc import Callable, Mapping, Sequence
from typing import Final
from urllib.parse import urlsplit

import httpx

from cabildo_client.client import Client
from cabildo_client.errors import ClientError
from cabildo_client.login.device_flow import DeviceCodes, log_in, revoke
from cabildo_client.login.kept_tokens import KeptTokens

LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
Say = Callable[[str], object]


def login(
    url: str,
    scopes: Sequence[str],
    kept: KeptTokens,
    say: Say,
    *,
    opens: bool = False,
    transport: httpx.BaseTransport | None = None,
    wait: Callable[[float], object] | None = None,
) -> None:
    """Logs in by device code and keeps the token; a former login at the service ends."""
    if urlsplit(url).scheme == "http" and urlsplit(url).hostname not in LOOPBACK:
        say(f"{url} is not https: who listens on the way reads your token")
    former = kept.find(url)

    def show(codes: DeviceCodes) -> None:
        say(f"open {codes.verification_uri} in a browser and enter the code {codes.user_code}")
        if opens and urlsplit(codes.verification_uri_complete).scheme in ("https", "http"):
            webbrowser.open(codes.verification_uri_complete)

    more = {} if wait is None else {"wait": wait}
    token = log_in(url, scopes, show, transport=transport, **more)
    where = kept.keep(url, token)
    if former is not None and former != token:
        _end(url, former, transport)
    say(f"logged in at {url} as {_name(url, token, transport)}; the token is in {where}")


def logout(url: str, kept: KeptTokens, say: Say, *, transport: httpx.BaseTransport | None = None) -> None:
    """Forgets the token of a login and revokes it; it is forgotten, too, when the service does not answer."""
    token = kept.find(url)
    if token is None:
        say(f"no login at {url} is kept here")
        return
    kept.drop(url)
    ended = _end(url, token, transport)
    say(f"logged out at {url}" if ended else f"forgotten here; revoke it on the page {url}/account#programs, too")


def whoami(url: str, token: str, say: Say, *, transport: httpx.BaseTransport | None = None) -> None:
    """Says to whom the token belongs that commands use, and what it allows."""
    with Client(url, token, transport=transport) as client:
        me = client.ask("GET", "/v1/me")
    say(f"{me['name']} ({me['id']}), scopes: {', '.join(me['scopes'])}")


def to_stdout(line: str) -> None:
    """Prints a line at once, also where the output is read by a program."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _end(url: str, token: str, transport: httpx.BaseTransport | None) -> bool:
    try:
        revoke(url, token, transport=transport)
    except ClientError:
        return False
    return True


def _name(url: str, token: str, transport: httpx.BaseTransport | None) -> str:
    with Client(url, token, transport=transport) as client:
        me: Mapping[str, object] = client.ask("GET", "/v1/me")
    return str(me["name"])
