"""Pairings and standings told: every table and every rank with its reasons, each ending in numbers of events."""

from fractions import Fraction

from projections.tournaments import inputs
from projections.tournaments.documents import line_document, pairing_document, shown
from projections.tournaments.pairing import pair
from projections.tournaments.record import Record, RoundRecord
from projections.tournaments.scoring import Earned, ledger
from projections.tournaments.standings import standings
from projections.tournaments.values import Line, Pairing, Standings
from service.errors import NotThere
from service.tournaments.desk import Held
from service.tournaments.documents import Document, Words, computed


def told_pairing(held: Held, number: int, attempt: int, pairing: Pairing, known: Words) -> Document:
    """A pairing with its reasons."""
    told = dict(pairing_document(pairing)) | {"round": number, "attempt": attempt}
    return computed(held, **told, people=known.entrants(held.known))


def paired_again(record: Record, current: RoundRecord) -> Pairing:
    """The pairing of a round, computed again from what it was computed from; `record` is of that version."""
    setting = inputs.setting(record, current.stage, current.number, current.present)
    return pair(setting, bytes.fromhex(current.seed))


def standings_of(record: Record, stage: int) -> Standings:
    """The standings of a stage now."""
    return standings(inputs.stage_of(record, stage), inputs.rounds_of(record, stage), inputs.entrants(record, stage))


def told_standings(held: Held, stage: int, known: Words) -> Document:
    """The standings of a stage."""
    found = standings_of(held.known, stage)
    return computed(
        held,
        stage=stage,
        name=inputs.stage_of(held.known, stage).name,
        criteria=list(found.criteria),
        lines=[_line(line) for line in found.lines],
        people=known.entrants(held.known),
    )


def told_rank(held: Held, stage: int, entrant: int, known: Words) -> Document:
    """Why somebody stands where they stand: every figure down to its summands, and the line above."""
    found, above = standings_of(held.known, stage), None
    for line in found.lines:
        if inputs.numbers_of(held.known)[line.player] == entrant:
            upper = None if above is None else _line(above)
            told = {"stage": stage, "line": line_document(line), "above": upper}
            return computed(held, **told, people=known.entrants(held.known))
        above = line
    raise NotThere("entrant in this stage", entrant)


def cross_table(held: Held, stage: int, known: Words) -> Document:
    """Who had what in which round, in the order of the standings."""
    record = held.known
    rounds = inputs.rounds_of(record, stage)
    book = ledger(inputs.stage_of(record, stage), rounds, inputs.entrants(record, stage))
    lines = [
        _line(line) | {"rounds": [_cell(earned) for earned in book.get(line.player, ())]}
        for line in standings_of(record, stage).lines
    ]
    numbers = [one.number for one in rounds]
    return computed(held, stage=stage, rounds=numbers, lines=lines, people=known.entrants(record))


def _cell(earned: Earned) -> Document:
    return {
        "round": earned.round,
        "table": earned.table,
        "place": earned.place,
        "points": shown(earned.points),
        "score": shown(earned.score),
        "events": list(earned.events),
    }


def statistics(held: Held) -> Document:
    """How often which seat won, at tables of each size, and what ended the games."""
    wins: dict[tuple[int, int], Fraction] = {}
    played: dict[int, int] = {}
    ends: dict[str, int] = {}
    for one in held.known.rounds:
        for table in one.tables:
            if table.result is None or table.void is not None:
                continue
            size, places = len(table.seats), table.result.places
            played[size] = played.get(size, 0) + 1
            for seat, place in enumerate(places):
                share = Fraction(place == 1, places.count(1))
                wins[size, seat] = wins.get((size, seat), Fraction(0)) + share
            for name in table.result.ends:
                ends[name] = ends.get(name, 0) + 1
    seats = [
        {"size": size, "seat": seat, "tables": played[size], "wins": shown(won)}
        for (size, seat), won in sorted(wins.items())
    ]
    return computed(held, tables=sum(played.values()), seats=seats, ends=dict(sorted(ends.items())))


def _line(line: Line) -> Document:
    return {
        "rank": line.rank,
        "player": line.player,
        "values": {figure.criterion: shown(figure.value) for figure in line.figures},
        "decided_by": line.decided_by,
        "gone": line.gone,
    }
