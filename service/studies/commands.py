"""The studies of a service as its routes use them: read for somebody, edited by somebody, copied, asked."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from uuid import UUID

from events.event import new_stream
from events.messages import Message
from events.store.protocol import IdempotencyKey
from projections.studies.script import StudyScript
from projections.studies.study import Chapter, Study
from service.container import Container
from service.core.errors import NotThere
from service.games.house_bots import called
from service.games.visibility import Visibility
from service.i18n import messages
from service.players import accounts
from service.studies import documents
from service.studies import visibility as sight
from service.studies.chapter_game import Grounds
from service.studies.copies.clone import ERASED, ChapterCopier
from service.studies.copies.import_script import ScriptImporter, checked
from service.studies.editing import headings, table
from service.studies.editing.context import Desk, Edit
from service.studies.repository import Studies
from service.studies.unit_of_work import Pen
from service.studies.visibility import View
from service.tournaments.at_table import at_table

Answer = dict[str, Any]
MOST_SEATS: Final = 5


class StudyReader(NamedTuple):
    """A study in the hands of one reader, with the words that what is read takes."""

    study: Study
    reader: str | None
    views: list[View]
    texts: Mapping[str, str]
    names: Mapping[str, str]

    def heading(self) -> Answer:
        """The study without what its chapters hold."""
        return documents.heading(self.study, self.reader, self.views, self.texts, self.names)

    def chapter(self, number: int, language: str) -> Answer:
        """One chapter, in the words of its reader."""
        view = next(view for view in self.views if view.chapter.id == number)
        return documents.chapter(self.study, view, self.texts, self.names, language)


class CloneWish(NamedTuple):
    """What somebody wants to have copied, and how the copy shall be."""

    title: str | None  # None: as it was
    visibility: str
    chapters: Sequence[int] | None  # None: all of them
    tickets: Sequence[str]

    def takes(self, chapter: int) -> bool:
        """Whether a chapter shall be in the copy."""
        return self.chapters is None or chapter in self.chapters


class Library:
    """What can be done with studies in one world."""

    def __init__(self, container: Container) -> None:
        self._container = container

    @property
    def studies(self) -> Studies:
        """The shelf they stand on."""
        return self._container.studies

    def grounds(self, reader: str | None) -> Grounds:
        """The games under the chapters, as the reader may see them."""
        return Grounds(self._container.clerk, self._container.shelf, self._container.deals, reader)

    def see(self, id: UUID, reader: str | None) -> Study:
        """A study that the reader may know of; refuses with NotThere."""
        return sight.see(self.studies.take(id), reader)

    def read(
        self, id: UUID, reader: str | None, chapters: Sequence[int] | None = None, tickets: Collection[str] = ()
    ) -> StudyReader:
        """A study for a reader, with all of some chapters (None: of all of them); refuses with NotThere."""
        study = self.see(id, reader)
        grounds = self.grounds(reader)
        views = [sight.view(sight.opened(study, it, reader, tickets), grounds) for it in study.chapters.values()]
        opened = [view for view in views if chapters is None or view.chapter.id in chapters]
        hashes = {study.title, *(view.chapter.title for view in views), *_all(sight.texts_of, opened)}
        people = {*study.members, *_all(sight.people_of, opened)}
        with self._container.stores.pool.connection() as connection:
            names = accounts.names_of(connection, people)
        return StudyReader(study, reader, views, self.studies.texts(id, hashes), names)

    def chapter(self, study: Study, number: int) -> Chapter:
        """A chapter of a study; refuses with NotThere."""
        if number not in study.chapters:
            raise NotThere("chapter", number)
        return study.chapters[number]

    def view(self, id: UUID, number: int, reader: str | None, tickets: Collection[str]) -> View:
        """One chapter as a reader who shows some tickets may read it; refuses with NotThere."""
        study = self.see(id, reader)
        found = sight.view(sight.opened(study, self.chapter(study, number), reader, tickets), self.grounds(reader))
        if found.ground is None:
            raise NotThere("chapter", number)
        return found

    def seats(self, view: View, language: str) -> list[str]:
        """What the seats of a chapter are called."""
        ground = view.ground
        return _unnamed(language) if ground is None or ground.sight is None else self.chairs(ground.sight, language)

    def chairs(self, seen: Visibility, language: str) -> list[str]:
        """What the seats of a game are called."""
        chairs, unnamed = seen.record.seats, _unnamed(language)
        with self._container.stores.pool.connection() as connection:
            names = accounts.names_of(connection, [chair.player for chair in chairs if chair.player is not None])
        found = at_table(self._container.desk, seen.record.tournament, seen.table.id)
        numbers = range(len(chairs)) if found is None else found.entrants
        bots = {
            seat: called(chair.bot, number, language)
            for seat, (chair, number) in enumerate(zip(chairs, numbers, strict=True))
            if chair.bot
        }
        return [names.get(chair.player or "") or bots.get(seat, unnamed[seat]) for seat, chair in enumerate(chairs)]

    def create(
        self, author: str, title: str, visibility: str, key: IdempotencyKey | None, first: Sequence[Edit]
    ) -> Answer:
        """A new study, perhaps with its first chapters."""

        def begin(pen: Pen) -> list[Answer]:
            data = {"title": pen.text(title), "visibility": visibility, "cloned_from": None}
            pen.write("study_created", data)
            desk = self._desk(pen, author, 0)
            return [table.apply(desk, edit) for edit in first]

        return self.begin(author, begin, key)

    def begin(self, author: str, decide: Callable[[Pen], list[Answer]], key: IdempotencyKey | None) -> Answer:
        """A study that comes into being with whatever is written."""
        before = self.studies.answered(key)
        if before is not None:
            return dict(json.loads(before))
        made: list[Answer] = []

        def write(pen: Pen) -> None:
            made[:] = decide(pen)

        appended = self.studies.open(
            new_stream(self._container.now()), author, write, key, lambda pen: _told(pen, made)
        )
        return self._announced(appended.answer)

    def clone(self, id: UUID, author: str, wish: CloneWish, key: IdempotencyKey | None) -> Answer:
        """A study of one's own with what the author may read of another; refuses with QuestionsOpen half a lesson."""
        read = self.read(id, author, wish.chapters, wish.tickets)
        for number in wish.chapters or ():
            self.chapter(read.study, number)
        told = wish.title or read.texts.get(read.study.title, ERASED)
        seen = [view for view in read.views if view.ground is not None and wish.takes(view.chapter.id)]
        for view in seen:
            sight.need_answered(view)

        def begin(pen: Pen) -> list[Answer]:
            pen.write("study_created", {"title": pen.text(told), "visibility": wish.visibility, "cloned_from": str(id)})
            copy = ChapterCopier(pen, read.texts)
            for number, view in enumerate(seen, start=1):
                copy.chapter(number, view)
            return [{"chapter": number} for number, _ in enumerate(seen, start=1)]

        return self.begin(author, begin, key)

    def bring_in(self, script: StudyScript, author: str, visibility: str, key: IdempotencyKey | None) -> Answer:
        """A study out of a script."""
        with self._container.stores.pool.connection() as connection:
            own = accounts.names_of(connection, [author]).get(author)

        def begin(pen: Pen) -> list[Answer]:
            title = {"title": pen.text(checked(script.title)), "visibility": visibility, "cloned_from": None}
            pen.write("study_created", title)
            scribe = ScriptImporter(self._desk(pen, author, 0), own)
            return [{"chapter": scribe.part(part)} for part in script.parts]

        return self.begin(author, begin, key)

    def edit(self, id: UUID, author: str, wishes: Sequence[Edit], saw: int, key: IdempotencyKey | None) -> Answer:
        """Edits of a study, all or none; what they made."""
        return self._change(id, author, key, saw, lambda desk: [table.apply(desk, edit) for edit in wishes])

    def delete(self, id: UUID, author: str, saw: int, key: IdempotencyKey | None) -> Answer:
        """Delete a study with all its texts; nobody reads it any more."""

        def decide(desk: Desk) -> list[Answer]:
            headings.delete(desk)
            return []

        return self._change(id, author, key, saw, decide)

    def _change(
        self, id: UUID, author: str, key: IdempotencyKey | None, saw: int, decide: Callable[[Desk], list[Answer]]
    ) -> Answer:
        """Let something be decided about a study that its author may know of."""
        before = self.studies.answered(key)
        if before is not None:
            return dict(json.loads(before))
        made: list[Answer] = []

        def write(pen: Pen) -> None:
            sight.see(pen.study, author)
            made[:] = decide(self._desk(pen, author, saw))

        appended = self.studies.edit(id, author, write, key, lambda pen: _told(pen, made))
        return self._announced(appended.answer)

    def _desk(self, pen: Pen, author: str, saw: int) -> Desk:
        def texts(hashes: Iterable[str]) -> Mapping[str, str]:
            return self.studies.texts(pen.id, hashes)

        return Desk(pen, self.grounds(author), saw, texts, self._player)

    def _player(self, named: str) -> str:
        """The id of a player by id or name; refuses with NotThere."""
        with self._container.stores.pool.connection() as connection:
            if accounts.names_of(connection, [named]):
                return named
            found = accounts.id_by_name(connection, named)
        if found is None:
            raise NotThere("player", named)
        return found

    def _announced(self, answer: bytes) -> Answer:
        told: Answer = json.loads(answer)
        self._container.announcer.ring(UUID(told["study"]), told["version"])
        return told


def _unnamed(language: str) -> list[str]:
    return [messages.translate(Message("seat {seat}", seat=seat), language) for seat in range(MOST_SEATS)]


def _told(pen: Pen, made: list[Answer]) -> bytes:
    answer = {"study": str(pen.id), "version": pen.study.version, "head": pen.study.head.hex(), "made": made}
    return json.dumps(answer).encode()


def _all(read: Callable[[View], Iterable[str]], views: Iterable[View]) -> set[str]:
    return {found for view in views for found in read(view)}
