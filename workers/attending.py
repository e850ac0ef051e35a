"""Duties of the keeper that act in a world: opened when the duty is first done, for a keeper waits for its stores."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from typing import Any

from psycopg import Connection

from service.config import Settings
from service.world import World, open_world


class Attending(ABC):
    """A duty with a world of its own."""

    def __init__(self, settings: Settings, _environ: Mapping[str, str]) -> None:
        self._settings = settings

    @cached_property
    def world(self) -> World:
        """The outside of what the duty does."""
        return open_world(self._settings, "keeper")

    @abstractmethod
    def __call__(self, connection: Connection[Any]) -> bool:
        """One short step; whether more waits."""
