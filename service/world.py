"""What a request needs besides its own data: settings and stores, put together once per process."""

from dataclasses import dataclass

from service.config import Settings
from service.stores import Stores


@dataclass(frozen=True)
class World:
    """The outside of the use cases, handed to them by the routes."""

    settings: Settings
    stores: Stores
