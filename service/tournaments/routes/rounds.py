"""Stages begin and rounds are previewed, paired, published, started and closed; players say where they want to sit."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from service.core.errors import NotAtThisStage
from service.players.credentials import Identity
from service.tournaments import declare, documents, rounds, scheduler, seats
from service.tournaments.declare import direct
from service.tournaments.documents import TournamentNames
from service.tournaments.explanations import told_pairing
from service.tournaments.repository import Act, Held
from service.tournaments.routes.common import ONE, act_on, deed, hands, held_by, words_of
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.web.routing import Routes, container

routes = Routes("rounds", "Stages, rounds and seats of tournaments")
Body = dict[str, Any]


@deed(routes, "stages", answers.TournamentDocument)
def begin(tournament: UUID, asker: Identity) -> Body:
    """Begin the first stage with who is there, or the next one with who goes on."""
    return act_on(tournament, asker, _directed(rounds.begin))


@deed(routes, "stages/current/closing", answers.TournamentDocument, body=schemas.Leaving)
def close_stage(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Close the stage that is being played, and say who goes on; with rounds left, with a reason."""
    return act_on(tournament, asker, _directed(lambda act: rounds.close_stage(act, body["reason"])))


@deed(routes, "closing", answers.TournamentDocument)
def finish(tournament: UUID, asker: Identity) -> Body:
    """Close the tournament after its last stage; the seed of all pairings is shown."""

    def decide(act: Act) -> None:
        direct(act)
        if act.record.stage is not None or not act.record.stages or rounds.has_next_stage(act.record):
            raise NotAtThisStage(act.record.status, "its stages are not all over")
        declare.close(act, declare.FINISHED)

    return act_on(tournament, asker, decide)


@routes.on("GET", f"{ONE}/rounds/next", answers=answers.PairingDocument, scope="host", refuses=(404, 409))
def preview(tournament: UUID, asker: Identity) -> Body:
    """The pairing that pairing now would make, with its reasons; nothing is written."""
    held = held_by(tournament, asker)
    act = Act(held, container().now(), asker.id, lambda: container().desk.seed(tournament))
    direct(act)
    found = rounds.preview(act)
    as_paired = Held(held.id, act.record, held.head)
    return told_pairing(as_paired, found.number, found.attempt, found.pairing, words_of(as_paired))


@deed(routes, "rounds", answers.RoundDocument, body=schemas.Repairing)
def pair(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Pair the next round; with a reason, pair the current one anew, as long as its games are not declared."""
    decide = _directed(lambda act: rounds.pair_round(act, body["reason"]))
    return act_on(tournament, asker, decide, _newest, body["expected"])


@deed(routes, "rounds/current/publication", answers.RoundDocument)
def publish(tournament: UUID, asker: Identity) -> Body:
    """Show the pairing to the players."""
    return act_on(tournament, asker, _directed(rounds.publish), _newest)


@deed(routes, "rounds/current/start", answers.RoundDocument)
def start(tournament: UUID, asker: Identity) -> Body:
    """Declare the games of the round; they start by themselves."""
    return act_on(tournament, asker, _directed(rounds.declare), _newest)


@deed(routes, "rounds/current/closing", answers.RoundDocument, keyed=False)
def close(tournament: UUID, asker: Identity) -> Body:
    """Close the round once nothing is open any more; what its tables shared is shown."""
    held = held_by(tournament, asker)
    direct(Act(held, container().now(), asker.id, bytes))
    scheduler.close_round(hands(), tournament, asker.id)
    held = held_by(tournament, asker)
    return _newest(held, words_of(held))


@deed(routes, "rounds/current/wishes", answers.RoundDocument, body=schemas.SeatWish, scope="play")
def wish(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Say where one wants to sit; nobody sees it before the seats of the table are given."""
    return act_on(tournament, asker, lambda act: seats.wish(act, body["wish"]), _newest)


def _directed(decide: Callable[[Act], None]) -> Callable[[Act], None]:
    """What only directors do."""

    def directed(act: Act) -> None:
        direct(act)
        decide(act)

    return directed


def _newest(held: Held, known: TournamentNames) -> Body:
    return documents.round_document(held, held.known.rounds[-1], known)
