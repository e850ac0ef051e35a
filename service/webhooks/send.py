"""One message on its way: signed as Standard Webhooks has it, sent to the address that was judged, never redirected."""

import base64
import hashlib
import hmac
import secrets
from typing import Final

import httpx

from service.version import VERSION
from service.webhooks.addresses import Target

FORM: Final = "whsec_"
SECRET_BYTES: Final = 32
SECONDS: Final = httpx.Timeout(10.0, connect=5.0)
LONGEST_FAULT: Final = 300


def new_secret() -> bytes:
    """What receiver and service share."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_text(secret: bytes) -> str:
    """A secret as its owner sees it, once."""
    return FORM + base64.b64encode(secret).decode()


def signature(secret: bytes, id: str, at: int, body: bytes) -> str:
    """What proves that a message is ours and of this second."""
    mac = hmac.digest(secret, f"{id}.{at}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(mac).decode()}"


def headers(secret: bytes, id: str, at: int, body: bytes) -> dict[str, str]:
    """The headers of a message, sent at a time in seconds; its id is the same at every attempt."""
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Cabildo/{VERSION}",
        "webhook-id": id,
        "webhook-timestamp": str(at),
        "webhook-signature": signature(secret, id, at, body),
    }


def post(target: Target, body: bytes, headed: dict[str, str]) -> str | None:
    """Send a message; why it did not arrive, or None when it did. Of the answer only the status is read."""
    named = {**headed, "Host": target.authority}
    try:
        with (
            httpx.Client(timeout=SECONDS, follow_redirects=False, trust_env=False) as client,
            client.stream(
                "POST", target.url, content=body, headers=named, extensions={"sni_hostname": target.host}
            ) as answer,
        ):
            return None if answer.is_success else f"the answer was {answer.status_code}"
    except httpx.HTTPError as fault:
        return f"{type(fault).__name__}: {fault}"[:LONGEST_FAULT]
