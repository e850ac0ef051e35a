"""Composes messages of webhooks and signs them by Standard Webhooks."""

import base64
import hashlib
import hmac
import json
import secrets
from typing import Any, Final

from service.core.clock import iso_time
from service.version import VERSION
from service.webhooks.slots import CalledHook, WaitingMessage

WHSEC: Final = "whsec_"
SECRET_BYTES: Final = 32


def message_id(hook: CalledHook, message: WaitingMessage) -> str:
    """Returns the id of a message, the same at every attempt, so that a receiver recognises repetitions."""
    return f"{hook.id}.{message.number}"


def message_body(hook: CalledHook, message: WaitingMessage, at: int) -> bytes:
    """Returns the message: kind and stream only; the receiver requests the rest with a token."""
    document: dict[str, Any] = {"type": message.what, "timestamp": iso_time(at), "number": message.number}
    if message.stream is not None:
        where = "game" if hook.tournament is None else "tournament"
        document |= {where: str(message.stream), "version": message.seq}
    return json.dumps(document, separators=(",", ":")).encode()


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
