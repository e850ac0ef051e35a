"""A job that never returns, and that no signal interrupts."""

from itertools import repeat


def hang() -> None:
    """Adds up zeros in compiled code, for ever."""
    sum(repeat(0))
