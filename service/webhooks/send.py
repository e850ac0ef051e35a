"""Signs a message by Standard Webhooks and posts it to a checked address, without following redirects."""

import base64
import hashlib
import hmac
import secrets
from typing import Final

import httpx

from service.version import VERSION
from service.webhooks.addresses import Target

WHSEC: Final = "whsec_"
SECRET_BYTES: Final = 32
TIMEOUT: Final = httpx.Timeout(10.0, connect=5.0)
LONGEST_FAULT: Final = 300


def new_secret() -> bytes:
    """Returns a new secret, shared by receiver and service."""
    return secrets.token_bytes(SECRET_BYTES)


def secret_text(secret: bytes) -> str:
    """Returns a secret as its owner sees it, once."""
    return WHSEC + base64.b64encode(secret).decode()


def signature(secret: bytes, id: str, at: int, body: bytes) -> str:
    """Returns the signature of a message and its time."""
    mac = hmac.digest(secret, f"{id}.{at}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(mac).decode()}"


def headers(secret: bytes, id: str, at: int, body: bytes) -> dict[str, str]:
    """Returns the headers of a message; its id is the same at every attempt, `at` is in seconds."""
    return {
        "Content-Type": "application/json",
        "User-Agent": f"Cabildo/{VERSION}",
        "webhook-id": id,
        "webhook-timestamp": str(at),
        "webhook-signature": signature(secret, id, at, body),
    }


def post(target: Target, body: bytes, headers: dict[str, str]) -> str | None:
    """Posts a message. Returns the fault, None on success; reads only the status of the response."""
    named = {**headers, "Host": target.authority}
    try:
        with (
            httpx.Client(timeout=TIMEOUT, follow_redirects=False, trust_env=False) as client,
            client.stream(
                "POST", target.url, content=body, headers=named, extensions={"sni_hostname": target.host}
            ) as answer,
        ):
            return None if answer.is_success else f"the answer was {answer.status_code}"
    except httpx.HTTPError as fault:
        return f"{type(fault).__name__}: {fault}"[:LONGEST_FAULT]
