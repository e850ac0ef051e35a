"""The options of a game: those it offers, and those that were chosen."""

from collections.abc import Mapping
from typing import NamedTuple

from events.json_types import Json

Options = Mapping[str, Json]


class GameOption(NamedTuple):
    """An option: its values, the default first; with `several`, any list of them, by default none."""

    values: tuple[Json, ...]
    several: bool = False
