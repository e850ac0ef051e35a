"""Edits of the title, visibility, members and chapters of a study."""

from typing import Final
from uuid import UUID

from events.json_types import Json, JsonObject
from projections.rules.registry import GAMES
from projections.studies.study import OWNER, hashes_of
from service.core.errors import NotThere
from service.studies.editing.context import Edit, EditContext, Made, check_role
from service.studies.errors import EditConflict, LimitReached, StudyRefused

MOST_CHAPTERS: Final = 64
MOST_MEMBERS: Final = 100


def settle(context: EditContext, edit: Edit) -> Made:
    """Changes the title or visibility of a study."""
    study = context.unit.study
    if context.missed(study.settled):
        current = {"title": context.texts([study.title]).get(study.title), "visibility": study.visibility}
        raise EditConflict("study", study.settled, current)
    changed: dict[str, Json] = {}
    if "title" in edit:
        context.unit.erase(study.title)
        changed["title"] = context.unit.text(edit["title"])
    if "visibility" in edit:
        changed["visibility"] = edit["visibility"]
    context.unit.write("study_changed", changed)
    return {}


def delete(context: EditContext) -> None:
    """Deletes the study in the version that the author saw, and erases its texts; keeps its events."""
    study = context.unit.study
    check_role(context, OWNER, {"do": "delete"})
    if context.missed(study.version):
        raise EditConflict("study", study.version, {})
    context.unit.write("study_deleted", {})
    context.unit.erase_all()


def member(context: EditContext, edit: Edit) -> Made:
    """Adds a member, changes a member's role, or removes a member."""
    study, player = context.unit.study, context.player(edit["player"])
    if len(study.members) >= MOST_MEMBERS and player not in study.members:
        raise LimitReached("members", MOST_MEMBERS)
    if study.owners == [player] and edit["role"] != OWNER:
        raise StudyRefused("last_owner", "a study needs at least one owner")
    context.unit.write("member_changed", {"player": player, "role": edit["role"]})
    return {"player": player}


def add_chapter(context: EditContext, edit: Edit) -> Made:
    """Adds a chapter: a game, or the analysis of a position."""
    return {"chapter": new_chapter(context, edit)}


def new_chapter(context: EditContext, edit: Edit) -> int:
    """Adds a chapter; returns its number."""
    study = context.unit.study
    if len(study.chapters) >= MOST_CHAPTERS:
        raise LimitReached("chapters", MOST_CHAPTERS)
    game, rules, of, position = _subject(context, edit)
    number = study.last_chapter + 1
    data: JsonObject = {
        "chapter": number,
        "title": context.unit.text(edit["title"]),
        "game": game,
        "of": of,
        "position": position,
        "eyes": edit.get("eyes"),
        "lesson": edit.get("lesson", False),
    }
    context.unit.write("chapter_added", data, rules)
    context.chapter_game({"chapter": number}).need_seat(edit.get("eyes"))
    return number


def _subject(context: EditContext, edit: Edit) -> tuple[str, str, JsonObject | None, JsonObject | None]:
    """Returns the game, its rules, and the game's head or the position of a new chapter."""
    if "of" in edit:
        visible = context.chapter_games.visible_game(UUID(str(edit["of"])))
        newest: JsonObject = {
            "stream": str(visible.table.id),
            "seq": visible.version,
            "hash": visible.table.head.hash.hex(),
        }
        return visible.record.game, visible.record.rules, newest, None
    rules = GAMES[edit["game"]]
    given = {name: value for name, value in edit["position"].items() if name != "version"}
    return rules.name, rules.rules, None, rules.document(rules.restore(given))


def change_chapter(context: EditContext, edit: Edit) -> Made:
    """Changes the title, order, viewpoint or lesson mode of a chapter."""
    chapter = context.chapter(edit)
    changed = {name: edit[name] for name in ("eyes", "lesson", "before") if name in edit}
    if context.missed(chapter.version) and changed.keys() | edit.keys() & {"title"} != {"before"}:
        current = {"title": context.texts([chapter.title]).get(chapter.title), "eyes": chapter.eyes}
        raise EditConflict("chapter", chapter.version, {**current, "lesson": chapter.lesson})
    if edit.get("before") is not None and edit["before"] not in context.unit.study.chapters:
        raise NotThere("chapter", edit["before"])
    if "eyes" in edit:
        context.chapter_game(edit).need_seat(edit["eyes"])
    if "title" in edit:
        context.unit.erase(chapter.title)
        changed["title"] = context.unit.text(edit["title"])
    context.unit.write("chapter_changed", {"chapter": chapter.id, **changed})
    return {}


def delete_chapter(context: EditContext, edit: Edit) -> Made:
    """Deletes a chapter and erases its texts; raises EditConflict when it has changed since."""
    chapter = context.chapter(edit)
    if context.missed(chapter.newest):
        raise EditConflict("chapter", chapter.newest, {"chapter": chapter.id})
    context.unit.write("chapter_deleted", {"chapter": chapter.id})
    context.unit.erase(chapter.title, *(text for note in chapter.notes.values() for text in hashes_of(note)))
    return {}
