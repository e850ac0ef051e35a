"""Declares days away, and ends them."""

from collections.abc import Sequence
from typing import NamedTuple

from projections.games.away_budget import DAY, Span
from service.container import Container
from service.core.errors import NotThere
from service.players.identity import Identity
from service.players.vacation import budget, declared_days
from service.players.vacation.errors import VacationRefused


class DeclareVacation(NamedTuple):
    """Be away for so many days, from now on (None) or from a time on."""

    client: Identity
    days: int
    since: int | None = None


class EndVacation(NamedTuple):
    """Come back, or stay after all."""

    client: Identity


def declare_vacation(here: Container, command: DeclareVacation) -> Sequence[Span]:
    """Declare days away. Returns all of the player; raises VacationRefused, or NotThere for an erased account."""
    now, player = here.now(), command.client.player
    since = now if command.since is None else command.since
    span = Span(since, since + command.days * DAY)
    with here.stores.pool.connection() as connection, connection.transaction():
        if not declared_days.is_there(connection, player):
            raise NotThere("player", player)
        own = declared_days.vacations_of(connection, player)
        budget.check(own, span, now)
        declared_days.store(connection, player, span, now - budget.KEPT)
    return [*own, span]


def end_vacation(here: Container, command: EndVacation) -> Sequence[Span]:
    """End the days away now. Returns all of the player; raises VacationRefused when there are none."""
    with here.stores.pool.connection() as connection, connection.transaction():
        if not declared_days.end(connection, command.client.player, here.now()):
            raise VacationRefused("none", "you have declared no days away")
        return declared_days.vacations_of(connection, command.client.player)
