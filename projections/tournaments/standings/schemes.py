"""Scoring schemes of directors, as tables that can be compared with the published ones."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from projections.tournaments.values import Scheme


def _places(rows: Mapping[int, str]) -> Mapping[int, tuple[Fraction, ...]]:
    return {size: tuple(Fraction(worth) for worth in row.split()) for size, row in rows.items()}


SCHEMES: Final[Mapping[str, Scheme]] = {
    scheme.name: scheme
    for scheme in (
        Scheme("thousands", _places({2: "1000 100", 3: "1000 100 10", 4: "1000 100 10 1", 5: "1000 100 10 1 0"})),
        Scheme("powers", _places({2: "16 8", 3: "16 8 4", 4: "16 8 4 2", 5: "16 8 4 2 1"})),
        Scheme("even", _places({2: "6 0", 3: "6 3 0", 4: "6 4 2 0", 5: "6 9/2 3 3/2 0"})),
        Scheme("wins", _places({2: "1 0", 3: "1 0 0", 4: "1 0 0 0", 5: "1 0 0 0 0"})),
        Scheme("share", {}, share=True),
    )
}
