"""Documents of pairings and standings, with reasons that cite event numbers."""

from projections.tournaments import inputs
from projections.tournaments.advancement import advancing
from projections.tournaments.documents import advancing_document, line_document, pairing_document, rounded_text
from projections.tournaments.pairing.pair_round import pair
from projections.tournaments.record import RoundRecord, TournamentRecord
from projections.tournaments.standings import statistics
from projections.tournaments.standings.ranking import standings
from projections.tournaments.standings.statistics import Cell, CrossTable, SeatRow
from projections.tournaments.values import Pairing, Standings, StandingsLine
from service.core.errors import NotThere
from service.tournaments.documents import Document, TournamentNames, computed
from service.tournaments.tournament_repository import TournamentState


def told_pairing(
    state: TournamentState, number: int, attempt: int, pairing: Pairing, known: TournamentNames
) -> Document:
    """Returns a pairing with its reasons."""
    document = dict(pairing_document(pairing)) | {"round": number, "attempt": attempt}
    return computed(state, **document, people=known.entrants(state.known))


def paired_again(record: TournamentRecord, current: RoundRecord) -> Pairing:
    """Computes the pairing of a round again; `record` is of the version that the round was paired from."""
    setting = inputs.pairing_input(record, current.stage, current.number, current.present)
    return pair(setting, bytes.fromhex(current.seed))


def standings_of(record: TournamentRecord, stage: int) -> Standings:
    """Computes the current standings of a stage."""
    return standings(inputs.stage_of(record, stage), inputs.rounds_of(record, stage), inputs.entrants(record, stage))


def told_standings(state: TournamentState, stage: int, known: TournamentNames) -> Document:
    """Returns the standings of a stage."""
    found = standings_of(state.known, stage)
    return computed(
        state,
        stage=stage,
        name=inputs.stage_of(state.known, stage).name,
        criteria=list(found.criteria),
        lines=[_line(line) for line in found.lines],
        people=known.entrants(state.known),
    )


def told_rank(state: TournamentState, stage: int, entrant: int, known: TournamentNames) -> Document:
    """Returns an entrant's line with all its summands, and the line above it. Raises NotThere."""
    found, above = standings_of(state.known, stage), None
    for line in found.lines:
        if inputs.numbers_of(state.known)[line.player] == entrant:
            upper = None if above is None else _line(above)
            document = {"stage": stage, "line": line_document(line), "above": upper}
            return computed(state, **document, people=known.entrants(state.known))
        above = line
    raise NotThere("entrant in this stage", entrant)


def told_advancing(state: TournamentState, then: TournamentRecord, stage: int, known: TournamentNames) -> Document:
    """Returns the advancing entrants of a stage, with reasons computed from `then`."""
    found = advancing(inputs.stage_of(then, stage), inputs.rounds_of(then, stage), inputs.entrants(then, stage))
    closed = state.known.stages[stage - 1].closed
    document = {"stage": stage, "closed": closed, **advancing_document(found)}
    return computed(state, **document, people=known.entrants(state.known))


def cross_table_of(record: TournamentRecord, stage: int) -> CrossTable:
    """Computes the cross-table of a stage."""
    rules, rounds = inputs.stage_of(record, stage), inputs.rounds_of(record, stage)
    return statistics.cross_table(rules, rounds, inputs.entrants(record, stage))


def told_cross_table(state: TournamentState, stage: int, known: TournamentNames) -> Document:
    """Returns the cross-table of a stage in the order of the standings."""
    table = cross_table_of(state.known, stage)
    lines = [
        {**_line(line), "rounds": [None if cell is None else _cell(cell) for cell in row.cells]}
        for line, row in zip(table.standings.lines, table.rows, strict=True)
    ]
    numbers = [one.number for one in inputs.rounds_of(state.known, stage)]
    return computed(state, stage=stage, rounds=numbers, lines=lines, people=known.entrants(state.known))


def _cell(cell: Cell) -> Document:
    earned = cell.earned
    document = {"round": cell.round, "table": cell.table, "seat": cell.seat, "met": list(cell.opponents)}
    if earned is None:
        return {**document, "place": None, "points": None, "score": None, "events": []}
    return {
        **document,
        "place": earned.place or None,
        "points": rounded_text(earned.points),
        "score": rounded_text(earned.score),
        "events": list(earned.events),
    }


def seats_of(record: TournamentRecord, stage: int) -> tuple[SeatRow, ...]:
    """Computes the statistics of the seats in a stage."""
    rules, rounds = inputs.stage_of(record, stage), inputs.rounds_of(record, stage)
    return statistics.seats(rules, rounds, inputs.entrants(record, stage))


def told_statistics(state: TournamentState, stage: int, _known: TournamentNames) -> Document:
    """Returns the statistics of seats and game ends in a stage."""
    seats = seats_of(state.known, stage)
    ends = statistics.ends(inputs.rounds_of(state.known, stage))
    return computed(
        state,
        stage=stage,
        scheme=inputs.stage_of(state.known, stage).scheme.name,
        tables=sum(row.games for row in seats if row.seat == 0),
        seats=[_seat(row) for row in seats],
        ends=[{**row._asdict(), "events": list(row.events)} for row in ends],
    )


def _seat(row: SeatRow) -> Document:
    return {
        "size": row.size,
        "seat": row.seat,
        "games": row.games,
        "wins": rounded_text(row.wins),
        "place_points": rounded_text(row.points),
        "game_points": rounded_text(row.score),
        "place": rounded_text(row.place),
        "events": list(row.events),
    }


def _line(line: StandingsLine) -> Document:
    return {
        "rank": line.rank,
        "player": line.player,
        "values": {figure.criterion: rounded_text(figure.value) for figure in line.figures},
        "decided_by": line.decided_by,
        "gone": line.gone,
    }
