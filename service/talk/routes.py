"""Routes of table talk: read, write and erase messages, close rooms, how a player reads."""

from uuid import UUID

from flask import Response

from service.core.errors import NotAllowed, NotThere
from service.players.identity import Identity, player_id
from service.players.queries import names_of
from service.talk import schemas
from service.talk.commands import (
    ChangeReading,
    CloseRoom,
    EraseMessage,
    NoteRead,
    WriteMessage,
    change_reading,
    close_room,
    erase_message,
    note_read,
    write_message,
)
from service.talk.documents import MessageDocument, TalkAnswer, message_document, talk_document
from service.talk.places import for_client, game_place, tournament_place
from service.talk.queries import (
    TalkPage,
    newest_seen,
    reading_of,
    talk_page,
    unread_by_game,
)
from service.talk.rooms import TalkPlace
from service.web.idempotency import idempotency_key
from service.web.responses import request_language
from service.web.routing import Routes, container

routes = Routes(
    "table talk", "Table talk: messages at tables and in tournaments, beside the log and not in it", guests=True
)


@routes.on(
    "GET",
    "/v1/games/<uuid:game>/talk",
    query=schemas.TalkQuery,
    answers=schemas.TalkDocument,
    readers=True,
    refuses=(404,),
)
def at_table(game: UUID, query: schemas.LoadedTalkQuery, asker: Identity | None) -> TalkAnswer:
    """What is said at a table. Players and spectators have rooms of their own; players read that of spectators when
    the game is over, spectators that of players with the delay of their view.

    A stream of `/events` with `items=steps&talk=true` tells when there is more to read.
    """
    return _page(game_place(container(), game, player_id(asker)), query, asker)


@routes.on(
    "POST",
    "/v1/games/<uuid:game>/talk",
    body=schemas.NewMessage,
    answers=schemas.TalkMessage,
    status=201,
    scope="play",
    refuses=(404, 409, 429),
    keyed=True,
)
def say(game: UUID, body: schemas.WriteBody, asker: Identity) -> MessageDocument:
    """Say something at a table: in the players' room with a seat, else in the spectators'."""
    return _written(game_place(container(), game, asker.id), body, asker)


@routes.on(
    "DELETE", "/v1/games/<uuid:game>/talk/<int:number>", status=204, scope="play", refuses=(404,), while_blocked=True
)
def erase(game: UUID, number: int, asker: Identity) -> Response:
    """Erase the text of an own message for everybody. That something was said stays to be seen."""
    return _erased(game_place(container(), game, asker.id), number, asker)


@routes.on(
    "PUT",
    "/v1/games/<uuid:game>/talk/rooms",
    body=schemas.RoomState,
    answers=schemas.RoomState,
    scope="play",
    refuses=(404,),
)
def close(game: UUID, body: schemas.RoomBody, asker: Identity) -> schemas.RoomBody:
    """Close a room of a table to writers, or open it: its host, and the directors of its tournament."""
    return _closed(game_place(container(), game, asker.id), body)


@routes.on(
    "PUT",
    "/v1/games/<uuid:game>/talk/read",
    body=schemas.ReadUpTo,
    status=204,
    scope="play",
    refuses=(404,),
    while_blocked=True,
)
def read(game: UUID, body: schemas.ReadBody, asker: Identity) -> Response:
    """Note up to which message you have read."""
    return _noted(game_place(container(), game, asker.id), body, asker)


@routes.on(
    "GET",
    "/v1/tournaments/<uuid:tournament>/talk",
    query=schemas.TalkQuery,
    answers=schemas.TalkDocument,
    readers=True,
    refuses=(404,),
)
def in_tournament(tournament: UUID, query: schemas.LoadedTalkQuery, asker: Identity | None) -> TalkAnswer:
    """What is said in a tournament; its entrants and directors write."""
    return _page(tournament_place(container(), tournament, player_id(asker)), query, asker)


@routes.on(
    "POST",
    "/v1/tournaments/<uuid:tournament>/talk",
    body=schemas.NewMessage,
    answers=schemas.TalkMessage,
    status=201,
    scope="play",
    refuses=(404, 409, 429),
    keyed=True,
)
def say_in_tournament(tournament: UUID, body: schemas.WriteBody, asker: Identity) -> MessageDocument:
    """Say something in a tournament."""
    return _written(tournament_place(container(), tournament, asker.id), body, asker)


