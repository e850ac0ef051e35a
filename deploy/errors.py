"""Why the service cannot be started here, said so that the operator knows what to do."""

from pathlib import Path

from events.errors import CabildoError


class CannotRun(CabildoError):
    """Something on this machine stands in the way of the service."""


class NotWritable(CannotRun):
    """A directory the service needs cannot be created or written."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be written ({reason}); choose another place with --data-dir")
        self.path = path


class ServerFailed(CannotRun):
    """A server process ended or did not become ready in time."""

    def __init__(self, name: str, reason: str, last_words: str) -> None:
        super().__init__(f"{name} {reason}" + (f"; it said:\n{last_words}" if last_words else ""))
        self.name = name
        self.reason = reason
