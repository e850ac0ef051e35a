"""Routes that begin stages and preview, pair, publish, start and close rounds; players choose seats."""

from typing import Any
from uuid import UUID

from service.core.command_handler import Request
from service.players.identity import Identity
from service.tournaments import rounds
from service.tournaments.commands import rounds as commands
from service.tournaments.commands.rounds import (
    BeginStage,
    ChooseSeats,
    CloseRound,
    CloseStage,
    FinishTournament,
    PairRound,
    PublishRound,
    StartRound,
)
from service.tournaments.declare import direct
from service.tournaments.explanations import told_pairing
from service.tournaments.routes.common import ONE, command_request, deed, held_by, words_of
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.web.responses import request_language
from service.web.routing import Routes, container

routes = Routes("rounds", "Stages, rounds and seats of tournaments")
Body = dict[str, Any]


@deed(routes, "stages", answers.TournamentDocument)
def begin(tournament: UUID, asker: Identity) -> Body:
    """Begin the first stage with the present entrants, or the next one with the advancing entrants."""
    return commands.begin_stage(container(), BeginStage(tournament), command_request(asker)).answer


@deed(routes, "stages/current/closing", answers.TournamentDocument, body=schemas.Leaving)
def close_stage(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Close the current stage and name the advancing entrants; with rounds left, a reason is required."""
    return commands.close_stage(container(), CloseStage(tournament, body["reason"]), command_request(asker)).answer


@deed(routes, "closing", answers.TournamentDocument)
def finish(tournament: UUID, asker: Identity) -> Body:
    """Close the tournament after its last stage and reveal the seed of all pairings."""
    return commands.finish_tournament(container(), FinishTournament(tournament), command_request(asker)).answer


@routes.on("GET", f"{ONE}/rounds/next", answers=answers.PairingDocument, scope="host", refuses=(404, 409))
def preview(tournament: UUID, asker: Identity) -> Body:
    """A preview of the next pairing with its reasons; writes nothing."""
    unit = container().tournament_commands.begin(held_by(tournament, asker), asker.id)
    direct(unit)
    found = rounds.preview(unit)
    as_paired = unit.before._replace(record=unit.record)
    return told_pairing(as_paired, found.number, found.attempt, found.pairing, words_of(as_paired))


@deed(routes, "rounds", answers.RoundDocument, body=schemas.Repairing)
def pair(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Pair the next round; with a reason, pair the current one again while its games are not declared."""
    command = PairRound(tournament, body["reason"])
    return commands.pair_round(container(), command, command_request(asker, body["expected"])).answer


@deed(routes, "rounds/current/publication", answers.RoundDocument)
def publish(tournament: UUID, asker: Identity) -> Body:
    """Publish the pairing to the players."""
    return commands.publish_round(container(), PublishRound(tournament), command_request(asker)).answer


@deed(routes, "rounds/current/start", answers.RoundDocument)
def start(tournament: UUID, asker: Identity) -> Body:
    """Declare the games of the round; the keeper starts them."""
    return commands.start_round(container(), StartRound(tournament), command_request(asker)).answer


@deed(routes, "rounds/current/closing", answers.RoundDocument, keyed=False)
def close(tournament: UUID, asker: Identity) -> Body:
    """Close the round when all its tables are over, and reveal their shared deal."""
    request = Request(asker.id, language=request_language())
    return commands.close_round(container(), CloseRound(tournament), request).answer


@deed(routes, "rounds/current/wishes", answers.RoundDocument, body=schemas.SeatWish, scope="play")
def wish(tournament: UUID, body: Body, asker: Identity) -> Body:
    """Rank or bid for seats; the wish stays hidden until the seats of the table are given."""
    return commands.choose_seats(container(), ChooseSeats(tournament, body["wish"]), command_request(asker)).answer
