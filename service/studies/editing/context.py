"""The context of an edit: the unit of work, the games under the chapters, the version that the author saw."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from events.json_types import JsonObject
from projections.studies.study import OWNER, WRITER, Chapter
from service.core.errors import NotAllowed, NotThere
from service.studies.chapter_game import ChapterGame, ChapterGames
from service.studies.unit_of_work import StudyUnitOfWork

Edit = Mapping[str, Any]
Made = JsonObject


class EditContext(NamedTuple):
    """The dependencies of an edit."""

    unit: StudyUnitOfWork
    chapter_games: ChapterGames
    saw: int  # the version that the author saw
    texts: Callable[[Any], Mapping[str, str]]  # returns texts of the study by hash
    player: Callable[[str], str]  # returns the id of a player given by id or name; raises NotThere

    def chapter(self, edit: Edit) -> Chapter:
        """Returns the chapter of an edit; raises NotThere."""
        found = self.unit.study.chapters.get(edit["chapter"])
        if found is None:
            raise NotThere("chapter", edit["chapter"])
        return found

    def chapter_game(self, edit: Edit) -> ChapterGame:
        """Returns the game under the chapter of an edit."""
        return self.chapter_games.of(self.chapter(edit))

    def missed(self, version: int) -> bool:
        """Returns whether another edit made this version after the one that the author saw."""
        before = self.unit.before.record
        return before is not None and self.saw < version <= before.version


def check_role(context: EditContext, needed: str, edit: Edit) -> None:
    """Raises NotAllowed when the author's role does not allow the edit; every member may leave."""
    role = context.unit.study.role(context.unit.actor)
    leaves = edit["do"] == "member" and edit["role"] is None and edit["player"] == context.unit.actor
    if role == OWNER or (role == WRITER and needed == WRITER) or (role is not None and leaves):
        return
    raise NotAllowed(f"not_{needed}", "the role {needed} in the study is required", needed=needed)
