"""V7: checks undos: a seat's own last move, more with the consent of all players, never a draw."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from events.event import Event
from projections.games.record import GameRecord
from projections.verify.checks.parted import Parted

EARLY, AGREEMENT, MAKER, ADMINISTRATOR = "early", "agreement", "maker", "administrator"  # why a game was aborted
EXPIRED: Final = "expired"
ABORT: Final = "abort"  # of an offer
FIRST_ROUND: Final = 1  # until it is over, one player can abort the game


def check_undo(record: GameRecord | None, taken: Sequence[Event], event: Event) -> None:
    """Raises Parted for an undo of a draw among the events it takes back, or without the consent of the others."""
    data: Mapping[str, Any] = event.data
    if any(earlier.data["drew"] for earlier in taken):
        raise Parted(event.seq, "takes_back_draw", "takes back a draw")
    if record is None or _is_own(taken, data) or _is_agreed(record, data):
        return
    raise Parted(event.seq, "not_agreed", "takes back moves, and not everybody had agreed")


def check_abort(record: GameRecord | None, round: int | None, event: Event) -> None:
    """Raises Parted for an abort that its cause does not allow.

    One player aborts in the first round, all players by agreement, the maker a game against house bots, an
    administrator with a reason, and the service an open table at the time that it has announced.
    """
    data: Mapping[str, Any] = event.data
    if data["cause"] == EARLY and (round is None or round > FIRST_ROUND):
        raise Parted(event.seq, "not_early", "aborts the game early, and the first round was over")
    if data["cause"] == MAKER and (record is None or event.actor != record.host or not record.concerns_maker_alone):
        raise Parted(event.seq, "not_makers", "aborts the game as its maker, and others play in it")
    if data["cause"] == EXPIRED and (record is None or record.expires is None or event.at < record.expires):
        raise Parted(event.seq, "not_expired", "removes the table before the time that was announced, if any was")
    if data["cause"] == ADMINISTRATOR and data["reason"] is None:
        raise Parted(event.seq, "no_reason", "aborts the game as an administrator without a reason")
    if data["cause"] != AGREEMENT:
        return
    offer = None if record is None else record.offer
    if record is None or offer is None or offer.what != ABORT or not _playing(record) <= {*offer.agreed}:
        raise Parted(event.seq, "not_agreed", "aborts the game by agreement, and not everybody had agreed")


def _playing(record: GameRecord) -> set[int]:
    """The seats for which no bot moves."""
    return {seat for seat, chair in enumerate(record.seats) if chair.engine is None}


def _is_own(taken: Sequence[Event], data: Mapping[str, Any]) -> bool:
    """Returns whether the undone move is the newest and of the undoing seat."""
    return len(taken) == 1 and taken[0].data.get("seat") == data["seat"]


def _is_agreed(record: GameRecord, data: Mapping[str, Any]) -> bool:
    """Returns whether every remaining player agreed to go back to this version."""
    offer = record.offer
    return offer is not None and offer.to == data["to"] and _playing(record) <= {*offer.agreed}
