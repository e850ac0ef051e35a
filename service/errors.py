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
