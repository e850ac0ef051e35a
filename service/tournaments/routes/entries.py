"""People are invited, enter, check in, sit rounds out, withdraw; bots fill in."""

from typing import Any
from uuid import UUID

from projections.ratings.model import PEOPLE, PROGRAMS
from service.core.errors import NotAllowed, NotThere
from service.players import accounts
from service.players.credentials import Identity
from service.ratings import queries
from service.tournaments import documents, entries
from service.tournaments.declare import direct
from service.tournaments.repository import Act
from service.tournaments.routes.common import act_on, deed
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.web.routing import Routes, container

routes = Routes("entrants", "Entering tournaments")
Body = dict[str, Any]


@deed(routes, "invitations", answers.EntrantsDocument, body=schemas.Named)
def invite(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Invite somebody."""
    _know(body["player"])
    return act_on(tournament, asker, lambda act: entries.invite(act, body["player"]), documents.entrants)


@deed(routes, "entrants", answers.EntrantsDocument, body=schemas.NewEntry, scope="play")
def enter(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Enter, or as a director enter somebody else or a bot that fills in; when all places are taken, the reserve."""
    player = body["player"] or asker.id
    if body["bot"]:
        return act_on(tournament, asker, entries.enter_bot, documents.entrants)
    if player != asker.id:
        _know(player)

    def decide(act: Act) -> None:
        if player != asker.id:
            direct(act)
        with container().stores.pool.connection() as connection:
            entries.check_bookings(connection, act, player)
            program = accounts.player(connection, UUID(player)).bot
            pool = PROGRAMS if program else PEOPLE
            rating, upto = queries.shown(connection, player, act.record.regulations["game"], pool)
        entries.enter(act, player, program=program, rating=rating, rating_at=upto)

    return act_on(tournament, asker, decide, documents.entrants)


@deed(routes, "entrants/<int:entrant>/check-in", answers.EntrantsDocument, scope="play")
def check_in(tournament: UUID, entrant: int, asker: Identity) -> Body:
    """Say that one is there; directors also for others."""
    return act_on(tournament, asker, lambda act: entries.check_in(act, _for(act, entrant)), documents.entrants)


@deed(routes, "entrants/<int:entrant>/absences", answers.EntrantsDocument, body=schemas.Absence, scope="play")
def sit_out(tournament: UUID, entrant: int, body: Body, asker: Identity) -> Body:
    """Ask for a round off that is not paired yet; directors also for others."""
    return act_on(
        tournament,
        asker,
        lambda act: entries.sit_out(act, _for(act, entrant), body["round"]),
        documents.entrants,
    )


@deed(routes, "entrants/<int:entrant>/withdrawal", answers.EntrantsDocument, body=schemas.Leaving, scope="play")
def withdraw(tournament: UUID, entrant: int, body: Body, asker: Identity) -> Body:
    """Take part no longer; directors also for others."""
    return act_on(
        tournament,
        asker,
        lambda act: entries.withdraw(act, _for(act, entrant), body["reason"]),
        documents.entrants,
    )


@deed(routes, "entrants/<int:entrant>/admission", answers.EntrantsDocument)
def admit(tournament: UUID, entrant: int, asker: Identity) -> Body:
    """Let somebody from the reserve into the field."""
    return act_on(
        tournament,
        asker,
        lambda act: entries.admit(act, entries.numbered(act.record, entrant)),
        documents.entrants,
    )


def _for(act: Act, entrant: int) -> Any:
    """The entrant that somebody may act for: themselves, or as a director anybody."""
    entry = entries.numbered(act.record, entrant)
    if entry.player != act.actor and not act.record.directs(act.actor):
        raise NotAllowed("not_yours", "only directors act for other entrants")
    return entry


def _know(player: str) -> None:
    """Refuse with NotThere a player's id that nobody has."""
    with container().stores.pool.connection() as connection:
        if not accounts.is_id(player) or player not in accounts.names_of(connection, [player]):
            raise NotThere("player", player)
