"""What the service itself refuses, beside what the rules and the log refuse."""

from collections.abc import Sequence

from events.errors import CabildoError


class BadSettings(CabildoError):
    """The settings cannot be used; every fault is named."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("; ".join(faults))
        self.faults = tuple(faults)


class StoreUnavailable(CabildoError):
    """A store does not answer."""

    def __init__(self, store: str) -> None:
        super().__init__(f"{store} does not answer; try again shortly")
        self.store = store


class UnreadableBody(CabildoError):
    """The body of a request is not the JSON it should be."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class InvalidRequest(CabildoError):
    """The request can be read, but its fields are not what the operation takes."""

    def __init__(self, errors: object) -> None:
        super().__init__("some fields are not what this operation takes")
        self.errors = errors


class Unauthenticated(CabildoError):
    """The request does not say who asks, or with a token or session that is not valid."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ScopeMissing(CabildoError):
    """The token does not give the right to this."""

    def __init__(self, scope: str, has: Sequence[str]) -> None:
        super().__init__(f"this takes a token with the scope {scope}")
        self.scope = scope
        self.has = tuple(has)


class NotAllowed(CabildoError):
    """The one who asks may not do this."""

    def __init__(self, reason: str, sentence: str) -> None:
        super().__init__(sentence)
        self.reason = reason


class NotThere(CabildoError):
    """There is no such thing, or it is not for the asker to know of it."""

    def __init__(self, what: str, name: object) -> None:
        super().__init__(f"there is no {what} {name}")
        self.what = what
        self.name = str(name)


class NameTaken(CabildoError):
    """Another player has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"the name {name!r} is taken")
        self.name = name


class BadName(CabildoError):
    """The text cannot be a player's name."""

    def __init__(self, name: str, reason: str) -> None:
        super().__init__(f"{name!r} cannot be a name: {reason}")
        self.name = name
        self.reason = reason
