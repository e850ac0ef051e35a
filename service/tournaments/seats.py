"""Seats by choice or bid: stores wishes by their hash and reveals them with the seats."""

import json
from collections.abc import Mapping, Sequence
from uuid import UUID

from psycopg import Connection

from events.json_types import JsonObject
from events.store.free_texts import SaltedText, keep, read_texts, salted
from projections.tournaments import inputs
from projections.tournaments.pairing.seat_choice import seats_of
from projections.tournaments.record import PUBLISHED, RoundRecord, Sitting, TournamentRecord
from projections.tournaments.values import SeatMethod
from service.core.errors import NotAllowed, NotAtThisStage, WishRefused
from service.tournaments.entries import own
from service.tournaments.tournament_repository import TournamentUnitOfWork

MOST_HALVES = 10_000
Wishes = Mapping[int, tuple[SaltedText, list[int]]]


def store_wish(unit: TournamentUnitOfWork, wanted: Sequence[int]) -> None:
    """Store a player's wish: seats in order of preference, or half points bid for each seat. Raises WishRefused."""
    current, table = _own_table(unit)
    method = inputs.stage_of(unit.record, current.stage).seats
    check_wish(method, wanted, len(table.paired))
    text = salted(json.dumps(list(wanted)))
    unit.beside.append(keep(unit.id, text))
    unit.write("seats_wished", round=current.number, table=table.number, entrant=own(unit).number, wish=text.hash.hex())


def check_wish(method: SeatMethod, wanted: Sequence[int], size: int) -> None:
    """Raises WishRefused unless the wish ranks all seats, or bids for each."""
    if method == SeatMethod.CHOICE and sorted(wanted) != list(range(size)):
        raise WishRefused("not_an_order", "name each of the {size} seats once, in order of preference", size=size)
    if method == SeatMethod.BIDS and (len(wanted) != size or not all(0 <= halves <= MOST_HALVES for halves in wanted)):
        raise WishRefused("not_bids", "bid half points for each of the {size} seats", size=size)


def give(unit: TournamentUnitOfWork, connection: Connection) -> None:
    """Give the seats of every table with all wishes; after the deadline, of all tables."""
    current = unit.record.round
    if current is None or current.status != PUBLISHED:
        return
    late = current.choose_by is not None and unit.at >= current.choose_by
    for table in current.tables:
        if not table.settled and (late or len(table.wishes) == len(table.paired)):
            wishes = _read(connection, unit.id, table)
            unit.write("seats_given", **seats_given(unit.record, current, table, wishes))


def seats_given(record: TournamentRecord, current: RoundRecord, table: Sitting, wishes: Wishes) -> JsonObject:
    """Returns the seats and bids of a table with the revealed wishes; clients can compute them again."""
    said = {number: wanted for number, (_, wanted) in wishes.items()}
    order, paid = seats_of(record, current, table, said)
    return {
        "round": current.number,
        "table": table.number,
        "order": list(order),
        "wishes": [
            None if n not in wishes else {"salt": wishes[n][0].salt.hex(), "wish": wishes[n][1]} for n in table.paired
        ],
        "paid": list(paid),
    }


def _own_table(unit: TournamentUnitOfWork) -> tuple[RoundRecord, Sitting]:
    current, entry = unit.record.round, own(unit)
    if current is None or current.status != PUBLISHED:
        raise NotAtThisStage("", "no seats are being chosen now")
    for table in current.tables:
        if entry.number in table.paired:
            if table.settled:
                raise WishRefused("given", "the seats of your table are already chosen")
            return current, table
    raise NotAllowed("not_at_a_table", "you have no table in this round")


def _read(connection: Connection, tournament: UUID, table: Sitting) -> Wishes:
    hashes = {number: bytes.fromhex(hash) for number, hash in table.wishes}
    texts = read_texts(connection, tournament, list(hashes.values()))
    return {number: (texts[one], json.loads(texts[one].text)) for number, one in hashes.items() if one in texts}
