"""Refusals of sign-in for programs."""

from events.errors import CabildoError


class TooManyLogins(CabildoError):
    """As many device logins wait as may wait."""

    def __init__(self) -> None:
        super().__init__("too many logins wait to be allowed; try again in some minutes")
        self.retry_after = 60
