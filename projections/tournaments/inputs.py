"""Inputs of pairings and standings: converts the record of a tournament into the types of `values.py`."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from projections.tournaments.record import Entry, RoundRecord, Sitting, TournamentRecord
from projections.tournaments.regulations import read_stage
from projections.tournaments.values import (
    Bye,
    Entrant,
    Format,
    Pairing,
    PairingInput,
    PlayedTable,
    Player,
    Round,
    Stage,
)


def stage_of(record: TournamentRecord, number: int) -> Stage:
    """Returns the regulations of a stage."""
    return read_stage(record.regulations["stages"][number - 1])


def field_of(record: TournamentRecord, stage: int) -> tuple[Entry, ...]:
    """Returns the entries of a stage in seeding order: its field, late entries, substitutes."""
    begun = record.stages[stage - 1]
    late = (e.number for e in record.entries if stage == 1 and e.joined is not None and e.joined > begun.event)
    seated = (number for one in record.rounds_of(stage) for table in one.tables for number in table.paired)
    return tuple(record.entry(number) for number in dict.fromkeys((*begun.field, *late, *seated)))


def entrants(record: TournamentRecord, stage: int) -> tuple[Entrant, ...]:
    """Returns the entrants of a stage."""
    return tuple(
        Entrant(entry.player, seeding, entry.event, entry.rating, entry.gone, entry.disqualified is not None)
        for seeding, entry in enumerate(field_of(record, stage), 1)
    )


def present(record: TournamentRecord, stage: int, round: int) -> tuple[int, ...]:
    """Returns the entrants to pair in a round."""
    return tuple(e.number for e in field_of(record, stage) if e.gone is None and e.sits_out(round) is None)


def rounds_of(record: TournamentRecord, stage: int, before: int | None = None) -> tuple[Round, ...]:
    """Returns the rounds of a stage, or those before a round."""
    rounds = record.rounds_of(stage)
    return tuple(
        _round(record, one, number) for number, one in enumerate(rounds, 1) if before is None or one.number < before
    )


def pairing_input(record: TournamentRecord, stage: int, round: int, numbers: Iterable[int]) -> PairingInput:
    """Returns all inputs of a round's pairing except its seed."""
    return PairingInput(
        stage=stage_of(record, stage),
        history=rounds_of(record, stage, round),
        entrants=entrants(record, stage),
        present=frozenset(record.entry(number).player for number in numbers),
        forbidden=frozenset(frozenset(pair) for pair in record.regulations["forbidden"]),
        earlier=tuple(one for number in range(1, stage) for one in rounds_of(record, number)),
    )


def numbers_of(record: TournamentRecord) -> Mapping[Player, int]:
    """Returns the number of each player."""
    return {entry.player: entry.number for entry in record.entries}


def pairing_data(record: TournamentRecord, pairing: Pairing) -> dict[str, Any]:
    """Returns a pairing as event data."""
    number = numbers_of(record)
    return {
        "tables": [[number[player] for player in table.seats] for table in pairing.tables],
        "settled": all(table.settled for table in pairing.tables),
        "byes": [number[player] for player in pairing.byes],
    }


def _round(record: TournamentRecord, one: RoundRecord, number: int) -> Round:
    tables = tuple(_table(record, table) for table in one.tables)
    byes = tuple(Bye(record.entry(entrant).player, one.event) for entrant in drawn_byes(record, one))
    return Round(number, tables, one.event, bytes.fromhex(one.seed), (*byes, *_requested_byes(record, one)))


def drawn_byes(record: TournamentRecord, one: RoundRecord) -> tuple[int, ...]:
    """Returns the entrants with a drawn bye in a round, without substitutes."""
    seated = _seated(record, one)
    return tuple(number for number in one.byes if number not in seated)


def _seated(record: TournamentRecord, one: RoundRecord) -> set[int]:
    """Returns the entrants with a seat in a round, and so no bye; under the first rules a substitute had both."""
    return {number for table in one.tables for number in table.paired} if record.one_place_a_round else set()


def _requested_byes(record: TournamentRecord, one: RoundRecord) -> Iterator[Bye]:
    """Yields byes on request and those before a late entry; heats need no request."""
    if stage_of(record, one.stage).format is Format.HEATS:
        return
    seated = _seated(record, one)
    for entry in field_of(record, one.stage):
        if entry.number in seated:
            continue
        asked = entry.sits_out(one.number)
        if asked is not None:
            yield Bye(entry.player, asked, asked=True)
        elif one.stage == 1 and entry.joined is not None and entry.joined > one.event:
            yield Bye(entry.player, entry.joined, asked=True)


def _table(record: TournamentRecord, table: Sitting) -> PlayedTable:
    seats = tuple(record.entry(number).player for number in table.seats or table.paired)
    return PlayedTable(table.number, seats, table.event, table.game, table.result, table.void, table.bids)
