"""Carries a director's ruling on a tournament's table into its game, as events that name the ruling."""

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from events.json_types import JsonObject
from events.store.free_texts import SaltedText, keep
from projections.games.clocks import BANK, Clocks
from projections.games.execute_move import digest
from projections.games.record import ABORTED, BOT, FINISHED, RUNNING
from projections.tournaments.record import Entry, Ruling, TournamentRecord
from service.core.clock import SECOND
from service.games.decisions import end_early, endings, game_start, take_seats
from service.games.game_state import GameUnitOfWork

RULED: Final = "ruling"  # the cause in the game's events


class PendingRuling(NamedTuple):
    """A ruling that its game has not recorded yet."""

    tournament: UUID
    record: TournamentRecord
    ruling: Ruling
    reason: SaltedText | None  # None after its erasure

    def entry(self, name: str) -> Entry:
        """Returns the entrant that the ruling names."""
        return self.record.entry(int(str(self.ruling.data[name])))


def carry(unit: GameUnitOfWork, errand: PendingRuling) -> None:
    """Carry a ruling into its game, once; a game that is over stays as it is."""
    if unit.record.status not in (FINISHED, ABORTED) and not _is_done(unit, errand):
        _CARRIED[errand.ruling.kind](unit, errand)


def _is_done(unit: GameUnitOfWork, errand: PendingRuling) -> bool:
    """Returns whether the game has recorded a ruling."""
    told_before = (event.data["details"] for event in unit.history() if event.kind == "ruled")
    return any(isinstance(about, Mapping) and about.get("event") == errand.ruling.event for about in told_before)


def _tell(unit: GameUnitOfWork, errand: PendingRuling) -> None:
    """Append the ruling to the game's stream and store its reason."""
    unit.write(
        "ruled",
        ruling=errand.ruling.kind,
        to=None,
        details={"tournament": str(errand.tournament), "event": errand.ruling.event},
        reason=_reason(unit, errand),
        digest=digest(unit.game, unit.now.board),
    )


def _reason(unit: GameUnitOfWork, errand: PendingRuling) -> str | None:
    if errand.reason is None:
        return None
    kept = keep(unit.id, errand.reason)
    if kept not in unit.beside:
        unit.beside.append(kept)
    return errand.reason.hash.hex()


def _add_time(unit: GameUnitOfWork, errand: PendingRuling) -> None:
    seat = _seat(unit, errand.entry("entrant"), errand)
    if unit.record.status != RUNNING or seat is None:
        return
    _tell(unit, errand)
    given = _clock_with(unit.record.clocks, seat, int(str(errand.ruling.data["seconds"])) * SECOND)
    if given is not None:
        unit.write("clock_changed", **given, cause=RULED, reason=_reason(unit, errand))


def _clock_with(clocks: Clocks, seat: int, more: int) -> JsonObject | None:
    """Returns the clock with more time for a seat, in its bank or for its current move; None out of its turn."""
    if clocks.setting.kind == BANK:
        return {"banks": [left + more * (owner == seat) for owner, left in enumerate(clocks.banks)]}
    return {"banks": [], "since": clocks.since + more} if clocks.seat == seat else None


def _end(unit: GameUnitOfWork, errand: PendingRuling) -> None:
    """Abort the game: the ruling decides its table."""
    unit.write("game_aborted", cause=RULED, reason=_reason(unit, errand))
    endings.reveal(unit)


def _substitute(unit: GameUnitOfWork, errand: PendingRuling) -> None:
    new = errand.entry("by")
    player = BOT + new.bot if new.bot else new.player
    seat = _seat(unit, new, errand)
    if seat is None:
        return
    if unit.record.status == RUNNING:
        _tell(unit, errand)
        about: dict[str, Any] = {"player": player, "bot": new.bot, **({"program": True} if new.program else {})}
        unit.write("player_replaced", seat=seat, **about, cause=RULED, reason=_reason(unit, errand))
        return
    if unit.record.chairs[seat].player is not None and unit.record.sealed is None:
        unit.write("seat_left", chair=seat, player=str(unit.record.chairs[seat].player))
    if unit.record.chairs[seat].player is None:
        take_seats.sit_down(unit, seat, player, new.bot, program=new.program)
        game_start.start_when_ready(unit)


def _disqualify(unit: GameUnitOfWork, errand: PendingRuling) -> None:
    seat = _seat(unit, errand.entry("entrant"), errand)
    if seat is None or unit.record.status != RUNNING or unit.record.seats[seat].stand_in is not None:
        return
    _tell(unit, errand)
    end_early.resign(unit, seat)


def _seat(unit: GameUnitOfWork, entry: Entry, errand: PendingRuling) -> int | None:
    """Returns the seat and chair of an entrant in a game; None after a substitution."""
    seats = next(table.seats for _, table in errand.record.games() if table.game == str(unit.id))
    return seats.index(entry.number) if entry.number in seats else None


_CARRIED: Final[Mapping[str, Callable[[GameUnitOfWork, PendingRuling], None]]] = {
    "time_added": _add_time,
    "result_ruled": _end,
    "table_voided": _end,
    "substituted": _substitute,
    "disqualified": _disqualify,
}
