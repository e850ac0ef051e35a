"""Rulings of directors, each with a reason; the scheduler carries them into running games."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from events.event import Event
from events.json_types import Json
from events.kinds.tournament import MOST_EDITIONS
from events.messages import Message
from events.store.statements import Statement
from projections.games.clocks import NONE
from projections.tournaments.corrections import final_order
from projections.tournaments.record import (
    ALIVE,
    CLOSED,
    FINISHED,
    STARTED,
    Entry,
    RoundRecord,
    Sitting,
    TournamentRecord,
)
from service.core.errors import NotAtThisStage, RulingRefused
from service.tournaments.declare import direct
from service.tournaments.entries import numbered
from service.tournaments.tournament_repository import TournamentUnitOfWork

ERRAND: Final = "INSERT INTO errands (id, seq, game) VALUES (%s, %s, %s)"


class RuledTable(NamedTuple):
    """The table of a ruling."""

    round: RoundRecord
    table: Sitting


class Counted(NamedTuple):
    """A result as the director counts it, seat by seat."""

    points: Sequence[int]
    tie_break: Sequence[int]
    places: Sequence[int]
    forfeited: Sequence[int] = ()


def add_time(unit: TournamentUnitOfWork, round: int, table: int, entrant: int, seconds: int, reason: str) -> None:
    """Give an entrant more time in a running game. Raises RulingRefused."""
    found = _at(unit, round, table, entrant)
    if unit.record.regulations["clock"]["kind"] == NONE:
        raise RulingRefused("no_clock", "this tournament has no clocks")
    _playing(found)
    _rule(unit, "time_added", found, reason, entrant=entrant, seconds=seconds)


def rule_result(unit: TournamentUnitOfWork, round: int, table: int, counted: Counted, reason: str) -> None:
    """Rule the result of a table: adjudicate an unfinished game, or correct a result. Raises RulingRefused."""
    found = _at(unit, round, table, corrects=True)
    seats = len(found.table.seats)
    if found.table.void is not None:
        raise RulingRefused("void", "the table is void")
    if any(len(row) != seats for row in (counted.points, counted.tie_break, counted.places)):
        raise RulingRefused("seats", "points, tie-break and places of {seats} seats are needed", seats=seats)
    if not all(1 <= place <= seats for place in counted.places) or 1 not in counted.places:
        raise RulingRefused("places", "places go from 1 to {seats}, and one seat is first", seats=seats)
    if not all(0 <= seat < seats for seat in counted.forfeited):
        raise RulingRefused("seats", "the table has only {seats} seats", seats=seats)
    _rule(
        unit,
        "result_ruled",
        found,
        reason,
        points=list(counted.points),
        tie_break=list(counted.tie_break),
        places=list(counted.places),
        forfeited=list(counted.forfeited),
    )


def void(unit: TournamentUnitOfWork, round: int, table: int, reason: str) -> None:
    """Void a table, so that it counts for nothing. Raises RulingRefused."""
    found = _at(unit, round, table, corrects=True)
    if found.table.void is not None:
        raise RulingRefused("void", "the table is already void")
    _rule(unit, "table_voided", found, reason)


def substitute(unit: TournamentUnitOfWork, round: int, table: int, entrant: int, by: int, reason: str) -> None:
    """Give the seat of an entrant to another one, with the result of the table. Raises RulingRefused."""
    found = _at(unit, round, table, entrant)
    replacement = numbered(unit.record, by)
    if replacement.gone is not None:
        raise RulingRefused("gone", "entrant {by} no longer takes part", by=by)
    if any(by in other.paired for other in found.round.tables):
        raise RulingRefused("seated", "entrant {by} has a seat in this round", by=by)
    if found.round.deal is not None and _knows_deal(unit.record, found.round, replacement):
        raise RulingRefused("knows_the_deal", "entrant {by} could see the deal of this round at another table", by=by)
    if found.round.status == CLOSED or found.table.is_over:
        raise RulingRefused("over", "the table is over")
    if replacement.reserve:
        unit.write("admitted", entrant=by)
    _rule(unit, "substituted", found, reason, entrant=entrant, by=by)


def disqualify(unit: TournamentUnitOfWork, entrant: int, reason: str) -> None:
    """Disqualify an entrant; in a running game the seat follows the rule for leavers. Raises RulingRefused."""
    direct(unit)
    _check_open(unit.record, corrects=True)
    if numbered(unit.record, entrant).disqualified is not None:
        raise RulingRefused("disqualified", "the entrant is already disqualified")
    event = unit.write("disqualified", entrant=entrant, reason=unit.text(reason))
    current = unit.record.round
    for table in current.tables if current is not None and current.status == STARTED else ():
        if entrant in table.seats and table.game is not None and not table.is_over:
            unit.beside.append(Statement(ERRAND, (unit.id, event.seq, UUID(table.game))))
    _issue(unit, event)


def _rule(unit: TournamentUnitOfWork, kind: str, found: RuledTable, reason: str, **data: Json) -> None:
    """Append a ruling about a table and queue it for the game, or correct a finished tournament."""
    event = unit.write(kind, round=found.round.number, table=found.table.number, reason=unit.text(reason), **data)
    if unit.record.status == FINISHED:
        _issue(unit, event)
    elif found.table.game is not None and found.round.declared is not None:
        unit.beside.append(Statement(ERRAND, (unit.id, event.seq, UUID(found.table.game))))


def _issue(unit: TournamentUnitOfWork, ruling: Event) -> None:
    """After the end of the tournament, issue the next edition of the archive; earlier editions stay available."""
    if unit.record.status != FINISHED:
        return
    before = unit.before.head
    unit.write(
        "tournament_corrected",
        edition=unit.record.editions[-1].number + 1,
        ruling=ruling.seq,
        of=before.seq,
        head=before.hash.hex(),
        order=final_order(unit.record),
    )


def _at(
    unit: TournamentUnitOfWork, round: int, table: int, entrant: int | None = None, *, corrects: bool = False
) -> RuledTable:
    """Returns the table of a ruling. Raises RulingRefused."""
    direct(unit)
    _check_open(unit.record, corrects=corrects)
    rounds = unit.record.rounds
    if not 1 <= round <= len(rounds) or not 1 <= table <= len(rounds[round - 1].tables):
        raise RulingRefused("no_such_table", "there is no table {table} in round {round}", table=table, round=round)
    found = RuledTable(rounds[round - 1], rounds[round - 1].tables[table - 1])
    if not found.table.settled and entrant is None:
        raise RulingRefused("not_seated", "the seats of the table are not chosen yet")
    if entrant is not None and entrant not in found.table.paired:
        raise RulingRefused(
            "not_at_table", "entrant {entrant} has no seat at table {table}", entrant=entrant, table=table
        )
    return found


def _knows_deal(record: TournamentRecord, current: RoundRecord, entry: Entry) -> bool:
    """Returns whether an entrant is a director, or has left another table of the round."""
    left = (r.data["entrant"] for r in record.rulings if r.kind == "substituted" and r.data["round"] == current.number)
    return record.directs(entry.player) or entry.number in left


def _playing(found: RuledTable) -> None:
    if found.round.status != STARTED or found.table.is_over:
        raise RulingRefused("not_playing", "no game runs at this table")


def _check_open(record: TournamentRecord, *, corrects: bool) -> None:
    """Raises NotAtThisStage or RulingRefused for a late ruling; a finished tournament accepts corrections."""
    if corrects and record.status == FINISHED:
        if len(record.editions) == MOST_EDITIONS:
            raise RulingRefused(
                "corrections", "a tournament can be corrected {most} times at most", most=MOST_EDITIONS - 1
            )
    elif record.status not in ALIVE:
        raise NotAtThisStage(record.status, "the tournament is {status}", status=Message(record.status))
