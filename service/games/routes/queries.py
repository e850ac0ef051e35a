"""Routes that read games: summary, log, board, legal moves, replay, the player's stream."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from http import HTTPStatus
from typing import Final
from uuid import UUID

from flask import Response, request

from events.json_types import JsonObject
from service.games import queries, written_records
from service.games.live_steps import LiveSteps, with_player_names
from service.games.queries import LegalQuestion, ReplayOptions, ReplayPart
from service.games.schemas import documents
from service.games.schemas import legal as legal_schemas
from service.games.schemas import queries as schemas
from service.games.schemas.loaded import (
    LoadedGameLogQuery,
    LoadedLegalQuery,
    LoadedNewsQuery,
    LoadedPositionQuery,
    LoadedReplayQuery,
)
from service.games.summary import game_summary
from service.games.visibility import Visibility, events_seen, viewer, visible_event, visible_game
from service.live import player_source, protocol
from service.live.board_source import board_source
from service.live.delivery.follower import Following
from service.live.game_source import game_source
from service.live.protocol import FORMS, SSE, Form, Source
from service.live.step_source import step_source
from service.live.talk_source import KIND, talk_step_source
from service.players.identity import Identity, player_id
from service.web.live.responses import live_response, wait_for_item
from service.web.request_costs import charge_events
from service.web.responses import etag_response, json_response, request_language, streaming_response
from service.web.routing import Routes, container

routes = Routes("reading", "Reading games: summaries, logs, boards, legal moves, replays")
LAST_EVENT: Final = "Last-Event-ID"
LONGEST_NUMBER: Final = 16  # digits


@routes.on("GET", "/v1/games/<uuid:game>", answers=documents.GameDocument, readers=True, refuses=(404,), tagged=True)
def game(game: UUID, asker: Identity | None) -> Response:
    """A game without its board."""
    table = game_visible_to(game, asker).table
    document = game_summary(container(), table, player_id(asker), request_language())
    return etag_response(("summary", document), lambda: json_response(document))


@routes.on(
    "GET",
    "/v1/games/<uuid:game>/position",
    query=schemas.PositionQuery,
    answers=schemas.PositionDocument,
    readers=True,
    refuses=(404,),
    streams=("text/plain",),
    tagged=True,
)
def position(game: UUID, query: LoadedPositionQuery, asker: Identity | None) -> Response:
    """The board after an event, as a seat or a spectator may see it; an analysis accepts this document.

    With `Accept: text/plain` it is described in words, for terminals and screen readers.
    """
    visible = game_visible_to(game, asker)
    eyes, words = viewer(visible, query["eyes"]), request_language()
    plain = preferred_media_type("application/json", "text/plain") == "text/plain"

    def build() -> Response:
        if plain:
            drawn = queries.board(container().games, visible, query["at"], eyes, words)
            return Response(drawn, content_type="text/plain; charset=utf-8")
        return json_response(queries.position(container().games, visible, query["at"], eyes))

    at = visible.version if query["at"] is None else query["at"]
    return etag_response(
        ("position", game, at, visible.table.head, eyes, plain and words), build, for_all=visible.is_for_all
    )


@routes.on(
    "GET",
    "/v1/games/<uuid:game>/legal",
    query=legal_schemas.LegalQuery,
    answers=legal_schemas.LegalMovesDocument,
    readers=True,
    refuses=(400, 404),
    tagged=True,
)
def legal(game: UUID, query: LoadedLegalQuery, asker: Identity | None) -> Response:
    """Whose turn it is, and the legal moves: your own if you have a seat, else those of the seat to act.

    Long choices come with `slots` and suggestions; `begin` completes a half-made move, `why_not` gives reasons.
    """
    visible, words = game_visible_to(game, asker), request_language()
    question = LegalQuestion(query["mine"], query["why_not"], query["begin"])
    tag = ("legal", visible.table.head, visible.seat, words, question)
    return etag_response(tag, lambda: json_response(queries.legal(visible, words, question)))


@routes.on(
    "GET",
    "/v1/games/<uuid:game>/events",
    query=schemas.GameLogQuery,
    answers=schemas.LogPage,
    readers=True,
    refuses=(404,),
    streams=tuple(FORMS),
    tagged=True,
)
def events(game: UUID, query: LoadedGameLogQuery, asker: Identity | None) -> Response:
    """The log: a page, a long poll for the next events or, by `Accept`, a live stream."""
    form = FORMS.get(preferred_media_type("application/json", *FORMS))
    after = after_of(query["after"])
    if form is not None:
        return _stream(_following(game, asker, query["items"], query["beside"], talk=query["talk"]), asker, after, form)
    visible = game_visible_to(game, asker)
    if query["wait"] and after >= visible.version:
        following = _following(game, asker, schemas.EVENTS, None)
        if parked := wait_for_item(following, following.find(), after, query["wait"], asker):
            return parked
        visible = game_visible_to(game, asker)
    found = events_seen(container().games, visible, after, query["limit"])
    page = {"events": [visible_event(visible, event) for event in found], "next": found[-1].seq if found else after}
    head = found[-1].hash if found else None  # the same numbers may be of another history
    tag = ("events", game, page["next"], head, after, query["limit"], visible.seat, visible.is_over)
    return etag_response(tag, lambda: json_response(page), for_all=visible.is_for_all)


@routes.on(
    "GET",
    "/v1/games/<uuid:game>/replay",
    query=schemas.ReplayQuery,
    answers=schemas.ReplayDocument,
    readers=True,
    refuses=(404,),
    streams=(protocol.NDJSON.media_type,),
    tagged=True,
)
def replay(game: UUID, query: LoadedReplayQuery, asker: Identity | None) -> Response:
    """Every step with its move in words, draws, facts, board, scores and gains."""
    visible = game_visible_to(game, asker)
    eyes, words = viewer(visible, query["eyes"]), request_language()
    telling = ReplayOptions(eyes, words, query["undone"], query["positions"])
    part = ReplayPart(query["after"], min(visible.version, query["until"] or visible.version))
    lines = preferred_media_type("application/json", protocol.NDJSON.media_type) != "application/json"

    def build() -> Response:
        charge_events(part.length)
        steps = (json.dumps(step, ensure_ascii=False, separators=(",", ":")) for step in _steps(visible, part, telling))
        if lines:
            return streaming_response((f"{step}\n" for step in steps), protocol.NDJSON.media_type)
        return streaming_response(_array(game, steps, _notes(visible, part)), "application/json")

    shown = container().games.texts_tag(game)  # texts are hidden and erased without an event
    return etag_response(("replay", visible.table.head, part, telling, lines, shown), build, for_all=visible.is_for_all)


@routes.on("GET", "/v1/me/stream", query=schemas.NewsQuery, scope="read", streams=tuple(FORMS))
def news(query: LoadedNewsQuery, asker: Identity) -> Response:
    """One stream for a client with many games: invitations, started games, your turns, ended games.

    Without `after` it begins with the games that wait for you now, to sit down or to move; later news may repeat one.
    """
    form = FORMS[preferred_media_type(*FORMS)]
    last = after_of(query["after"]) if query["after"] is not None or LAST_EVENT in request.headers else None
    after = last
    if after is None:
        with container().stores.pool.connection() as connection:
            after = player_source.newest_news(connection, asker.id)
    find = partial(container().followed_players.enter, asker.id, waiting=last is None, lists=query["games"])
    return live_response(Following((asker.id, query["games"]), find), find(), after, form, asker)


def game_visible_to(game: UUID, asker: Identity | None) -> Visibility:
    """Returns the game as the client may see it. Raises NotThere or TableClosed."""
    return visible_game(container().games, container().deals, game, None if asker is None else asker.id)


def preferred_media_type(*media_types: str) -> str:
    """Returns the media type that the client prefers; by default the first one."""
    return request.accept_mimetypes.best_match(media_types) or media_types[0]


def after_of(given: int | None) -> int:
    """Returns the number to continue after: the query's, else that of an interrupted stream."""
    if given is not None:
        return given
    last = request.headers.get(LAST_EVENT, "")
    return int(last) if last.isascii() and last.isdigit() and len(last) < LONGEST_NUMBER else 0


