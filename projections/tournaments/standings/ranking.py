"""Standings of a stage by its criteria in order; every figure names its events."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from projections.tournaments.standings.criteria import Facts, figure, ranking
from projections.tournaments.values import Entrant, Figure, Player, Round, Stage, Standings, StandingsLine


class _Ranked(NamedTuple):
    """A player in order: the compared figures, and the criterion that separates from the one before."""

    player: Player
    figures: tuple[Figure, ...]
    decided_by: str | None
    tied: bool  # with the one before, by every criterion


def standings(stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> Standings:
    """Returns the standings after these rounds; disqualified entrants come last."""
    facts = Facts(stage, rounds, entrants)
    lines: list[StandingsLine] = []
    for disqualified in (False, True):
        group = tuple(sorted(entrant.player for entrant in entrants if entrant.disqualified is disqualified))
        for ranked in _ranked(facts, stage.criteria, group):
            rank = lines[-1].rank if ranked.tied else len(lines) + 1
            decided_by = ranked.decided_by or ("disqualified" if disqualified and lines and not ranked.tied else None)
            gone = facts.entrants[ranked.player].gone
            lines.append(StandingsLine(rank, ranked.player, ranked.figures, decided_by, gone))
    return Standings(stage.criteria, tuple(lines))


def _ranked(facts: Facts, criteria: Sequence[str], group: Sequence[Player]) -> Iterator[_Ranked]:
    """Yields tied players in order by the remaining criteria."""
    if not criteria:
        for number, player in enumerate(group):
            yield _Ranked(player, (), None, number > 0)
        return
    name, rest = criteria[0], criteria[1:]
    own = {player: figure(facts, name, player, group) for player in group}
    ordered = sorted(group, key=lambda player: ranking(name, own[player].value), reverse=True)
    first = True
    for _, equals in groupby(ordered, key=lambda player: own[player].value):
        for number, ranked in enumerate(_ranked(facts, rest, tuple(equals))):
            decided_by = name if number == 0 and not first else ranked.decided_by
            yield ranked._replace(figures=(own[ranked.player], *ranked.figures), decided_by=decided_by)
        first = False
