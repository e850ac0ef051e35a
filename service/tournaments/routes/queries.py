"""Routes that read tournaments: lists, entrants, rounds, pairings with reasons, the log, the archive."""

from functools import partial
from typing import Any, Final
from uuid import UUID

from flask import Response

from events.json_types import JsonObject
from service.core.errors import NotThere
from service.games import documents
from service.games.routes.queries import after_of, preferred_media_type
from service.games.schemas import queries as log_schemas
from service.games.schemas.loaded import LoadedTournamentLogQuery
from service.live.delivery.follower import Following
from service.live.protocol import FORMS
from service.live.talk_source import TalkTournamentSource
from service.live.tournament_source import tournament_source
from service.players.identity import Identity, player_id
from service.players.queries import names_of
from service.tournaments import archive as archives
from service.tournaments import documents as told
from service.tournaments import explanations, listing, sheets
from service.tournaments.documents import TournamentNames, computed
from service.tournaments.queries import visible_tournament
from service.tournaments.routes.common import ONE, request_names, tagged, visible_to, wants_csv
from service.tournaments.schemas import documents as answers
from service.tournaments.schemas.loaded import LoadedArchiveQuery, LoadedTournamentQuery
from service.tournaments.tournament_repository import TournamentState
from service.web.live.responses import live_response, wait_for_item
from service.web.responses import (
    CSV,
    csv_response,
    json_response,
    page_response,
    request_language,
)
from service.web.routing import Routes, container

routes = Routes("tournament reading", "Reading tournaments: entrants, rounds, logs, archives")
ALL: Final = "/v1/tournaments"
Asker = Identity | None


@routes.on("GET", ALL, query=answers.TournamentQuery, answers=answers.TournamentList, readers=True, paged=True)
def tournaments(query: LoadedTournamentQuery, asker: Asker) -> Response:
    """The newest tournaments that match the query."""
    with container().stores.pool.connection() as connection:
        found = listing.find(connection, query, player_id(asker), query["limit"], request_language())
        names = names_of(connection, {row["host"] for row in found.rows})
    return page_response("tournaments", [told.row(row, TournamentNames(names, {})) for row in found.rows], found.next)


@routes.on("GET", ONE, answers=answers.TournamentDocument, readers=True, refuses=(404,), tagged=True)
def tournament(tournament: UUID, asker: Asker) -> Response:
    """A tournament with its regulations and its progress."""
    state = visible_to(tournament, asker)
    return tagged(state, ("tournament",), lambda known: json_response(told.summary(state, known)))


@routes.on("GET", f"{ONE}/entrants", answers=answers.EntrantsDocument, readers=True, refuses=(404,), tagged=True)
def entrants(tournament: UUID, asker: Asker) -> Response:
    """All entrants and invited players."""
    state = visible_to(tournament, asker)
    return tagged(state, ("entrants",), lambda known: json_response(told.entrants(state, known)))


@routes.on("GET", f"{ONE}/rounds", answers=answers.RoundsDocument, readers=True, refuses=(404,), tagged=True)
def rounds(tournament: UUID, asker: Asker) -> Response:
    """All rounds so far, with their tables."""
    state = visible_to(tournament, asker)

    def build(known: TournamentNames) -> Response:
        return json_response(
            computed(state, rounds=[told.round_document(state, one, known) for one in state.known.rounds])
        )

    return tagged(state, ("rounds",), build)


@routes.on(
    "GET",
    f"{ONE}/rounds/<int:number>",
    answers=answers.RoundDocument,
    readers=True,
    refuses=(404,),
    streams=(CSV,),
    tagged=True,
)
def round_(tournament: UUID, number: int, asker: Asker) -> Response:
    """A round with its tables; by `Accept: text/csv` the pairing sheet."""
    state = visible_to(tournament, asker)
    current = _round(state, number)
    if wants_csv():
        return tagged(
            state, ("sheet", number), lambda known: csv_response(sheets.round_sheet(state.known, current, known))
        )
    return tagged(state, ("round", number), lambda known: json_response(told.round_document(state, current, known)))


@routes.on(
    "GET",
    f"{ONE}/rounds/<int:number>/pairing",
    answers=answers.PairingDocument,
    readers=True,
    refuses=(404,),
    tagged=True,
)
def pairing(tournament: UUID, number: int, asker: Asker) -> Response:
    """The pairing of a round with its reasons, computed again from the recorded version and seed."""
    state = visible_to(tournament, asker)
    current = _round(state, number)

    def build(known: TournamentNames) -> Response:
        then = container().tournaments.at(tournament, current.inputs).known
        found = explanations.paired_again(then, current)
        return json_response(explanations.told_pairing(state, number, current.attempt, found, known))

    return tagged(state, ("pairing", number), build)


@routes.on(
    "GET",
    f"{ONE}/events",
    query=log_schemas.TournamentLogQuery,
    answers=log_schemas.LogPage,
    readers=True,
    refuses=(404,),
    streams=tuple(FORMS),
)
def events(tournament: UUID, query: LoadedTournamentLogQuery, asker: Asker) -> Response:
    """The log of the tournament: a page, a long poll or, by `Accept`, a live stream."""
    form, after = FORMS.get(preferred_media_type("application/json", *FORMS)), after_of(query["after"])
    following = _following(tournament, asker, talk=query["talk"] and form is not None)
    if form is not None:
        return live_response(following, following.find(), after, form, asker)
    visible_to(tournament, asker)
    if query["wait"] and (parked := wait_for_item(following, following.find(), after, query["wait"], asker)):
        return parked
    found = list(container().games.store.read(tournament, after, query["limit"]))
    page = [documents.event_document(event) for event in found]
    return json_response({"events": page, "next": found[-1].seq if found else after})


def _following(tournament: UUID, asker: Asker, *, talk: bool) -> Following:
    """Returns how a reader finds the events of a tournament; to find them raises NotThere."""
    here, player = container(), player_id(asker)
    load = partial(visible_tournament, here, tournament, player)
    if not talk:
        return Following(player, partial(tournament_source, here.event_cache, tournament, load))
    make = partial(TalkTournamentSource, here.followed_talks)
    return Following((player, talk), partial(tournament_source, here.event_cache, tournament, load, make))


@routes.on("GET", f"{ONE}/archives", answers=answers.ArchivesDocument, readers=True, refuses=(404,))
def editions(tournament: UUID, asker: Asker) -> JsonObject:
    """All editions of the archive, with the rulings that corrected the tournament, and the valid one marked."""
    state = visible_to(tournament, asker)
    known = request_names(state)
    with container().stores.pool.connection() as connection:
        return archives.editions(connection, state, known)


@routes.on(
    "GET",
    f"{ONE}/archive",
    query=answers.ArchiveQuery,
    readers=True,
    refuses=(404, 409),
    streams=("application/zip",),
)
def archive(tournament: UUID, query: LoadedArchiveQuery, asker: Asker) -> Response:
    """The archive of a finished tournament, which `cabildo verify FILE` verifies offline."""
    state, edition = visible_to(tournament, asker), query["edition"]
    here = container()
    packed = archives.archive(here.stores.pool, here.settings, here.deals, state, edition)
    number = edition or len(state.known.editions)
    name = f'attachment; filename="{tournament}{f"-{number}" if number > 1 else ""}.zip"'
    return Response(packed, content_type="application/zip", headers={"Content-Disposition": name})


def _round(state: TournamentState, number: int) -> Any:
    if not 1 <= number <= len(state.known.rounds):
        raise NotThere("round", number)
    return state.known.rounds[number - 1]
