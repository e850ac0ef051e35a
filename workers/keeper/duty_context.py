"""What the duties of a keeper share, among it one world: opened by the first that needs it, for stores come late."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from threading import Lock
from typing import Any

from psycopg import Connection

from service.container import Container, open_world
from service.settings import Settings


class DutyContainer:
    """Settings and environment of a keeper, and the world that its duties act in."""

    def __init__(self, settings: Settings, environ: Mapping[str, str]) -> None:
        self.settings = settings
        self.environ = environ
        self._world: Container | None = None
        self._opening = Lock()

    @property
    def world(self) -> Container:
        """The outside of what the duties do."""
        with self._opening:  # duties begin together
            if self._world is None:
                self._world = open_world(self.settings, "keeper")
            return self._world

    def close(self) -> None:
        """Let go of the world, if it was ever opened; no duty is done after it."""
        if self._world is not None:
            self._world.close()


class DutyContext(ABC):
    """A duty that acts in a world."""

    def __init__(self, office: DutyContainer) -> None:
        self._office = office

    @property
    def world(self) -> Container:
        """The outside of what the duty does."""
        return self._office.world

    @abstractmethod
    def __call__(self, connection: Connection[Any]) -> bool:
        """One short step; whether more waits."""
