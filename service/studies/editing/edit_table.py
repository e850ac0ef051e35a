"""The table of edits: a row for each kind."""

from collections.abc import Callable, Mapping
from typing import Final

from projections.studies.study import OWNER, WRITER
from service.studies.editing import headings, notes, variations
from service.studies.editing.context import Edit, EditContext, Made, check_role
from service.studies.errors import LimitReached

MOST_EVENTS: Final = 20_000


def apply(context: EditContext, edit: Edit) -> Made:
    """Applies an edit; returns its result by name."""
    if context.unit.study.version >= MOST_EVENTS:
        raise LimitReached("edits in this study", MOST_EVENTS)
    check_role(context, WRITER if edit["do"] in WRITERS else OWNER, edit)
    return EDITS[edit["do"]](context, edit)


EDITS: Final[Mapping[str, Callable[[EditContext, Edit], Made]]] = {
    "settle": headings.settle,
    "member": headings.member,
    "add_chapter": headings.add_chapter,
    "change_chapter": headings.change_chapter,
    "delete_chapter": headings.delete_chapter,
    "play": variations.play,
    "rank": variations.rank,
    "delete_node": variations.delete_node,
    "comment": notes.comment,
    "delete_comment": notes.delete_comment,
    "mark": notes.mark,
    "ask": notes.ask,
}
WRITERS: Final = EDITS.keys() - {"settle", "member"}
