"""SQL statements that a unit of work adds to an append."""

from collections.abc import Sequence
from typing import Any, LiteralString, NamedTuple


class Statement(NamedTuple):
    """An SQL statement with its parameters."""

    sql: LiteralString
    parameters: Sequence[Any] = ()


class AppendFunctions(NamedTuple):
    """An SQL function that appends an event with further data, and its twin that stores an answer too."""

    sql: LiteralString
    once: LiteralString
    parameters: Sequence[Any] = ()
