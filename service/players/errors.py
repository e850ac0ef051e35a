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


class SecondFactorNeeded(CabildoError):
    """The password is right, and the account has a second factor."""

    def __init__(self, ticket: str, minutes: int) -> None:
        super().__init__(
            "send a code of your second factor with this ticket to /v1/session/second-factor within {minutes} minutes",
            minutes=minutes,
        )
        self.ticket = ticket


class SecondFactorRefused(CabildoError):
    """The code of a second factor is wrong or was used."""

    def __init__(self) -> None:
        super().__init__("the code is wrong or was used; wait for the next one")


class LoginOver(CabildoError):
    """The ticket of a begun login is unknown, used or expired."""

    def __init__(self) -> None:
        super().__init__("too much time has passed since the password; log in again")


class SecondFactorOn(CabildoError):
    """The account has a second factor already."""

    def __init__(self) -> None:
        super().__init__("your account has a second factor; switch it off first")


class NoMail(CabildoError):
    """The operator has set up no mail."""

    def __init__(self) -> None:
        super().__init__("this service sends no mail: its operator has set up none")


class EmailCodeRefused(CabildoError):
    """The code does not confirm the waiting address."""

    def __init__(self) -> None:
        super().__init__("the code is wrong, was used or has expired; ask for another one")
