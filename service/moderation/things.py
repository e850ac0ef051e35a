"""What players report and administrators hide: players, games, studies, tournaments, and the free texts in them."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.messages import Message
from events.store.postgres import read
from projections.studies.study import Chapter, Place, PlaceNotes, Study
from service.container import Container
from service.core.errors import NotThere
from service.games.visibility import visible_game
from service.players.queries import get_player
from service.studies import visibility
from service.studies.queries import chapter_games_for
from service.studies.queries import see as visible_study
from service.talk.places import game_place, tournament_place
from service.talk.queries import get_message, hidden_messages, newest_messages
from service.talk.rooms import TalkPlace
from service.tournaments.queries import visible_tournament

PLAYER: Final = "player"
GAME: Final = "game"
STUDY: Final = "study"
TOURNAMENT: Final = "tournament"
CHAPTER: Final = "chapter"
COMMENT: Final = "comment"
QUESTION: Final = "question"
CREDIT: Final = "credit"  # of marks: the name of an author outside the service
REASON: Final = "reason"  # of an event of a game or tournament
RECORD: Final = "record"  # what is written beside the moves of an imported game
ENGINE: Final = "engine"  # of a bot, in its owner's words
MESSAGE: Final = "message"  # of the talk at a table or in a tournament
NOUNS: Final[Mapping[str, Message]] = {
    PLAYER: Message("player"),
    GAME: Message("game"),
    STUDY: Message("study"),
    CHAPTER: Message("chapter"),
    COMMENT: Message("comment"),
    QUESTION: Message("question"),
    CREDIT: Message("credit"),
    TOURNAMENT: Message("tournament"),
    REASON: Message("reason"),
    RECORD: Message("record"),
    ENGINE: Message("engine"),
    MESSAGE: Message("message"),
}
KINDS: Final = tuple(NOUNS)
WHOLE: Final = (PLAYER, GAME, STUDY, TOURNAMENT)  # named by their id alone
PRIVATE_REASONS: Final = ("withdrawn",)  # only directors see the reasons of these events
MOST_REASONS: Final = 200  # of one stream, the newest
MOST_MESSAGES: Final = 2_000


class Thing(NamedTuple):
    """A thing that a report is about."""

    about: str  # of KINDS
    id: UUID  # of the player, game, study or tournament
    number: int = 0  # of the chapter, comment, event ... in it


class FreeText(NamedTuple):
    """The free texts of one thing, by the hashes that events name them by."""

    thing: Thing
    hashes: tuple[str, ...]
    author: str | None = None
    text: str | None = None  # of a text that no event names, as readers see it


def visible_things(here: Container, about: str, id: UUID, reader: str) -> list[FreeText]:
    """Returns a player, game, study or tournament with the free texts in it that a reader may see; raises NotThere."""
    return list(VISIBLE[about](here, id, reader))


def need_visible(here: Container, thing: Thing, reader: str) -> None:
    """Raises NotThere for a thing that does not exist or that the reader may not see."""
    for whole in _wholes(thing.about):
        with suppress(NotThere):
            if any(found.thing == thing for found in visible_things(here, whole, thing.id, reader)):
                return
    raise NotThere(NOUNS[thing.about], thing.id if thing.about in WHOLE else thing.number)


def _wholes(about: str) -> tuple[str, ...]:
    """Returns the kinds of things in which a thing of a kind is found."""
    if about in WHOLE:
        return (about,)
    both = (GAME, TOURNAMENT)
    return {REASON: both, MESSAGE: both, RECORD: (GAME,), ENGINE: (PLAYER,)}.get(about, (STUDY,))


def _player(here: Container, id: UUID, _reader: str) -> Iterator[FreeText]:
    with here.stores.pool.connection() as connection:
        player = get_player(connection, id)
    if player.name is None:
        raise NotThere(PLAYER, id)
    yield FreeText(Thing(PLAYER, id), ())
    if player.engine is not None:
        yield FreeText(Thing(ENGINE, id), (), str(player.owner))


def _game(here: Container, id: UUID, reader: str) -> Iterator[FreeText]:
    visible = visible_game(here.games, here.deals, id, reader)
    yield FreeText(Thing(GAME, id), ())
    with here.stores.pool.connection() as connection:
        if visible.record.imported:
            yield FreeText(Thing(RECORD, id), (), visible.record.host)
        yield from (found for _, found in reasons_of(connection, id) if found.thing.number <= visible.version)
        yield from _messages(connection, game_place(here, id, reader))


def _tournament(here: Container, id: UUID, reader: str) -> Iterator[FreeText]:
    record = visible_tournament(here, id, reader).known
    yield FreeText(Thing(TOURNAMENT, id), (record.title,), record.host)
    with here.stores.pool.connection() as connection:
        found = reasons_of(connection, id)
        said = list(_messages(connection, tournament_place(here, id, reader)))
    yield from (text for kind, text in found if kind not in PRIVATE_REASONS or record.directs(reader))
    yield from said


def _messages(connection: Connection, place: TalkPlace) -> Iterator[FreeText]:
    """Yields the newest messages of a talk that a reader sees."""
    hidden = hidden_messages(connection, place.stream)
    for message in reversed(newest_messages(connection, place, MOST_MESSAGES)):
        if message.text is not None:
            shown = None if message.number in hidden else message.text
            yield FreeText(Thing(MESSAGE, place.stream, message.number), (), str(message.player), shown)


def reasons_of(connection: Connection, stream: UUID) -> list[tuple[str, FreeText]]:
    """Returns the newest reasons of a stream, each with the kind of its event."""
    given = deque((event for event in read(connection, stream) if event.data.get("reason") is not None), MOST_REASONS)
    return [
        (event.kind, FreeText(Thing(REASON, stream, event.seq), (str(event.data["reason"]),), event.actor))
        for event in reversed(given)
    ]


def _study(here: Container, id: UUID, reader: str) -> Iterator[FreeText]:
    study, games = visible_study(here, id, reader), chapter_games_for(here, reader)
    views = [visibility.view(visibility.opened(study, it, reader, ()), games) for it in study.chapters.values()]
    yield from study_texts(study, ((view.chapter, view.notes) for view in views if view.chapter_game is not None))


def study_texts(study: Study, chapters: Iterable[tuple[Chapter, Mapping[Place, PlaceNotes]]]) -> Iterator[FreeText]:
    """Yields the free texts of a study and of these chapters with their notes."""
    yield FreeText(Thing(STUDY, study.id), (study.title,))
    for chapter, notes in chapters:
        yield FreeText(Thing(CHAPTER, study.id, chapter.id), (chapter.title,))
        for note in notes.values():
            yield from _note_texts(study.id, note)


def _note_texts(study: UUID, note: PlaceNotes) -> Iterator[FreeText]:
    for comment in note.comments:
        texts = [comment.text] if comment.credit is None else [comment.text, comment.credit]
        yield FreeText(Thing(COMMENT, study, comment.id), tuple(texts), comment.author)
    for marks in note.marks.values():
        if marks.credit is not None:
            yield FreeText(Thing(CREDIT, study, marks.version), (marks.credit,), marks.author)
    if (asked := note.question) is not None:
        replies = (*(reply for _, reply in asked.answers), asked.otherwise)
        texts = [asked.text, *asked.hints, *(reply for reply in replies if reply is not None)]
        yield FreeText(Thing(QUESTION, study, asked.version), tuple(texts), asked.author)


def text_hashes(here: Container, thing: Thing) -> tuple[str, ...]:
    """Returns the hashes of the texts of a thing, whoever may see it; raises NotThere."""
    found = STORED[thing.about](here, thing) if thing.about in STORED else _in_study(here, thing)
    if not found:
        raise NotThere(NOUNS[thing.about], thing.id if thing.about in WHOLE else thing.number)
    return found


def _in_study(here: Container, thing: Thing) -> tuple[str, ...]:
    study = here.studies.load(thing.id).known
    texts = study_texts(study, ((chapter, chapter.notes) for chapter in study.chapters.values()))
    return next((found.hashes for found in texts if found.thing == thing), ())


def _title(here: Container, thing: Thing) -> tuple[str, ...]:
    return (here.tournaments.load(thing.id).known.title,)


def _reason(here: Container, thing: Thing) -> tuple[str, ...]:
    events = here.games.store.read(thing.id, thing.number - 1, 1) if thing.number else ()
    return tuple(str(event.data["reason"]) for event in events if event.data.get("reason"))


def _record(here: Container, thing: Thing) -> tuple[str, ...]:
    return ("",) if here.games.load(thing.id).known.imported else ()


def _engine(here: Container, thing: Thing) -> tuple[str, ...]:
    with here.stores.pool.connection() as connection:
        return ("",) if get_player(connection, thing.id).bot else ()


def _message(here: Container, thing: Thing) -> tuple[str, ...]:
    with here.stores.pool.connection() as connection:
        return () if get_message(connection, thing.id, thing.number).text is None else ("",)


STORED: Final[Mapping[str, Callable[[Container, Thing], tuple[str, ...]]]] = {
    TOURNAMENT: _title,
    REASON: _reason,
    RECORD: _record,
    ENGINE: _engine,
    MESSAGE: _message,
}
WITHOUT_HASH: Final = (RECORD, ENGINE, MESSAGE)  # texts that no event names
TEXTS: Final = (STUDY, CHAPTER, COMMENT, QUESTION, CREDIT, *STORED)  # what can be hidden
VISIBLE: Final[Mapping[str, Callable[[Container, UUID, str], Iterator[FreeText]]]] = {
    PLAYER: _player,
    GAME: _game,
    STUDY: _study,
    TOURNAMENT: _tournament,
}
