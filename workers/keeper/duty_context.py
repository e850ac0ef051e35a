"""Shared by the duties of a keeper: settings and one container, opened by the first duty that needs it."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from threading import Lock

from psycopg import Connection

from service.container import Container, open_container
from service.settings import Settings


class KeeperContext:
    """Settings and environment of a keeper, and the world that its duties act in."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self.settings = settings
        self.environ = environ
        self._container: Container | None = None
        self._opening = Lock()

    @property
    def container(self) -> Container:
        """The outside of what the duties do."""
        with self._opening:  # duties begin together
            if self._container is None:
                self._container = open_container(self.settings, "keeper")
            return self._container

    def close(self) -> None:
        """Let go of the world, if it was ever opened; no duty is done after it."""
        if self._container is not None:
            self._container.close()


class ContainerDuty(ABC):
    """A duty that acts in a world."""

    def __init__(self, context: KeeperContext) -> None:
        self._context = context

    @property
    def container(self) -> Container:
        """The outside of what the duty does."""
        return self._context.container

    @abstractmethod
    def __call__(self, connection: Connection) -> bool:
        """One short step; whether more waits."""
