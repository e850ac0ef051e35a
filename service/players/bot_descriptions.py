"""What the owner of a bot says of it."""

from collections.abc import Mapping
from typing import Final, NamedTuple


class AboutBot(NamedTuple):
    """The name of its engine, and its manifest."""

    engine: str | None = None
    manifest: Mapping[str, str] | None = None


NO_BOT: Final = AboutBot()
