"""The form of e-mail addresses that mails are sent to."""

import re
from typing import Final

from events.messages import Message

LONGEST_ADDRESS: Final = 254  # characters, RFC 5321
BAD_ADDRESS: Final = Message("is not an e-mail address")
LOCAL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}")
LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")


def normal_address(given: str) -> str | None:
    """Returns an address with its domain in lower case and ASCII; None for what is no address."""
    local, _, domain = given.strip().rpartition("@")
    try:
        encoded = domain.encode("idna").decode().lower()
    except UnicodeError:
        return None
    labels = encoded.split(".")
    fits = LOCAL.fullmatch(local) and len(labels) > 1 and all(LABEL.fullmatch(label) for label in labels)
    address = f"{local}@{encoded}"
    return address if fits and len(address) <= LONGEST_ADDRESS else None
