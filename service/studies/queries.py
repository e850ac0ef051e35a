"""Queries of studies: a study, its chapters and the names of seats, as a reader may see them."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from events.json_types import JsonObject
from events.messages import Message
from projections.studies.study import Chapter, Study
from service.container import Container
from service.core.errors import NotThere
from service.games.house_bots import called
from service.games.visibility import Visibility
from service.i18n import messages
from service.players.queries import names_of
from service.studies import documents, visibility
from service.studies.chapter_game import ChapterGames
from service.studies.visibility import View
from service.tournaments.at_table import at_table

Answer = JsonObject
MOST_SEATS: Final = 5


class StudyReader(NamedTuple):
    """A study as one reader may see it, with its texts and the names of its authors."""

    study: Study
    reader: str | None
    views: list[View]
    texts: Mapping[str, str]
    names: Mapping[str, str]

    def heading(self) -> Answer:
        """Returns the study without the contents of its chapters."""
        return documents.heading(self.study, self.reader, self.views, self.texts, self.names)

    def chapter(self, number: int, language: str) -> Answer:
        """Returns one chapter with labels in a language."""
        view = next(view for view in self.views if view.chapter.id == number)
        return documents.chapter(self.study, view, self.texts, self.names, language)


def chapter_games_for(here: Container, reader: str | None) -> ChapterGames:
    """Returns the games under the chapters, as the reader may see them."""
    return ChapterGames(here.games, here.deals, reader)


def see(here: Container, id: UUID, reader: str | None) -> Study:
    """Returns a study that the reader may see; raises NotThere or StudyDeleted."""
    return visibility.see(here.studies.load(id).known, reader)


def read(
    here: Container,
    id: UUID,
    reader: str | None,
    notice: str | None,
    chapters: Sequence[int] | None = None,
    tickets: Collection[str] = (),
) -> StudyReader:
    """Returns a study with the texts of some chapters (None: of all); raises NotThere or StudyDeleted.

    The notice stands in place of hidden texts; without one they are missing.
    """
    study = see(here, id, reader)
    chapter_games = chapter_games_for(here, reader)
    views = [
        visibility.view(visibility.opened(study, it, reader, tickets), chapter_games) for it in study.chapters.values()
    ]
    opened = [view for view in views if chapters is None or view.chapter.id in chapters]
    hashes = {study.title, *(view.chapter.title for view in views), *_all(visibility.texts_of, opened)}
    people = {*study.members, *_all(visibility.people_of, opened)}
    with here.stores.pool.connection() as connection:
        names = names_of(connection, people)
    return StudyReader(study, reader, views, here.studies.texts(id, hashes, notice), names)


def chapter(study: Study, number: int) -> Chapter:
    """Returns a chapter of a study; raises NotThere."""
    if number not in study.chapters:
        raise NotThere("chapter", number)
    return study.chapters[number]


def view(here: Container, id: UUID, number: int, reader: str | None, tickets: Collection[str]) -> View:
    """Returns a chapter as a reader with these tickets may see it; raises NotThere or StudyDeleted."""
    study = see(here, id, reader)
    found = visibility.view(
        visibility.opened(study, chapter(study, number), reader, tickets), chapter_games_for(here, reader)
    )
    if found.chapter_game is None:
        raise NotThere("chapter", number)
    return found


def seats(here: Container, view: View, language: str) -> list[str]:
    """Returns the names of the seats of a chapter."""
    chapter_game = view.chapter_game
    return (
        _unnamed(language)
        if chapter_game is None or chapter_game.visible is None
        else chairs(here, chapter_game.visible, language)
    )


def chairs(here: Container, seen: Visibility, language: str) -> list[str]:
    """Returns the names of the seats of a game."""
    chairs, unnamed = seen.record.seats, _unnamed(language)
    with here.stores.pool.connection() as connection:
        names = names_of(connection, [chair.player for chair in chairs if chair.player is not None])
    found = at_table(here.tournaments, seen.record.tournament, seen.table.id)
    numbers = [chair + 1 for chair in seen.record.order] if found is None else found.entrants
    bots = {
        seat: called(chair.bot, number, language)
        for seat, (chair, number) in enumerate(zip(chairs, numbers, strict=True))
        if chair.bot
    }
    return [names.get(chair.player or "") or bots.get(seat, unnamed[seat]) for seat, chair in enumerate(chairs)]


def _unnamed(language: str) -> list[str]:
    return [messages.translate(Message("seat {seat}", seat=seat + 1), language) for seat in range(MOST_SEATS)]


def _all(read: Callable[[View], Iterable[str]], views: Iterable[View]) -> set[str]:
    return {found for view in views for found in read(view)}
