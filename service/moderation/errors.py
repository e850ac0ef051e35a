"""Refusals of moderation."""

from events.errors import CabildoError
from service.core.errors import Refusal


class AccountBlocked(CabildoError):
    """An administrator has blocked the account until a time; it may read, and finish what it is in."""

    def __init__(self, until: str, reason: str) -> None:
        super().__init__(
            "your account is blocked until {until}: {reason}. Until then you may read, and finish the games and "
            "tournaments that you are in",
            until=f"{until[:10]} {until[11:16]} UTC",
            reason=reason,
        )
        self.until = until
        self.reason = reason


class BlockRefused(Refusal):
    """This account cannot be blocked in this way."""
