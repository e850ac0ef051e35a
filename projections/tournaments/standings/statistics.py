"""Statistics of rounds: results by seat, reasons of ends, and the cross-table."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from projections.tournaments.standings.criteria import Facts
from projections.tournaments.standings.ranking import standings
from projections.tournaments.standings.scoring import Earned
from projections.tournaments.values import Entrant, PlayedTable, Player, Round, Stage, Standings


class SeatRow(NamedTuple):
    """How a seat did at tables of a size; forfeited games are counted too."""

    size: int
    seat: int
    games: int
    wins: Fraction  # a shared one is a part of one
    points: Fraction  # average place points by the stage's scheme
    score: Fraction  # points in the games on average, after bids
    place: Fraction  # on average
    events: tuple[int, ...]


class EndRow(NamedTuple):
    """How many games something ended, and the events that say so; a game may end for several reasons at once."""

    end: str
    games: int
    events: tuple[int, ...]


class Cell(NamedTuple):
    """A player's result in a round: at a table, or a bye without a table."""

    round: int
    table: int | None
    seat: int | None
    opponents: tuple[Player, ...]
    earned: Earned | None  # None: not finished, or void


class CrossRow(NamedTuple):
    """A player's way through the rounds."""

    rank: int
    player: Player
    cells: tuple[Cell | None, ...]  # round by round; None: not there
    total: Fraction


class CrossTable(NamedTuple):
    """The results of all players by round, in the order of the standings."""

    rounds: int
    rows: tuple[CrossRow, ...]
    standings: Standings


def seats(stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> tuple[SeatRow, ...]:
    """How each seat did, by the size of the table."""
    facts = Facts(stage, rounds, entrants)
    sat: dict[tuple[int, int], list[Earned]] = defaultdict(list)
    for round_, table in _finished(rounds):
        for seat, player in enumerate(table.seats):
            own = next(one for one in facts.of(player) if (one.round, one.table) == (round_.number, table.number))
            sat[len(table.seats), seat].append(own)
    return tuple(_seat_row(size, seat, earned) for (size, seat), earned in sorted(sat.items()))


def _seat_row(size: int, seat: int, earned: Sequence[Earned]) -> SeatRow:
    games = len(earned)
    return SeatRow(
        size,
        seat,
        games,
        sum((one.win for one in earned), Fraction(0)),
        sum((one.points for one in earned), Fraction(0)) / games,
        sum((one.score for one in earned), Fraction(0)) / games,
        Fraction(sum(one.place for one in earned), games),
        tuple(one.events[-1] for one in earned),
    )


def ends(rounds: Iterable[Round]) -> tuple[EndRow, ...]:
    """Returns the reasons of ends of games, the most frequent first."""
    found: dict[str, list[int]] = defaultdict(list)
    for _, table in _finished(rounds):
        assert table.result is not None, "finished tables have a result"
        for end in table.result.ends:
            found[end].append(table.result.event)
    rows = (EndRow(end, len(events), tuple(events)) for end, events in found.items())
    return tuple(sorted(rows, key=lambda row: (-row.games, row.end)))


def cross_table(stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> CrossTable:
    """Returns the results of all players by round, in the order of the standings."""
    facts, ranked = Facts(stage, rounds, entrants), standings(stage, rounds, entrants)
    cells: dict[Player, list[Cell | None]] = {entrant.player: [None] * len(rounds) for entrant in entrants}
    for number, round_ in enumerate(rounds):
        for player, cell in _cells(facts, round_):
            cells[player][number] = cell
    rows = (CrossRow(one.rank, one.player, tuple(cells[one.player]), facts.points(one.player)) for one in ranked.lines)
    return CrossTable(len(rounds), tuple(rows), ranked)


def _cells(facts: Facts, round_: Round) -> Iterator[tuple[Player, Cell]]:
    def earned(player: Player, table: int | None) -> Earned | None:
        return next((one for one in facts.of(player) if (one.round, one.table) == (round_.number, table)), None)

    for table in round_.tables:
        for seat, player in enumerate(table.seats):
            others = tuple(other for other in table.seats if other != player)
            yield player, Cell(round_.number, table.number, seat, others, earned(player, table.number))
    for bye in round_.byes:
        yield bye.player, Cell(round_.number, None, None, (), earned(bye.player, None))


def _finished(rounds: Iterable[Round]) -> Iterator[tuple[Round, PlayedTable]]:
    for round_ in rounds:
        for table in round_.tables:
            if table.result is not None and table.void is None:
                yield round_, table
