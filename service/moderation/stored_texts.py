"""All free texts of a game, study or tournament as administrators read them, the hidden ones too."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.store.free_texts import read_texts
from service.container import Container
from service.core.errors import NotThere
from service.moderation.things import (
    ENGINE,
    GAME,
    MESSAGE,
    PLAYER,
    RECORD,
    STUDY,
    TOURNAMENT,
    FreeText,
    Thing,
    reasons_of,
    study_texts,
)
from service.players.queries import get_player

MOST: Final = 1_000  # texts of one stream
KINDS: Final = {"study_created": STUDY, "tournament_declared": TOURNAMENT, "game_created": GAME}
FIRST: Final = "SELECT kind FROM streams_begun WHERE stream = %s"
RECORD_TEXTS: Final = """
SELECT headers, array_to_string(below, E'\n'), (
    SELECT string_agg(concat_ws(' ', array_to_string(above, ' '), beside), E'\n' ORDER BY seq)
    FROM transcript_notes WHERE transcript_notes.id = transcripts.id
) FROM transcripts WHERE id = %s
"""
ENGINE_TEXT: Final = """
SELECT owner::text, concat_ws(E'\n', engine, manifest ->> 'author', manifest ->> 'source', manifest ->> 'budget',
    manifest ->> 'hardware')
FROM players WHERE id = %s AND engine IS NOT NULL
"""
IS_HIDDEN: Final = "SELECT FROM hidden_texts WHERE stream = %s AND hash = '' AND about <> 'message'"
MESSAGES: Final = """
SELECT m.number, m.player, m.text, h.stream IS NOT NULL AS hidden
FROM talk_messages AS m
LEFT JOIN hidden_texts AS h ON h.stream = m.stream AND h.about = 'message' AND h.number = m.number
WHERE m.stream = %(stream)s AND m.text IS NOT NULL ORDER BY m.number DESC LIMIT %(most)s
"""


class StoredText(NamedTuple):
    """A thing with its texts, without erased ones."""

    thing: Thing
    author: str | None
    texts: tuple[str, ...]
    hidden: bool


class StreamTexts(NamedTuple):
    """The texts of a game, study or tournament."""

    about: str  # GAME, STUDY, TOURNAMENT or PLAYER
    texts: list[StoredText]


def texts_in(here: Container, id: UUID) -> StreamTexts:
    """Returns the texts of a game, study, tournament or bot, at most 1,000; raises NotThere."""
    with here.stores.pool.connection() as connection:
        row = connection.execute(FIRST, (id,)).fetchone()
        if row is None:
            return StreamTexts(PLAYER, list(_engine_text(connection, id)))
    about = KINDS.get(row[0])
    if about is None:
        raise NotThere("event", id)
    found = [text for text in FOUND[about](here, id) if text.hashes][:MOST]
    with here.stores.pool.connection() as connection:
        texts = [*_stored(connection, id, found), *_record_texts(connection, id), *_messages(connection, id)]
        return StreamTexts(about, texts)


def text_of(here: Container, thing: Thing) -> StoredText | None:
    """Returns a thing with its texts; None when it has none any more."""
    try:
        return next((text for text in texts_in(here, thing.id).texts if text.thing == thing), None)
    except NotThere:
        return None


def _stored(connection: Connection, stream: UUID, found: list[FreeText]) -> Iterator[StoredText]:
    hashes = {hash for one in found for hash in one.hashes}
    texts = {hash.hex(): kept for hash, kept in read_texts(connection, stream, [*map(bytes.fromhex, hashes)]).items()}
    for one in found:
        kept = [texts[hash] for hash in one.hashes if hash in texts]
        if kept:
            yield StoredText(one.thing, one.author, tuple(it.text for it in kept), any(it.hidden for it in kept))


def _record_texts(connection: Connection, game: UUID) -> Iterator[StoredText]:
    row = connection.execute(RECORD_TEXTS, (game,)).fetchone()
    if row is not None:
        hidden = connection.execute(IS_HIDDEN, (game,)).rowcount > 0
        yield StoredText(Thing(RECORD, game), None, tuple(text for text in row if text), hidden)


def _messages(connection: Connection, stream: UUID) -> Iterator[StoredText]:
    for number, player, text, hidden in connection.execute(MESSAGES, {"stream": stream, "most": MOST}):
        yield StoredText(Thing(MESSAGE, stream, number), str(player), (text,), hidden)


def _engine_text(connection: Connection, player: UUID) -> Iterator[StoredText]:
    get_player(connection, player)
    row = connection.execute(ENGINE_TEXT, (player,)).fetchone()
    if row is not None:
        hidden = connection.execute(IS_HIDDEN, (player,)).rowcount > 0
        yield StoredText(Thing(ENGINE, player), row[0], (row[1],), hidden)


def _of_study(here: Container, id: UUID) -> Iterator[FreeText]:
    study = here.studies.load(id).known
    return study_texts(study, ((chapter, chapter.notes) for chapter in study.chapters.values()))


def _of_tournament(here: Container, id: UUID) -> Iterator[FreeText]:
    record = here.tournaments.load(id).known
    yield FreeText(Thing(TOURNAMENT, id), (record.title,), record.host)
    yield from _of_game(here, id)


def _of_game(here: Container, id: UUID) -> Iterator[FreeText]:
    with here.stores.pool.connection() as connection:
        yield from (text for _, text in reasons_of(connection, id))


FOUND: Final[Mapping[str, Callable[[Container, UUID], Iterator[FreeText]]]] = {
    STUDY: _of_study,
    TOURNAMENT: _of_tournament,
    GAME: _of_game,
}
