"""Table sizes: as many tables of the preferred size as the number of players allows."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from projections.tournaments.errors import CannotPair
from projections.tournaments.values import Sizes


class Divided(NamedTuple):
    """The sizes of the tables, largest first, and the number of byes."""

    sizes: tuple[int, ...]
    byes: int


def divide(players: int, sizes: Sizes) -> Divided:
    """Returns sizes that seat the most players at preferred sizes; raises CannotPair when no or not all players fit."""
    for byes in range(players if sizes.byes else 1):
        counts = _counts(players - byes, sizes.preferred)
        if counts is not None and any(counts):
            listed = [size for size, count in zip(sizes.preferred, counts, strict=True) for _ in range(count)]
            return Divided(tuple(sorted(listed, reverse=True)), byes)
    raise CannotPair(
        "{players} players cannot be seated at tables of {known}",
        players=players,
        known=" or ".join(map(str, sizes.preferred)),
    )


@cache
def _counts(players: int, sizes: tuple[int, ...]) -> tuple[int, ...] | None:
    """Returns the number of tables of each size, preferring the first sizes, or None when the players do not fit."""
    if not sizes:
        return () if players == 0 else None
    size, others = sizes[0], sizes[1:]
    for count in range(players // size, -1, -1):
        rest = _counts(players - count * size, others)
        if rest is not None:
            return (count, *rest)
    return None


def lay_out(sizes: Sequence[int], burden: Sequence[int]) -> tuple[int, ...]:
    """Returns the sizes from the top table down, with smaller tables for players that had the fewest.

    `burden` is the cost for each player, best first, of sitting at a smaller table again; where it makes no
    difference smaller tables stand last.
    """
    kinds = sorted(set(sizes), reverse=True)
    have = tuple(sizes.count(kind) for kind in kinds)
    summed = [0]
    for times in burden:
        summed.append(summed[-1] + times)
    best: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {(0,) * len(kinds): (0, ())}
    for _ in range(len(sizes)):
        best = _one_table_more(best, kinds, have, summed)
    return best[have][1]


def _one_table_more(
    best: dict[tuple[int, ...], tuple[int, tuple[int, ...]]],
    kinds: Sequence[int],
    have: tuple[int, ...],
    summed: Sequence[int],
) -> dict[tuple[int, ...], tuple[int, tuple[int, ...]]]:
    """Returns the cheapest layout of each set of tables with one table more."""
    found: dict[tuple[int, ...], tuple[int, tuple[int, ...]]] = {}
    for used, (cost, laid) in best.items():
        start = sum(count * kind for count, kind in zip(used, kinds, strict=True))
        for number, kind in enumerate(kinds):
            if used[number] < have[number]:
                after = (*used[:number], used[number] + 1, *used[number + 1 :])
                paid = cost + (summed[start + kind] - summed[start] if number else 0)
                known = found.get(after)
                if known is None or (paid, tuple(-size for size in (*laid, kind))) < (
                    known[0],
                    tuple(-size for size in known[1]),
                ):
                    found[after] = (paid, (*laid, kind))
    return found
