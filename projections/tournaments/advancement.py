"""Advancement: from table to table in a knock-out, and from stage to stage."""

from collections.abc import Iterable, Mapping, Sequence

from projections.tournaments.pairing.lottery import Lots
from projections.tournaments.standings.ranking import standings
from projections.tournaments.standings.scoring import order
from projections.tournaments.values import (
    Advancing,
    Entrant,
    Format,
    PlayedTable,
    Player,
    Reason,
    Round,
    Stage,
    StandingsLine,
)


def is_over(stage: Stage, rounds: Sequence[Round]) -> bool:
    """Returns whether the stage has had all its rounds; a knock-out ends with a single table."""
    if stage.format is Format.KNOCK_OUT and rounds and len(rounds[-1].tables) == 1 and not rounds[-1].byes:
        return True
    return len(rounds) >= stage.rounds


def survivors(stage: Stage, round_: Round, entrants: Sequence[Entrant]) -> list[Player]:
    """Returns the players that advance from a knock-out's round and its drawn byes, in the order of the tables."""
    seeding = {entrant.player: entrant.seeding for entrant in entrants}
    going = [player for table in round_.tables for player in _first_of(stage, table, seeding)]
    return going + [bye.player for bye in round_.byes if not bye.asked]


def _first_of(stage: Stage, table: PlayedTable, seeding: Mapping[Player, int]) -> list[Player]:
    """Returns the first players of a finished table, ties broken by seeding; empty for a void or unfinished one."""
    if table.result is None or table.void is not None:
        return []
    places = order(stage, table, seeding).places
    staying = [
        (place, seeding.get(player, len(seeding) + 1), player)
        for seat, (place, player) in enumerate(zip(places, table.seats, strict=True))
        if seat not in table.result.forfeited
    ]
    return [player for _, _, player in sorted(staying)[: stage.advance.per_table]]


def advancing(stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> Advancing:
    """Returns the players that advance to the next stage, in seeding order, and the alternates.

    First the qualifiers of each table or pod, then the best of the others up to the total.
    """
    lines = _in_order(standings(stage, rounds, entrants).lines, rounds)
    sent = _sent_on(stage, rounds, entrants, lines)
    total = len(sent) if stage.advance.total is None else max(stage.advance.total, len(sent))
    others = [line for line in lines if line.player not in sent]
    going = [line for line in lines if line.player in sent] + others[: total - len(sent)]
    reasons = [_why(line, line.player in sent) for line in going]
    return Advancing(
        tuple(line.player for line in going),
        tuple(line.player for line in others[total - len(sent) :]),
        (*reasons, *_at_the_line(going, others[total - len(sent) :])),
    )


def _in_order(lines: Iterable[StandingsLine], rounds: Sequence[Round]) -> list[StandingsLine]:
    """Returns the players that may advance, in the order of the standings; lots of the last round break ties."""
    lots = Lots(rounds[-1].seed if rounds else b"", "advancement")
    return sorted((line for line in lines if line.gone is None), key=lambda line: (line.rank, lots.of(line.player)))


def _sent_on(
    stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant], lines: Sequence[StandingsLine]
) -> frozenset[Player]:
    if not rounds or not stage.advance.per_table:
        return frozenset()
    if stage.format is Format.KNOCK_OUT:
        return frozenset(survivors(stage, rounds[-1], entrants)) & {line.player for line in lines}
    pods = [frozenset(table.seats) for table in rounds[0].tables]
    best = [[line.player for line in lines if line.player in pod][: stage.advance.per_table] for pod in pods]
    return frozenset(player for pod in best for player in pod)


def _why(line: StandingsLine, sent: bool) -> Reason:
    events = {event for figure in line.figures for part in figure.parts for event in part.events}
    code = "first_of_table" if sent else "best_of_the_others"
    return Reason(code, line.player, {"rank": line.rank}, tuple(sorted(events)))


def _at_the_line(going: Sequence[StandingsLine], left: Sequence[StandingsLine]) -> list[Reason]:
    """Returns the reason for a tie broken by lot between the last to advance and the next player."""
    if not going or not left or going[-1].rank != left[0].rank:
        return []
    tied = [line.player for line in (*going, *left) if line.rank == left[0].rank]
    return [Reason("lots_decided", None, {"tied": tied, "rank": left[0].rank}, ())]
