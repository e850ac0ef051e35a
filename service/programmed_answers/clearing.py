"""Clears programmed answers in the transaction of the events that end them."""

from typing import Final, cast

from events.event import Event
from events.store.statements import Statement
from service.games.game_state import GameUnitOfWork

OF_GAME: Final = "DELETE FROM programmed_answers WHERE game = %s"
OF_SEATS: Final = "DELETE FROM programmed_answers WHERE game = %s AND seat = ANY(%s)"
FOR_ALL: Final = frozenset(("game_ended", "game_aborted", "history_lost", "ruled"))
FOR_THE_SEAT: Final = frozenset(("resigned", "flag_fell", "player_replaced"))
TAKEN_BACK: Final = "undone"  # the seats that took part begin anew


def clearing(unit: GameUnitOfWork) -> list[Statement]:
    """Returns the statements that clear answers after the events of a unit of work; none after moves alone."""
    if any(event.kind in FOR_ALL for event in unit.events):
        return [Statement(OF_GAME, (unit.id,))]
    seats = [seat for event in unit.events for seat in _seats(event)]
    return [Statement(OF_SEATS, (unit.id, seats))] if seats else []


def _seats(event: Event) -> list[int]:
    """Returns the seats whose answers an event clears."""
    if event.kind == TAKEN_BACK:
        return cast("list[int]", event.data["agreed"])
    return [cast("int", event.data["seat"])] if event.kind in FOR_THE_SEAT else []
