"""Commands of the service on tournaments: what its scheduler brings about, besides the commands of directors."""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple
from uuid import UUID

from events.json_types import JsonObject
from projections.tournaments.record import DECLARED, Entry, RoundRecord, TournamentRecord
from service.container import Container
from service.core.command_handler import Request
from service.tournaments import rounds, seats
from service.tournaments.tournament_repository import TournamentOutcome, TournamentUnitOfWork

RESERVE: Final = "reserve"
WHY: Final = "Did not sit down in time"


class PairOrCloseStage(NamedTuple):
    """Pair the next round; close the stage when no later round can seat the remaining entrants either."""

    tournament: UUID


class GiveSeats(NamedTuple):
    """Give the seats of every table with all wishes; after the deadline, of all tables."""

    tournament: UUID


class RecordStart(NamedTuple):
    """Record that the games of a declared round are created."""

    tournament: UUID
    round: int


class NoteNoShow(NamedTuple):
    """Note an entrant that did not sit down in time."""

    tournament: UUID
    round: int
    table: int
    entrant: int


class RecordClosedArrivals(NamedTuple):
    """Record that all games of a round have started."""

    tournament: UUID
    round: int


class RecordResult(NamedTuple):
    """Record how the game of a table ended."""

    tournament: UUID
    round: int
    table: int
    ended: str  # the kind of the event that ended the game
    data: JsonObject


def pair_or_close_stage(here: Container, command: PairOrCloseStage, request: Request) -> TournamentOutcome:
    """Pair the next round, or close the stage."""
    return here.tournament_commands.execute(command.tournament, request, rounds.pair_or_close)


def give_seats(here: Container, command: GiveSeats, request: Request) -> TournamentOutcome:
    """Give the seats that are chosen or bid for."""

    def decide(unit: TournamentUnitOfWork) -> None:
        with here.stores.pool.connection() as connection:
            seats.give(unit, connection)

    return here.tournament_commands.execute(command.tournament, request, decide)


def record_start(here: Container, command: RecordStart, request: Request) -> TournamentOutcome:
    """Record the start of a round, once."""

    def decide(unit: TournamentUnitOfWork) -> None:
        current = unit.record.round
        if current is None or current.number != command.round or current.status != DECLARED:
            return
        no_show = unit.record.regulations["no_show"]
        sit_by = None if no_show is None else unit.at + no_show["minutes"] * rounds.MINUTE
        unit.write("round_started", round=command.round, sit_by=sit_by)

    return here.tournament_commands.execute(command.tournament, request, decide)


def note_no_show(here: Container, command: NoteNoShow, request: Request) -> TournamentOutcome:
    """Note an absent entrant once; under the reserve rule, substitute the first entrant of the reserve."""
    return here.tournament_commands.execute(
        command.tournament, request, lambda unit: _note(unit, (command.round, command.table), command.entrant)
    )


def record_closed_arrivals(here: Container, command: RecordClosedArrivals, request: Request) -> TournamentOutcome:
    """Record the end of the time to sit down, once."""

    def decide(unit: TournamentUnitOfWork) -> None:
        if unit.record.rounds[command.round - 1].sit_by is not None:
            unit.write("arrivals_closed", round=command.round)

    return here.tournament_commands.execute(command.tournament, request, decide)


def record_result(here: Container, command: RecordResult, request: Request) -> TournamentOutcome:
    """Record the result of a table, once; a game that was aborted counts as lost to the tournament."""

    def decide(unit: TournamentUnitOfWork) -> None:
        table = unit.record.rounds[command.round - 1].tables[command.table - 1]
        if table.proof is None:
            kind = "result_recorded" if command.ended == "game_ended" else "game_lost"
            unit.write(kind, round=command.round, table=command.table, game=table.game, **command.data)

    return here.tournament_commands.execute(command.tournament, request, decide)


def _note(unit: TournamentUnitOfWork, at: tuple[int, int], entrant: int) -> None:
    """Note an absent entrant once; under the reserve rule, substitute the first entrant of the reserve."""
    current = unit.record.rounds[at[0] - 1]
    table = current.tables[at[1] - 1]
    if entrant in (*table.absent, *_sat_in(unit.record, at)) or entrant not in table.seats:
        return
    about: dict[str, Any] = {"round": at[0], "table": at[1]}
    unit.write("no_show_noted", **about, entrant=entrant, game=table.game)
    spare = next(_spare(unit.record, current), None)
    if unit.record.regulations["no_show"]["then"] == RESERVE and spare is not None:
        unit.write("admitted", entrant=spare.number)
        unit.write("substituted", **about, entrant=entrant, by=spare.number, reason=unit.text(WHY))


def _spare(record: TournamentRecord, current: RoundRecord) -> Iterator[Entry]:
    """Yields the available entrants of the reserve in the order of their entry."""
    checks = record.regulations["check_in"]
    busy = {number for table in current.tables for number in table.paired}
    return (e for e in record.waiting if e.number not in busy and (e.checked_in is not None or not checks))


def _sat_in(record: TournamentRecord, at: tuple[int, int]) -> set[int]:
    """Returns the entrants that substitute at a table."""
    rulings = (ruling.data for ruling in record.rulings if ruling.kind == "substituted")
    return {int(str(data["by"])) for data in rulings if (data["round"], data["table"]) == at}
