"""Clocks that stop: by the consent of all players until one resumes or the time is over, and while a player is away."""

from collections.abc import Mapping
from typing import Final

from projections.games.away_budget import Span
from projections.games.clocks import NONE, SECOND
from projections.games.record import RUNNING, Chair, GameRecord
from service.games.decisions.undo import agreed_by_all, check_running, make_offer
from service.games.game_state import GameUnitOfWork
from service.players.vacation.errors import PauseRefused

PAUSE: Final = "pause"  # of an offer
SEATED_ANEW: Final = frozenset(("game_started", "player_replaced"))  # who plays may be away already


def propose(unit: GameUnitOfWork, seat: int, seconds: int) -> None:
    """Propose a pause to all players; without others to ask, pause at once, where nobody else waits for the game.

    Raises PauseRefused or OfferRefused.
    """
    check_running(unit.record)
    _check_clocks(unit.record)
    _check_others(unit.record, seat)
    if unit.record.clocks.paused_until:
        raise PauseRefused("paused", "the game is paused already; end the pause to agree on another one")
    make_offer(unit, seat, PAUSE, None, seconds)
    if agreed_by_all(unit.record):
        begin(unit)


def begin(unit: GameUnitOfWork) -> None:
    """Stop the clocks for the time of the accepted offer; of one whose last other player has left, nothing comes."""
    offer = unit.record.offer
    assert offer is not None
    assert offer.seconds is not None
    if _is_awaited(unit.record) and {*offer.agreed} == {offer.seat}:
        return
    unit.write("clock_paused", seat=offer.seat, agreed=list(offer.agreed), until=unit.at + offer.seconds * SECOND)


def resume(unit: GameUnitOfWork, seat: int) -> None:
    """End the pause for all seats. Raises PauseRefused when the game is not paused."""
    check_running(unit.record)
    if not unit.record.clocks.paused_until:
        raise PauseRefused("not_paused", "the game is not paused")
    unit.write("clock_resumed", seat=seat)


def end_due(unit: GameUnitOfWork) -> None:
    """Record that a pause is over, and that days away are: the clocks have run again since then."""
    clocks = unit.record.clocks
    if 0 < clocks.paused_until <= unit.at:
        unit.write("clock_resumed", seat=None)
    for seat, until in enumerate(clocks.away):
        if 0 < until <= unit.at:
            unit.write("away_ended", seat=seat)


def keep_away(unit: GameUnitOfWork, away: Mapping[str, Span]) -> None:
    """Stop the clocks of the players that are away now, and let those of players who came back run again."""
    if not stops_while_away(unit.record):
        return
    for seat, chair in enumerate(unit.record.seats):
        until = unit.record.clocks.away_until(seat)
        if until and until != _end_of(away, chair):
            unit.write("away_ended", seat=seat)
    begun = unit.record.changed  # nothing happened since then: days away may have begun there, before they are recorded
    for seat, chair in enumerate(unit.record.seats):
        if _end_of(away, chair) and not unit.record.clocks.away_until(seat):
            _leave(unit, seat, max(begun, away[str(chair.player)].since), _end_of(away, chair))


def is_away_due(record: GameRecord, away: Mapping[str, Span]) -> bool:
    """Returns whether the days away of a player begin or end."""
    return stops_while_away(record) and any(
        record.clocks.away_until(seat) != _end_of(away, chair) for seat, chair in enumerate(record.seats)
    )


def stops_while_away(record: GameRecord) -> bool:
    """Returns whether the clock of the game stops while a player is away."""
    return record.status == RUNNING and record.pauses and record.clocks.setting.is_slow


def _end_of(away: Mapping[str, Span], chair: Chair) -> int:
    """Returns until when the player of a chair is away; 0: not away, or a bot plays on."""
    span = away.get(chair.player or "") if chair.engine is None else None
    return span.until if span is not None else 0


def _leave(unit: GameUnitOfWork, seat: int, since: int, until: int) -> None:
    deadline = unit.record.clocks.deadline
    if unit.record.clocks.seat != seat or deadline is None or since <= deadline:  # else the flag fell before
        unit.write("away_began", seat=seat, since=since, until=until)


def _check_clocks(record: GameRecord) -> None:
    if record.clocks.setting.kind == NONE:
        raise PauseRefused("no_clock", "the game has no clock that could stop")
    if not record.pauses:
        raise PauseRefused("forbidden", "the clocks of this game do not stop: its host or tournament said so")


def _check_others(record: GameRecord, seat: int) -> None:
    """Raises PauseRefused where ratings or a round wait for the game, and the pause would need no other's consent."""
    if _is_awaited(record) and not record.players_to_ask - {seat}:
        raise PauseRefused(
            "nobody_to_ask",
            "nobody else plays here who could agree: alone, one stops no clocks of a rated game or of a tournament",
        )


def _is_awaited(record: GameRecord) -> bool:
    """Returns whether a rating or the round of a tournament waits for the end of a game."""
    return record.rated or record.tournament is not None