@routes.on(
    "DELETE",
    "/v1/tournaments/<uuid:tournament>/talk/<int:number>",
    status=204,
    scope="play",
    refuses=(404,),
    while_blocked=True,
)
def erase_in_tournament(tournament: UUID, number: int, asker: Identity) -> Response:
    """Erase the text of an own message for everybody."""
    return _erased(tournament_place(container(), tournament, asker.id), number, asker)


@routes.on(
    "PUT",
    "/v1/tournaments/<uuid:tournament>/talk/rooms",
    body=schemas.RoomState,
    answers=schemas.RoomState,
    scope="play",
    refuses=(404,),
)
def close_in_tournament(tournament: UUID, body: schemas.RoomBody, asker: Identity) -> schemas.RoomBody:
    """Close the talk of a tournament to writers, or open it: its directors."""
    return _closed(tournament_place(container(), tournament, asker.id), body)


@routes.on(
    "PUT",
    "/v1/tournaments/<uuid:tournament>/talk/read",
    body=schemas.ReadUpTo,
    status=204,
    scope="play",
    refuses=(404,),
    while_blocked=True,
)
def read_in_tournament(tournament: UUID, body: schemas.ReadBody, asker: Identity) -> Response:
    """Note up to which message you have read."""
    return _noted(tournament_place(container(), tournament, asker.id), body, asker)


@routes.on("GET", "/v1/me/talk", answers=schemas.ReadingDocument, scope="read")
def reading(asker: Identity) -> dict[str, object]:
    """How you read table talk: covered words, what you mute, and what you have not read at your tables."""
    with container().stores.pool.connection() as connection:
        found = reading_of(connection, asker.player)
        names = names_of(connection, {str(muted) for about, muted in found.mutes if about == "player"})
        unread = unread_by_game(connection, asker.player)
    mutes = [{"about": about, "id": muted, "name": names.get(str(muted))} for about, muted in sorted(found.mutes)]
    return {
        "covers": found.covers,
        "mutes": mutes,
        "unread": [{"game": game, "unread": count} for game, count in unread.items()],
    }


@routes.on(
    "PUT", "/v1/me/talk", body=schemas.NewReading, answers=schemas.ReadingDocument, scope="play", while_blocked=True
)
def read_otherwise(body: schemas.ReadingBody, asker: Identity) -> dict[str, object]:
    """Cover rough words or not; mute a player everywhere, or the talk of one game or tournament, or hear it again."""
    command = ChangeReading(asker.player, body["covers"], body["about"], body["id"], body["mutes"])
    change_reading(container(), command)
    return reading(asker)


def _page(place: TalkPlace, query: schemas.LoadedTalkQuery, asker: Identity | None) -> TalkAnswer:
    player = None if asker is None else asker.player
    place = for_client(container(), place, asker)
    with container().stores.pool.connection() as connection:
        page = talk_page(connection, place, player, query["after"], query["before"], query["limit"])
        names = names_of(connection, {str(message.player) for message in page.messages})
    return talk_document(page, names, request_language())


def _written(place: TalkPlace, body: schemas.WriteBody, asker: Identity) -> MessageDocument:
    key, place = idempotency_key(asker), for_client(container(), place, asker)
    message = write_message(container(), WriteMessage(asker.player, place, body["text"], key and key.name))
    with container().stores.pool.connection() as connection:
        page: TalkPage = talk_page(connection, place, asker.player, message.number - 1, None, 1)
        names = names_of(connection, {asker.id})
    return message_document(page, message, names, request_language())


def _erased(place: TalkPlace, number: int, asker: Identity) -> Response:
    erase_message(container(), EraseMessage(asker.player, place.stream, number))
    return Response(status=204)


def _closed(place: TalkPlace, body: schemas.RoomBody) -> schemas.RoomBody:
    if not place.leads:
        raise NotAllowed("not_the_host", "the host of the table and the directors of its tournament close its talk")
    if body["room"] not in place.reads and not (place.about == "game" and body["room"] != "tournament"):
        raise NotThere("room", body["room"])
    close_room(container(), CloseRoom(place, body["room"], body["closed"]))
    return body


def _noted(place: TalkPlace, body: schemas.ReadBody, asker: Identity) -> Response:
    with container().stores.pool.connection() as connection:
        seen = newest_seen(connection, place.stream, place.reads)
    note_read(container(), NoteRead(asker.player, place.stream, min(body["number"], max(seen.values()))))
    return Response(status=204)
