"""Quick makers of facts: those that recur are made once and found again; those of many kinds are made in one step."""

from collections.abc import Callable
from functools import lru_cache, partial
from typing import Any, Final, ParamSpec, TypeVar, cast

F = TypeVar("F")
Q = ParamSpec("Q")
KEPT: Final = 1 << 13  # facts of a kind
SEATS: Final = range(5)  # of every game


def made_once(fact: Callable[Q, F]) -> Callable[Q, F]:
    """Returns a maker of facts of a kind, which gives the same fact for the same fields."""
    return cast(Callable[Q, F], lru_cache(maxsize=KEPT)(fact))


def made_of(fact: type[F]) -> Callable[[tuple[Any, ...]], F]:
    """Returns a maker of facts of a kind that seldom recur, out of a tuple of all their fields, in their order."""
    return cast(Callable[[tuple[Any, ...]], F], partial(tuple.__new__, fact))


def by_seat(fact: Callable[[int], F]) -> tuple[F, ...]:
    """Returns the fact of every seat, for a kind that names nothing else."""
    return tuple(fact(seat) for seat in SEATS)
