"""What every edit of a study needs: the unit of work, the games under the chapters, the version the author saw."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from projections.studies.study import OWNER, WRITER, Chapter
from service.core.errors import NotAllowed, NotThere
from service.studies.chapter_game import Ground, Grounds
from service.studies.unit_of_work import StudyUnitOfWork

Edit = Mapping[str, Any]
Made = dict[str, Any]


class EditContext(NamedTuple):
    """Everything an edit needs besides itself."""

    unit: StudyUnitOfWork
    grounds: Grounds
    saw: int  # the version that the author saw
    texts: Callable[[Any], Mapping[str, str]]  # of the study, by hash
    player: Callable[[str], str]  # the id of a player by id or name; refuses with NotThere

    def chapter(self, edit: Edit) -> Chapter:
        """The chapter an edit is about; refuses with NotThere."""
        found = self.unit.study.chapters.get(edit["chapter"])
        if found is None:
            raise NotThere("chapter", edit["chapter"])
        return found

    def ground(self, edit: Edit) -> Ground:
        """The ground under the chapter."""
        return self.grounds.of(self.chapter(edit))

    def missed(self, version: int) -> bool:
        """Whether somebody else made this version, and the author of the edit has not seen it."""
        before = self.unit.before.record
        return before is not None and self.saw < version <= before.version


def check_role(context: EditContext, needed: str, edit: Edit) -> None:
    """Refuse with NotAllowed who may only read, or is not an owner; everybody may leave."""
    role = context.unit.study.role(context.unit.actor)
    leaves = edit["do"] == "member" and edit["role"] is None and edit["player"] == context.unit.actor
    if role == OWNER or (role == WRITER and needed == WRITER) or (role is not None and leaves):
        return
    raise NotAllowed(f"not_{needed}", "this takes the role {needed} in the study", needed=needed)
