"""Errors of building read models."""

from events.errors import CabildoError


class LeaseLost(CabildoError):
    """Another build of the same projection has begun; this one stops."""

    def __init__(self, name: str) -> None:
        super().__init__(f"another rebuild of {name} has begun")
        self.name = name


class ProjectionParked(CabildoError):
    """A projection met an entry that it cannot apply."""

    def __init__(self, name: str, idx: int, reason: str) -> None:
        super().__init__(f"{name} stops at entry {idx}: {reason}")
        self.name = name
        self.idx = idx
        self.reason = reason


class ProjectionDiffers(CabildoError):
    """The rebuilt rows differ from the live rows of the same events and version."""

    def __init__(self, name: str, live: str, rebuilt: str) -> None:
        super().__init__(f"{name} differs: live {live}, rebuilt {rebuilt}")
        self.name = name
        self.live = live
        self.rebuilt = rebuilt
