"""Copies the visible part of a study into another study; comments keep their authors."""

from collections.abc import Mapping
from typing import Final

from events.json_types import Json, JsonObject
from projections.studies.study import Chapter, LessonQuestion, Place, PlaceNotes, VariationMove, node_of
from service.studies.errors import LimitReached
from service.studies.unit_of_work import StudyUnitOfWork
from service.studies.visibility import View

MOST_EVENTS: Final = 5_000
ERASED: Final = "…"  # stands for an erased text where events require one


class ChapterCopier:
    """Copies chapters of one study into another."""

    def __init__(self, unit: StudyUnitOfWork, texts: Mapping[str, str]) -> None:
        self._unit = unit
        self._texts = texts
        self._places: dict[Place, Place] = {}

    def chapter(self, number: int, view: View) -> None:
        """Copies a chapter under a new number."""
        chapter = view.chapter
        self._places = {}
        self._write("chapter_added", _heading(number, chapter, self._text(chapter.title)), chapter.rules)
        for place, note in view.notes.items():
            if node_of(place) in (None, 0):
                self._note(number, chapter, place, note)
        for node in _in_order(chapter):
            self._node(number, chapter, node)
            self._note(number, chapter, f"v{node.id}", view.notes.get(f"v{node.id}", PlaceNotes()))

    def _write(self, kind: str, data: JsonObject, rules: str | None = None) -> int:
        if len(self._unit.events) >= MOST_EVENTS:
            raise LimitReached("edits that can be copied at once", MOST_EVENTS)
        return self._unit.write(kind, data) if rules is None else self._unit.write(kind, data, rules)

    def _text(self, hash: str) -> str:
        return self._unit.text(self._texts.get(hash, ERASED))

    def _reply(self, hash: str | None) -> str | None:
        return None if hash is None or hash not in self._texts else self._unit.text(self._texts[hash])

    def _at(self, chapter: Chapter, place: Place) -> JsonObject:
        node = node_of(place)
        if node is None:
            return {"seq": int(place), "hash": chapter.hashes[int(place)]}
        return {"node": node_of(self._places[place]) if node else 0}

    def _node(self, number: int, chapter: Chapter, node: VariationMove) -> None:
        data: dict[str, Json] = {"seat": node.seat, "move": node.move, "chance": node.chance, "by": node.author}
        if node.seed is not None:
            data["seed"] = node.seed
        at = self._at(chapter, node.parent)
        made = self._write("node_added", {"chapter": number, "at": at, **data, **node.deed})
        self._places[f"v{node.id}"] = f"v{made}"

    def _note(self, number: int, chapter: Chapter, place: Place, note: PlaceNotes) -> None:
        if note.empty:
            return
        where: dict[str, Json] = {"chapter": number, "at": self._at(chapter, place)}
        for comment in note.comments:
            if comment.text in self._texts:
                data: dict[str, Json] = {"comment": None, "text": self._text(comment.text), "eyes": comment.eyes}
                credit = self._reply(comment.credit)
                data |= {"by": comment.author} if credit is None else {"by": comment.author, "credit": credit}
                self._write("comment_written", {**where, **data})
        for marks in note.marks.values():
            given: dict[str, Json] = {"glyphs": list(marks.glyphs), "markers": list(marks.markers)}
            credit = self._reply(marks.credit)
            given |= {"by": marks.author} if credit is None else {"by": marks.author, "credit": credit}
            self._write("place_marked", {**where, **given})
        if note.question is not None:
            self._write("question_set", {**where, "question": self._question(note.question)})

    def _question(self, question: LessonQuestion) -> JsonObject:
        answers: list[Json] = [{"move": move, "reply": self._reply(reply)} for move, reply in question.answers]
        return {
            "text": self._text(question.text),
            "answers": answers,
            "hints": [self._text(hint) for hint in question.hints],
            "otherwise": self._reply(question.otherwise),
        }


def _heading(number: int, chapter: Chapter, title: str) -> JsonObject:
    of = chapter.of
    return {
        "chapter": number,
        "title": title,
        "game": chapter.game,
        "of": None if of is None else {"stream": str(of.stream), "seq": of.seq, "hash": of.hash},
        "position": chapter.position,
        "eyes": chapter.eyes,
        "lesson": chapter.lesson,
    }


def _in_order(chapter: Chapter) -> list[VariationMove]:
    """Returns all nodes, parents before children and siblings by rank."""
    roots = [place for place in chapter.branches if node_of(place) in (None, 0)]
    waiting = [node for place in reversed(roots) for node in reversed(chapter.branches[place])]
    found = []
    while waiting:
        node = waiting.pop()
        found.append(chapter.nodes[node])
        waiting += reversed(chapter.branches.get(f"v{node}", ()))
    return found
