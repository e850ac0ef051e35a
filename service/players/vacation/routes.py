"""Routes of the own days away."""

from service.players.commands.vacation import DeclareVacation, EndVacation, declare_vacation, end_vacation
from service.players.identity import Identity
from service.players.vacation import schemas
from service.players.vacation.declared_days import vacations_of
from service.players.vacation.documents import vacation_document
from service.web.routing import Routes, container

routes = Routes("vacation", "Days away")


@routes.on("GET", "/v1/me/vacation", answers=schemas.VacationDocument, scope="read")
def vacation(asker: Identity) -> schemas.VacationSummary:
    """Read your days away: those that are on or planned, and how many of this year are left."""
    here = container()
    with here.stores.pool.connection() as connection:
        return vacation_document(vacations_of(connection, asker.player), here.now())


@routes.on(
    "PUT",
    "/v1/me/vacation",
    body=schemas.NewVacation,
    answers=schemas.VacationDocument,
    scope="host",
    refuses=(404, 409),
)
def declare(body: schemas.LoadedNewVacation, asker: Identity) -> schemas.VacationSummary:
    """Declare days away: until they are over or you end them, your clock stands in every game with a slow clock.

    A clock is slow that gives a day or more, for each move or in the bank.
    """
    here = container()
    return vacation_document(declare_vacation(here, DeclareVacation(asker, body["days"], body["since"])), here.now())


@routes.on(
    "DELETE",
    "/v1/me/vacation",
    answers=schemas.VacationDocument,
    scope="host",
    refuses=(409,),
    while_blocked=True,
)
def end(asker: Identity) -> schemas.VacationSummary:
    """End your days away now, or cancel those that have not begun. A time away takes at least a day of the year."""
    here = container()
    return vacation_document(end_vacation(here, EndVacation(asker)), here.now())
