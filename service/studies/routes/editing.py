"""Routes of studies: annotations by several players, in chapters, with variations and lessons."""

import json
from collections.abc import Collection, Mapping
from functools import partial
from typing import Any, Final
from uuid import UUID

from flask import Response

from events.json_types import JsonObject
from service.analyses import queries
from service.analyses.request_types import LoadedEstimates
from service.analyses.schemas import Estimates
from service.games.routes.queries import after_of, game_visible_to, preferred_media_type
from service.i18n.messages import hidden_notice
from service.live.delivery.follower import Following
from service.live.protocol import FORMS
from service.live.study_source import change, study_source
from service.players.identity import Identity, player_id
from service.players.queries import names_of
from service.studies import boards, lessons, listing
from service.studies import queries as study_queries
from service.studies.chapter_game import ChapterGame
from service.studies.commands import DeleteStudy, EditStudy, create_command, create_study, delete_study, edit_study
from service.studies.documents import written
from service.studies.editing import estimates
from service.studies.editing.estimates import EstimateSelection
from service.studies.schemas import documents as schemas
from service.studies.schemas import queries as query_schemas
from service.studies.schemas.edits import StudyEdits
from service.studies.schemas.loaded import (
    LoadedBoardQuery,
    LoadedChangeQuery,
    LoadedDeletionQuery,
    LoadedFind,
    LoadedNewStudy,
    LoadedStudyEdits,
    LoadedStudyQuery,
    LoadedTicketQuery,
)
from service.web import responses
from service.web.idempotency import request_of, translated_request
from service.web.live.responses import live_response, wait_for_item
from service.web.responses import etag_response, json_response, request_language
from service.web.routing import Routes, container

MOST_CHANGES: Final = 64  # in one page
routes = Routes("studies", "Annotating games: chapters, comments, glyphs, markers, variations, lessons")


def tickets_of(query: Mapping[str, Any]) -> frozenset[str]:
    """Returns the tickets of a query."""
    return frozenset(query["tickets"].split(","))


def _notice() -> str:
    """Returns what stands in place of hidden texts, in the language of the request."""
    return hidden_notice(request_language())


def chapter_game_of(study: UUID, chapter: int, asker: Identity | None, tickets: Collection[str]) -> ChapterGame:
    """Returns the game under a chapter, cut at its open questions; raises NotThere."""
    chapter_game = study_queries.view(container(), study, chapter, player_id(asker), tickets).chapter_game
    assert chapter_game is not None
    return chapter_game


@routes.on(
    "POST",
    "/v1/studies",
    body=schemas.NewStudy,
    answers=schemas.EditResult,
    status=201,
    scope="annotate",
    keyed=True,
    refuses=(404, 409),
)
def create(body: LoadedNewStudy, asker: Identity) -> JsonObject:
    """Create a study, optionally with a chapter for each of some games."""
    return create_study(container(), create_command(body), request_of(asker)).answer


@routes.on("GET", "/v1/studies", query=query_schemas.StudyQuery, answers=schemas.StudyList, readers=True, paged=True)
def listed(query: LoadedStudyQuery, asker: Identity | None) -> Response:
    """List the studies that are public or yours, last changed first."""
    return _list(query, asker)


@routes.on(
    "GET",
    "/v1/games/<uuid:game>/studies",
    query=query_schemas.StudyQuery,
    answers=schemas.StudyList,
    readers=True,
    refuses=(404,),
    paged=True,
)
def of_game(game: UUID, query: LoadedStudyQuery, asker: Identity | None) -> Response:
    """List the studies about a game."""
    game_visible_to(game, asker)
    return _list({**query, "about": game}, asker)


def _list(query: LoadedStudyQuery, asker: Identity | None) -> Response:
    with container().stores.pool.connection() as connection:
        found = listing.find(connection, query, player_id(asker), query["limit"], request_language())
        names = names_of(connection, listing.owners(found.rows))
    return responses.page_response("studies", [listing.document(row, names) for row in found.rows], found.next)


@routes.on(
    "GET", "/v1/studies/<uuid:study>", answers=schemas.StudyDocument, readers=True, refuses=(404, 410), tagged=True
)
def heading(study: UUID, asker: Identity | None) -> Response:
    """Read a study: its members and its chapters, without their contents."""
    document = study_queries.read(container(), study, player_id(asker), _notice(), ()).heading()
    return etag_response(("study", json.dumps(document)), lambda: json_response(document))


@routes.on(
    "GET",
    "/v1/studies/<uuid:study>/chapters/<int:chapter>",
    query=query_schemas.TicketQuery,
    answers=schemas.ChapterDocument,
    readers=True,
    refuses=(404, 410),
    tagged=True,
)
def chapter(study: UUID, chapter: int, query: LoadedTicketQuery, asker: Identity | None) -> Response:
    """Read a chapter as far as you may see its game: comments, marks, variations, questions."""
    read = study_queries.read(container(), study, player_id(asker), _notice(), (chapter,), tickets_of(query))
    study_queries.chapter(read.study, chapter)
    document = read.chapter(chapter, request_language())
    return etag_response(("chapter", json.dumps(document)), lambda: json_response(document))


