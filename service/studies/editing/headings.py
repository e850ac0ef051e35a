"""Edits of what stands above: title, visibility, members, chapters."""

from typing import Final
from uuid import UUID

from events.json_types import Json, JsonObject
from projections.rules.registry import GAMES
from projections.studies.study import OWNER, hashes_of
from service.core.errors import NotThere
from service.studies.editing.context import Desk, Edit, Made, check_role
from service.studies.errors import EditConflict, LimitReached, StudyRefused

MOST_CHAPTERS: Final = 64
MOST_MEMBERS: Final = 100


def settle(desk: Desk, edit: Edit) -> Made:
    """Give the study another title or visibility."""
    study = desk.pen.study
    if desk.missed(study.settled):
        current = {"title": desk.texts([study.title]).get(study.title), "visibility": study.visibility}
        raise EditConflict("study", study.settled, current)
    changed: dict[str, Json] = {}
    if "title" in edit:
        desk.pen.erase(study.title)
        changed["title"] = desk.pen.text(edit["title"])
    if "visibility" in edit:
        changed["visibility"] = edit["visibility"]
    desk.pen.write("study_changed", changed)
    return {}


def delete(desk: Desk) -> None:
    """Delete the study as it was seen, and every text in it; its events stay."""
    study = desk.pen.study
    check_role(desk, OWNER, {"do": "delete"})
    if desk.missed(study.version):
        raise EditConflict("study", study.version, {})
    desk.pen.write("study_deleted", {})
    desk.pen.erase_all()


def member(desk: Desk, edit: Edit) -> Made:
    """Give somebody a role, another one, or none."""
    study, player = desk.pen.study, desk.player(edit["player"])
    if len(study.members) >= MOST_MEMBERS and player not in study.members:
        raise LimitReached("members", MOST_MEMBERS)
    if study.owners == [player] and edit["role"] != OWNER:
        raise StudyRefused("last_owner", "a study has at least one owner")
    desk.pen.write("member_changed", {"player": player, "role": edit["role"]})
    return {"player": player}


def add_chapter(desk: Desk, edit: Edit) -> Made:
    """Add a game, or the analysis of a position."""
    study = desk.pen.study
    if len(study.chapters) >= MOST_CHAPTERS:
        raise LimitReached("chapters", MOST_CHAPTERS)
    game, rules, of, position = _subject(desk, edit)
    number = study.last_chapter + 1
    data: JsonObject = {
        "chapter": number,
        "title": desk.pen.text(edit["title"]),
        "game": game,
        "of": of,
        "position": position,
        "eyes": edit.get("eyes"),
        "lesson": edit.get("lesson", False),
    }
    desk.pen.write("chapter_added", data, rules)
    desk.ground({"chapter": number}).need_seat(edit.get("eyes"))
    return {"chapter": number}


def _subject(desk: Desk, edit: Edit) -> tuple[str, str, JsonObject | None, JsonObject | None]:
    """Game, rules, the game's head or the position of a new chapter."""
    if "of" in edit:
        sight = desk.grounds.sight(UUID(str(edit["of"])))
        newest: JsonObject = {"stream": str(sight.table.id), "seq": sight.version, "hash": sight.table.head.hash.hex()}
        return sight.record.game, sight.record.rules, newest, None
    rules = GAMES[edit["game"]]
    given = {name: value for name, value in edit["position"].items() if name != "version"}
    return rules.name, rules.rules, None, rules.document(rules.restore(given))


def change_chapter(desk: Desk, edit: Edit) -> Made:
    """Give a chapter another title, place, viewpoint, or make it a lesson."""
    chapter = desk.chapter(edit)
    changed = {name: edit[name] for name in ("eyes", "lesson", "before") if name in edit}
    if desk.missed(chapter.version) and changed.keys() | edit.keys() & {"title"} != {"before"}:
        current = {"title": desk.texts([chapter.title]).get(chapter.title), "eyes": chapter.eyes}
        raise EditConflict("chapter", chapter.version, {**current, "lesson": chapter.lesson})
    if edit.get("before") is not None and edit["before"] not in desk.pen.study.chapters:
        raise NotThere("chapter", edit["before"])
    if "eyes" in edit:
        desk.ground(edit).need_seat(edit["eyes"])
    if "title" in edit:
        desk.pen.erase(chapter.title)
        changed["title"] = desk.pen.text(edit["title"])
    desk.pen.write("chapter_changed", {"chapter": chapter.id, **changed})
    return {}


def delete_chapter(desk: Desk, edit: Edit) -> Made:
    """Delete a chapter nobody has written to meanwhile, and the texts in it."""
    chapter = desk.chapter(edit)
    if desk.missed(chapter.newest):
        raise EditConflict("chapter", chapter.newest, {"chapter": chapter.id})
    desk.pen.write("chapter_deleted", {"chapter": chapter.id})
    desk.pen.erase(chapter.title, *(text for note in chapter.notes.values() for text in hashes_of(note)))
    return {}
