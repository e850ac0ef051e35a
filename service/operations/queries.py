"""Reads whether this process can take moves."""

from collections.abc import Sequence
from typing import Final, TypedDict

from service.core.errors import StoreUnavailable
from service.core.stores import Stores

NEEDED: Final = "postgresql"  # without Redis moves are still accepted; bots and streams catch up


class Readiness(TypedDict):
    """The stores that do not answer."""

    status: str
    missing: Sequence[str]


def readiness(stores: Stores) -> Readiness:
    """Returns whether all stores answer; raises StoreUnavailable without PostgreSQL."""
    missing = stores.missing()
    if NEEDED in missing:
        raise StoreUnavailable(" and ".join(missing))
    return {"status": "degraded" if missing else "ready", "missing": missing}
