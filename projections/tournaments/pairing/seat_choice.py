"""Assigns seats by choice or bids, computed alike live and in verification."""

from collections.abc import Mapping, Sequence

from projections.tournaments.inputs import stage_of
from projections.tournaments.pairing.seating import by_bids, by_choice
from projections.tournaments.record import RoundRecord, Sitting, TournamentRecord
from projections.tournaments.values import SeatMethod


def seats_of(
    record: TournamentRecord, current: RoundRecord, table: Sitting, said: Mapping[int, Sequence[int]]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Returns the entrants in turn order, and the half points each pays."""
    number = {record.entry(one).player: one for one in table.paired}
    players = [record.entry(one).player for one in table.paired]
    wishes = {record.entry(one).player: wanted for one, wanted in said.items()}
    if stage_of(record, current.stage).seats is SeatMethod.BIDS:
        sold = by_bids(players, wishes, bytes.fromhex(current.seed))
        return tuple(number[player] for player in sold.seats), sold.paid
    return tuple(number[player] for player in by_choice(players, wishes)), ()
