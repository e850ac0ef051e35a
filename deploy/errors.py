"""Errors of starting the service; each message says what the operator can do."""

from pathlib import Path

from events.errors import CabildoError


class CannotRun(CabildoError):
    """The service cannot run on this machine."""


class NotWritable(CannotRun):
    """A directory the service needs cannot be created or written."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be written ({reason}); choose another place with --data-dir")
        self.path = path


class ServerFailed(CannotRun):
    """A server process ended or did not become ready in time."""

    def __init__(self, name: str, reason: str, output: str) -> None:
        super().__init__(f"{name} {reason}" + (f"; its last output:\n{output}" if output else ""))
        self.name = name
        self.reason = reason


class AlreadyRunning(CannotRun):
    """Another copy of the service uses the same data directory."""

    def __init__(self, data_dir: Path, owner: str) -> None:
        super().__init__(f"{data_dir} is in use by process {owner}; stop it, or choose another place with --data-dir")
        self.data_dir = data_dir
        self.owner = owner


class PortTaken(CannotRun):
    """Another program listens on the port of the web server."""

    def __init__(self, host: str, port: int, reason: str, holder: str, option: str) -> None:
        super().__init__(
            f"cannot listen on {host} port {port}: {reason}{holder}; choose another with {option}, or 0 for any"
        )
        self.host = host
        self.port = port


class TooOld(CannotRun):
    """A store is older than the service needs."""

    def __init__(self, store: str, found: str, needed: str) -> None:
        super().__init__(f"{store} is {found}, but {needed} or newer is needed")
        self.store = store
        self.found = found
        self.needed = needed


class StoreAbsent(CannotRun):
    """A store that the settings name cannot be reached."""

    def __init__(self, store: str, reason: str) -> None:
        super().__init__(f"{store} cannot be reached (is it running? deploy/up starts an embedded one): {reason}")
        self.store = store
        self.reason = reason


class CannotCompile(CabildoError):
    """The rules cannot be compiled here."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"cannot compile the rules: {reason}")
        self.reason = reason


class NotDistributable(CannotRun):
    """The tables cannot be distributed, or not all of a cluster is as it must be."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"not distributed: {reason}")
