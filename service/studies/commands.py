"""Commands of studies: frozen values, and a function that executes each; `COMMANDS` lists them.

Routes and pages call these functions. Each raises the refusals of its edits.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from events.event import new_stream
from projections.studies.script import StudyScript, from_json
from projections.studies.text_parser import from_text
from service.container import Container
from service.core.command_handler import Answer, CommandOutcome, Request
from service.core.errors import NotThere
from service.i18n.messages import hidden_notice
from service.players.queries import id_by_name, names_of
from service.studies import visibility
from service.studies.copies.clone import ERASED, ChapterCopier
from service.studies.copies.import_script import ScriptImporter, checked
from service.studies.editing import edit_table, headings
from service.studies.editing.context import Edit, EditContext
from service.studies.queries import chapter, chapter_games_for, read
from service.studies.unit_of_work import StudyState, StudyUnitOfWork

StudyOutcome = CommandOutcome[StudyState]


class CreateStudy(NamedTuple):
    """Creates a study, optionally with its first chapters."""

    title: str
    visibility: str
    first: Sequence[Edit] = ()


class EditStudy(NamedTuple):
    """Applies all edits or none."""

    study: UUID
    edits: Sequence[Edit]
    saw: int  # the version that the author saw


class DeleteStudy(NamedTuple):
    """Deletes a study with all its texts."""

    study: UUID
    saw: int


class CloneStudy(NamedTuple):
    """Copies the visible part of a study into a new study."""

    study: UUID
    title: str | None  # None: the title of the original
    visibility: str
    chapters: Sequence[int] | None  # None: all chapters
    tickets: Sequence[str]

    def takes(self, number: int) -> bool:
        """Returns whether the command copies a chapter."""
        return self.chapters is None or number in self.chapters


class ImportScript(NamedTuple):
    """Creates a study from an exported script."""

    script: StudyScript
    visibility: str


def create_command(body: Mapping[str, Any]) -> CreateStudy:
    """Returns the command for a loaded body of `NewStudy`: a chapter for each game."""
    first = [{"do": "add_chapter", "of": game, "title": body["title"]} for game in body["games"]]
    return CreateStudy(body["title"], body["visibility"], first)


def import_command(body: Mapping[str, Any]) -> ImportScript:
    """Returns the command for a loaded body of `NewScript`; parses its text or its JSON."""
    script = from_text(body["text"]) if body["text"] is not None else from_json(body["script"])
    return ImportScript(script, body["visibility"])


def create_study(here: Container, command: CreateStudy, request: Request) -> StudyOutcome:
    """Creates a study; answers its version and the numbers of its chapters."""

    def decide(unit: StudyUnitOfWork) -> Answer:
        _write_created(unit, command.title, command.visibility)
        context = _edit_context(here, unit, 0, request)
        return _edited(unit, [edit_table.apply(context, edit) for edit in command.first])

    return here.study_commands.create(new_stream(here.now()), request, decide)


def edit_study(here: Container, command: EditStudy, request: Request) -> StudyOutcome:
    """Applies edits; answers the version and the result of each edit."""

    def decide(unit: StudyUnitOfWork) -> Answer:
        context = _edit_context(here, unit, command.saw, request)
        return _edited(unit, [edit_table.apply(context, edit) for edit in command.edits])

    return here.study_commands.execute(command.study, request, decide, partial(_check_visible, reader=request.actor))


def delete_study(here: Container, command: DeleteStudy, request: Request) -> StudyOutcome:
    """Deletes a study; erases its texts and keeps its events."""

    def decide(unit: StudyUnitOfWork) -> Answer:
        headings.delete(_edit_context(here, unit, command.saw, request))
        return _edited(unit, [])

    return here.study_commands.execute(command.study, request, decide, partial(_check_visible, reader=request.actor))


def clone_study(here: Container, command: CloneStudy, request: Request) -> StudyOutcome:
    """Copies a study; raises QuestionsOpen for a lesson that the author has not answered."""
    return here.study_commands.once(request, partial(_clone, here, command, request))


def _clone(here: Container, command: CloneStudy, request: Request) -> StudyOutcome:
    original = read(here, command.study, request.actor, None, command.chapters, command.tickets)
    for number in command.chapters or ():
        chapter(original.study, number)
    title = command.title or original.texts.get(original.study.title, ERASED)
    seen = [view for view in original.views if view.chapter_game is not None and command.takes(view.chapter.id)]
    for view in seen:
        visibility.need_answered(view)

    def decide(unit: StudyUnitOfWork) -> Answer:
        _write_created(unit, title, command.visibility, cloned_from=str(command.study))
        copier = ChapterCopier(unit, original.texts)
        for number, view in enumerate(seen, start=1):
            copier.chapter(number, view)
        return _edited(unit, [{"chapter": number} for number, _ in enumerate(seen, start=1)])

    return here.study_commands.create(new_stream(here.now()), request, decide)


def import_script(here: Container, command: ImportScript, request: Request) -> StudyOutcome:
    """Creates a study from a script: compares its hashes and replays its moves by the rules."""
    with here.stores.pool.connection() as connection:
        own_name = names_of(connection, [request.actor]).get(request.actor)

    def decide(unit: StudyUnitOfWork) -> Answer:
        _write_created(unit, checked(command.script.title), command.visibility)
        importer = ScriptImporter(_edit_context(here, unit, 0, request), own_name)
        return _edited(unit, [{"chapter": importer.part(part)} for part in command.script.parts])

    return here.study_commands.create(new_stream(here.now()), request, decide)


COMMANDS: Final[Mapping[type, Callable[[Container, Any, Request], StudyOutcome]]] = {
    CreateStudy: create_study,
    EditStudy: edit_study,
    DeleteStudy: delete_study,
    CloneStudy: clone_study,
    ImportScript: import_script,
}


def _write_created(unit: StudyUnitOfWork, title: str, visibility: str, cloned_from: str | None = None) -> None:
    unit.write("study_created", {"title": unit.text(title), "visibility": visibility, "cloned_from": cloned_from})


def _edited(unit: StudyUnitOfWork, made: Sequence[Answer]) -> Answer:
    """Returns the version of a study and the results of the edits."""
    head = unit.now.head
    return {"study": str(unit.id), "version": head.seq, "head": head.hash.hex(), "made": made}


def _check_visible(state: StudyState, reader: str) -> None:
    """Raises NotThere for a study that is hidden from the reader, StudyDeleted for a deleted one."""
    visibility.see(state.known, reader)


def _edit_context(here: Container, unit: StudyUnitOfWork, saw: int, request: Request) -> EditContext:
    def texts(hashes: Iterable[str]) -> Mapping[str, str]:
        return here.studies.texts(unit.id, hashes, hidden_notice(request.language))

    return EditContext(unit, chapter_games_for(here, unit.actor), saw, texts, partial(_player_id, here))


def _player_id(here: Container, named: str) -> str:
    """Returns the id of a player given by id or name; raises NotThere."""
    with here.stores.pool.connection() as connection:
        if names_of(connection, [named]):
            return named
        found = id_by_name(connection, named)
    if found is None:
        raise NotThere("player", named)
    return found