def _following(game: UUID, asker: Identity | None, items: str, beside: str | None, *, talk: bool = False) -> Following:
    """Returns how the client finds what it may see of a game; to find it raises NotThere or TableClosed."""
    here, player, words = container(), player_id(asker), request_language()
    seen = here.event_cache, here.games, here.deals, game, player
    if items != schemas.STEPS and beside is None:
        return Following(player, partial(game_source, *seen))
    if talk:
        return Following((player, words, KIND), partial(talk_step_source, here.followed_talks, *seen, words))
    steps = LiveSteps(here.games, here.stores.pool)
    if beside is not None:
        told = frozenset(beside.split(","))
        return Following((player, words, told), partial(board_source, *seen, steps, words, told))
    return Following((player, words), partial(step_source, *seen, steps, words))


def _stream(following: Following, asker: Identity | None, after: int, form: Form) -> Response:
    source = following.find()
    if form is SSE and _is_over(source, after):
        source.close()
        return Response(status=HTTPStatus.NO_CONTENT)  # stops the reconnects of an EventSource
    return live_response(following, source, after, form, asker)


def _is_over(source: Source, after: int) -> bool:
    try:
        return source.end(after) is not None
    except BaseException:
        source.close()
        raise


def _steps(visible: Visibility, part: ReplayPart, options: ReplayOptions) -> Iterator[JsonObject]:
    comments: Mapping[int, list[str]] = {}
    if visible.record.imported:
        with container().stores.pool.connection() as connection:
            comments = written_records.comments(connection, visible.table.id)
    return queries.replay(container().games, visible, part, options, comments)


def _notes(visible: Visibility, part: ReplayPart) -> list[JsonObject]:
    """Returns the notes on a game, with the names of substitutes."""
    found = queries.notes(container().games, visible, part, request_language())
    return with_player_names(container().stores.pool, found)


def _array(game: UUID, steps: Iterable[str], notes: Sequence[JsonObject]) -> Iterator[str]:
    yield f'{{"game":"{game}","steps":['
    for number, step in enumerate(steps):
        yield f",{step}" if number else step
    yield f'],"notes":{json.dumps(notes, ensure_ascii=False, separators=(",", ":"))}}}'
