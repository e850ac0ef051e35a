"""Logs a program in by device code (RFC 8628): shows a short code, and asks until the player has answered."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

import httpx

from cabildo_client.errors import ClientError, Unreachable, UnreadableAnswer

PROGRAM: Final = "cabildo-client"  # the client_id of this command line at every service
DEVICE_GRANT: Final = "urn:ietf:params:oauth:grant-type:device_code"
SCOPES: Final = ("read", "play", "annotate", "host")
TIMEOUT: Final = 30.0  # seconds for a request
SLOWER: Final = 5  # seconds more between two questions after `slow_down`
LONGEST_PAUSE: Final = 60
TOLD: Final[Mapping[str, str]] = {
    "access_denied": "the login was not allowed",
    "expired_token": "nobody allowed the login in time; begin again",
}
LATER: Final = ("authorization_pending", "slow_down", "temporarily_unavailable", "server_error")


class LoginRefused(ClientError):
    """The player or the service did not allow the login."""


class DeviceCodes(NamedTuple):
    """The codes of a begun login."""

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


def log_in(
    url: str,
    scopes: Sequence[str],
    show: Callable[[DeviceCodes], object],
    *,
    transport: httpx.BaseTransport | None = None,
    wait: Callable[[float], object] = time.sleep,
) -> str:
    """Shows the codes and returns the token once the player has allowed it. Raises LoginRefused or Unreachable."""
    with httpx.Client(base_url=url, timeout=TIMEOUT, transport=transport) as http:
        codes = _codes(_post(http, "/oauth/device_authorization", {"scope": " ".join(scopes)}))
        show(codes)
        waited, pause = 0, codes.interval
        while waited < codes.expires_in:
            wait(pause)
            waited += pause
            told = _asked_again(http, codes.device_code)
            if isinstance(token := told.get("access_token"), str):
                return token
            if told.get("error") == "slow_down":
                pause = min(pause + SLOWER, LONGEST_PAUSE)
    raise LoginRefused(TOLD["expired_token"])


def revoke(url: str, token: str, *, transport: httpx.BaseTransport | None = None) -> None:
    """Revokes a token that a login gave. Raises LoginRefused or Unreachable."""
    with httpx.Client(base_url=url, timeout=TIMEOUT, transport=transport) as http:
        _check(_post(http, "/oauth/revoke", {"token": token}))


def _asked_again(http: httpx.Client, device_code: str) -> Mapping[str, object]:
    """Returns the answer to a question for the token; empty while the service is away."""
    try:
        told = _post(http, "/oauth/token", {"grant_type": DEVICE_GRANT, "device_code": device_code})
    except Unreachable:
        return {}  # the login lives on; the next question may arrive
    if told.get("error") not in LATER:
        _check(told)
    return told


def _post(http: httpx.Client, path: str, form: Mapping[str, str]) -> Mapping[str, object]:
    try:
        response = http.post(path, data={"client_id": PROGRAM, **form})
        document = response.json()
    except httpx.HTTPError as problem:
        raise Unreachable(str(problem)) from problem
    except ValueError as problem:
        raise UnreadableAnswer(f"{http.base_url} is no service of Cabildo, or one without logins by code") from problem
    if not isinstance(document, dict):
        raise UnreadableAnswer(f"the answer to {path} is no object")
    return document


def _check(told: Mapping[str, object]) -> None:
    """Raises LoginRefused for an error."""
    if error := told.get("error"):
        raise LoginRefused(TOLD.get(str(error), str(told.get("error_description") or error)))
    if "status" in told and "title" in told:  # a problem that OAuth knows nothing of
        raise LoginRefused(str(told.get("detail") or told["title"]))


def _codes(told: Mapping[str, object]) -> DeviceCodes:
    _check(told)
    try:
        device, user, place, complete = (str(told[name]) for name in DeviceCodes._fields[:4])
        seconds, pause = (max(1, int(str(told[name]))) for name in DeviceCodes._fields[4:])
        return DeviceCodes(device, user, place, complete, seconds, pause)
    except (KeyError, ValueError) as problem:
        raise UnreadableAnswer("the service began no login") from problem
