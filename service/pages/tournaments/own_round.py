"""The entrant's own part of a round: the table, and the choice of seats."""

from typing import NamedTuple

from projections.tournaments import inputs
from projections.tournaments.record import PAIRED, PUBLISHED, RUNNING, STARTED, Sitting, TournamentRecord


class SeatChoice(NamedTuple):
    """The method of choosing seats, the size of the table, and whether the player has answered."""

    method: str
    size: int
    said: bool


def seat_choice(record: TournamentRecord, player: str) -> SeatChoice | None:
    """Returns the choice of seats that the player can make now; None when there is none."""
    entry, current = record.entry_of(player), record.round
    if entry is None or current is None or current.status != PUBLISHED:
        return None
    for table in current.tables:
        if entry.number in table.paired and not table.settled:
            said = entry.number in {number for number, _ in table.wishes}
            return SeatChoice(inputs.stage_of(record, current.stage).seats.value, len(table.paired), said)
    return None


class OwnTable(NamedTuple):
    """The player's table in the round that players can see; without a table, a bye."""

    round: int
    table: Sitting | None
    opens: bool  # whether the game can be opened


def own_table(record: TournamentRecord, player: str) -> OwnTable | None:
    """Returns the player's table in the round that players can see; None for other visitors or without such a round."""
    entry, current = record.entry_of(player), record.round
    if entry is None or current is None or current.status == PAIRED or record.status != RUNNING:
        return None
    table = next((one for one in current.tables if entry.number in one.paired), None)
    if table is None:
        return OwnTable(current.number, None, opens=False) if entry.number in current.byes else None
    return OwnTable(current.number, table, current.status == STARTED and table.game is not None and table.void is None)
