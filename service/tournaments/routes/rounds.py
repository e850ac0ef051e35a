"""Routes that begin stages and preview, pair, publish, start and close rounds; players choose seats."""

from uuid import UUID

from events.json_types import JsonObject
from service.players.identity import Identity
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
from service.tournaments.explanations import told_pairing
from service.tournaments.queries import preview_round
from service.tournaments.routes.common import ONE, command_route, request_names
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.tournaments.schemas.loaded import LoadedLeaving, LoadedRepairing, LoadedSeatWish
from service.web.idempotency import translated_request
from service.web.routing import Routes, container

routes = Routes("rounds", "Stages, rounds and seats of tournaments")


@command_route(routes, "stages", answers.TournamentDocument, while_blocked=True)
def begin(tournament: UUID, asker: Identity) -> JsonObject:
    """Begin the first stage with the present entrants, or the next one with the advancing entrants."""
    return commands.begin_stage(container(), BeginStage(tournament), translated_request(asker)).answer


@command_route(routes, "stages/current/closing", answers.TournamentDocument, body=schemas.Leaving, while_blocked=True)
def close_stage(tournament: UUID, body: LoadedLeaving, asker: Identity) -> JsonObject:
    """Close the current stage and name the advancing entrants; with rounds left, a reason is required."""
    return commands.close_stage(container(), CloseStage(tournament, body["reason"]), translated_request(asker)).answer


@command_route(routes, "closing", answers.TournamentDocument, while_blocked=True)
def finish(tournament: UUID, asker: Identity) -> JsonObject:
    """Close the tournament after its last stage and reveal the seed of all pairings."""
    return commands.finish_tournament(container(), FinishTournament(tournament), translated_request(asker)).answer


@routes.on("GET", f"{ONE}/rounds/next", answers=answers.PairingDocument, scope="host", refuses=(404, 409))
def preview(tournament: UUID, asker: Identity) -> JsonObject:
    """A preview of the next pairing with its reasons; writes nothing."""
    state, found = preview_round(container(), tournament, asker.id)
    return told_pairing(state, found.number, found.attempt, found.pairing, request_names(state))


@command_route(routes, "rounds", answers.RoundDocument, body=schemas.Repairing, while_blocked=True)
def pair(tournament: UUID, body: LoadedRepairing, asker: Identity) -> JsonObject:
    """Pair the next round; with a reason, pair the current one again while its games are not declared."""
    command = PairRound(tournament, body["reason"])
    return commands.pair_round(container(), command, translated_request(asker, body["expected"])).answer


@command_route(routes, "rounds/current/publication", answers.RoundDocument, while_blocked=True)
def publish(tournament: UUID, asker: Identity) -> JsonObject:
    """Publish the pairing to the players."""
    return commands.publish_round(container(), PublishRound(tournament), translated_request(asker)).answer


@command_route(routes, "rounds/current/start", answers.RoundDocument, while_blocked=True)
def start(tournament: UUID, asker: Identity) -> JsonObject:
    """Declare the games of the round; the keeper starts them."""
    return commands.start_round(container(), StartRound(tournament), translated_request(asker)).answer


@command_route(routes, "rounds/current/closing", answers.RoundDocument, while_blocked=True)
def close(tournament: UUID, asker: Identity) -> JsonObject:
    """Close the round when all its tables are over, and reveal their shared deal."""
    return commands.close_round(container(), CloseRound(tournament), translated_request(asker)).answer


@command_route(
    routes, "rounds/current/wishes", answers.RoundDocument, body=schemas.SeatWish, scope="play", while_blocked=True
)
def wish(tournament: UUID, body: LoadedSeatWish, asker: Identity) -> JsonObject:
    """Rank or bid for seats; the wish stays hidden until the seats of the table are given."""
    return commands.choose_seats(container(), ChooseSeats(tournament, body["wish"]), translated_request(asker)).answer
