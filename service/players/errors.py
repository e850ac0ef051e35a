"""Refusals of accounts."""

from events.errors import CabildoError


class ConfirmationRequired(CabildoError):
    """A change of rights takes a session in which the password was given a moment ago."""

    def __init__(self, minutes: int) -> None:
        super().__init__(
            "log in, or give your password again at /v1/session/confirmation; this holds for {minutes} minutes",
            minutes=minutes,
        )
        self.minutes = minutes