@routes.on(
    "GET",
    "/v1/studies/<uuid:study>/chapters/<int:chapter>/board",
    query=query_schemas.BoardQuery,
    answers=schemas.BoardDocument,
    readers=True,
    refuses=(404, 410),
    tagged=True,
)
def board(study: UUID, chapter: int, query: LoadedBoardQuery, asker: Identity | None) -> Response:
    """Read the board at any place of a chapter as a seat knew it, with its legal moves."""
    chapter_game, words = chapter_game_of(study, chapter, asker, tickets_of(query)), request_language()
    chapter_game.at(query["at"])
    heads = (
        study_queries.see(container(), study, player_id(asker)).head,
        chapter_game.visible and chapter_game.visible.table.head,
    )
    parts = (
        "board",
        study,
        chapter,
        chapter_game.chapter.newest,
        heads,
        query["at"],
        query["eyes"],
        query["legal"],
        words,
    )
    return etag_response(
        parts,
        lambda: json_response(boards.board(chapter_game, query["at"], query["eyes"], words, legal=query["legal"])),
    )


@routes.on(
    "POST",
    "/v1/studies/<uuid:study>/edits",
    body=StudyEdits,
    answers=schemas.EditResult,
    status=201,
    scope="annotate",
    keyed=True,
    refuses=(400, 404, 409, 410),
)
def edit(study: UUID, body: LoadedStudyEdits, asker: Identity) -> JsonObject:
    """Edit a study: all edits or none, never overwriting changes since the version you saw."""
    command = EditStudy(study, [_plain(one) for one in body["edits"]], body["saw"])
    return edit_study(container(), command, translated_request(asker)).answer


@routes.on(
    "DELETE",
    "/v1/studies/<uuid:study>",
    query=query_schemas.DeletionQuery,
    answers=schemas.EditResult,
    scope="annotate",
    keyed=True,
    refuses=(404, 409, 410),
    while_blocked=True,
)
def delete(study: UUID, query: LoadedDeletionQuery, asker: Identity) -> JsonObject:
    """Delete a study, as one of its owners: erases all its texts and hides it from all readers."""
    return delete_study(container(), DeleteStudy(study, query["saw"]), request_of(asker)).answer


def _plain(edit: Mapping[str, Any]) -> JsonObject:
    """Returns an edit with ids as strings."""
    return {name: str(value) if isinstance(value, UUID) else value for name, value in edit.items()}


@routes.on(
    "POST",
    "/v1/studies/<uuid:study>/chapters/<int:chapter>/answers",
    body=schemas.Find,
    answers=schemas.LessonResult,
    readers=True,
    refuses=(400, 404, 410),
)
def answer(study: UUID, chapter: int, body: LoadedFind, asker: Identity | None) -> JsonObject:
    """Answer a question of a lesson; the server stores no answers."""
    chapter_game = chapter_game_of(study, chapter, asker, body["tickets"])
    ticket = lessons.ticket(body["at"], boards.question_at(chapter_game, body["at"]))
    if body["move"] is None:
        return {"right": False, "move": None, "label": None, **written(None), "ticket": ticket}
    right, move, reply = boards.judge_answer(chapter_game, body["at"], body["move"], request_language())
    text = None if reply is None else container().studies.texts(study, [reply], _notice()).get(reply)
    return {"right": right, **move, **written(text), "ticket": ticket if right else None}


@routes.on(
    "POST",
    "/v1/studies/<uuid:study>/chapters/<int:chapter>/estimates",
    body=Estimates,
    answers=schemas.EditResult,
    status=201,
    scope="annotate",
    keyed=True,
    refuses=(404, 409, 410),
)
def estimate(study: UUID, chapter: int, body: LoadedEstimates, asker: Identity) -> JsonObject:
    """Copy into a chapter the estimates of an analysis for the moves that lost most."""
    found = study_queries.chapter(study_queries.see(container(), study, asker.id), chapter)
    with container().stores.pool.connection() as connection:
        analysis = queries.get(connection, body["analysis"])
        figures = queries.figures(connection, analysis.id)
    chapter_game = study_queries.chapter_games_for(container(), asker.id).of(found)
    edits = estimates.edits(
        chapter_game, analysis, figures, EstimateSelection(body["least"], asker.id, request_language())
    )
    command = EditStudy(study, edits, container().studies.load(study).head.seq)
    return edit_study(container(), command, translated_request(asker)).answer


@routes.on(
    "GET",
    "/v1/studies/<uuid:study>/changes",
    query=query_schemas.ChangeQuery,
    answers=schemas.ChangePage,
    readers=True,
    refuses=(404, 410),
    streams=tuple(FORMS),
)
def changes(study: UUID, query: LoadedChangeQuery, asker: Identity | None) -> Response:
    """Follow changes of chapters: a page, a long poll or, by `Accept`, a stream."""
    here, reader = container(), player_id(asker)
    form, after = FORMS.get(preferred_media_type("application/json", *FORMS)), after_of(query["after"])
    following = Following(reader, partial(study_source, here.event_cache, here.studies, study, reader))
    if form is not None:
        return live_response(following, following.find(), after, form, asker)
    study_queries.see(here, study, reader)
    if query["wait"] and (parked := wait_for_item(following, following.find(), after, query["wait"], asker)):
        return parked
    found = list(here.studies.store.read(study, after, MOST_CHANGES))
    return json_response({"changes": [change(event) for event in found], "next": found[-1].seq if found else after})
