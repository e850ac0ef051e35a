"""Spice cubes: four kinds in the order of the upgrade track, and the arithmetic of caravans."""

from functools import lru_cache
from typing import Final, TypeAlias

Cubes: TypeAlias = tuple[int, int, int, int]  # turmeric, saffron, cardamom, cinnamon

LETTERS: Final = "yrgb"  # the colours of the cubes, as the notation writes them
SPICES: Final = ("turmeric", "saffron", "cardamom", "cinnamon")
INDEX: Final = {letter: index for index, letter in enumerate(LETTERS)}
RAISED: Final = {"y": "r", "r": "g", "g": "b"}  # one step up the track; cinnamon is the top
NONE: Final[Cubes] = (0, 0, 0, 0)
ONE: Final[dict[str, Cubes]] = {"y": (1, 0, 0, 0), "r": (0, 1, 0, 0), "g": (0, 0, 1, 0), "b": (0, 0, 0, 1)}


@lru_cache(maxsize=1 << 11)  # there are 1,365 ways to spell up to five
def counted(letters: str) -> Cubes:
    """How many cubes of each kind are spelled out."""
    return letters.count("y"), letters.count("r"), letters.count("g"), letters.count("b")


def spelled(cubes: Cubes) -> str:
    """The cubes one by one as letters, cheapest first."""
    return "".join(letter * count for letter, count in zip(LETTERS, cubes, strict=True))


def plus(left: Cubes, right: Cubes) -> Cubes:
    """Both together."""
    a, b, c, d = left
    w, x, y, z = right
    return a + w, b + x, c + y, d + z


def minus(left: Cubes, right: Cubes) -> Cubes:
    """Returns the difference; a negative count means that cubes are missing."""
    a, b, c, d = left
    w, x, y, z = right
    return a - w, b - x, c - y, d - z


def times(cubes: Cubes, number: int) -> Cubes:
    """The same cubes so many times."""
    return cubes[0] * number, cubes[1] * number, cubes[2] * number, cubes[3] * number


def holds(caravan: Cubes, cubes: Cubes) -> bool:
    """Whether all these cubes are in the caravan."""
    a, b, c, d = caravan
    w, x, y, z = cubes
    return a >= w and b >= x and c >= y and d >= z


def named(cubes: Cubes) -> dict[str, int]:
    """The kinds there are, by name."""
    return {name: count for name, count in zip(SPICES, cubes, strict=True) if count}
