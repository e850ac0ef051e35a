"""Parses the text of a study, with either kind of line ends; errors name the line."""

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from projections.studies.errors import UnreadableStudy
from projections.studies.glyphs import NUMBERS
from projections.studies.script import (
    Annotations,
    Branch,
    Marking,
    ScriptChapter,
    ScriptComment,
    ScriptStep,
    StudyScript,
    Task,
    canonical,
)
from projections.studies.study import START, Eyes
from projections.studies.text_writer import MARGIN, SAID

MOST_LINES: Final = 50_000
LONGEST_LINE: Final = 60_000
DEEPEST: Final = 60
MOVE: Final = r"(?P<seat>[0-9]): (?P<move>[a-z0-9][^\[\]()#;]*?)(?: \[(?P<drew>[^\]]*)\])?"
STEP: Final = re.compile(
    rf"(?P<seq>[1-9][0-9]{{0,9}})\.(?: {MOVE}| \[(?P<dealt>[^\]]*)\])?(?: #(?P<hash>[0-9a-f]{{12,64}}))?"
)
BRANCH: Final = re.compile(rf"{MOVE}(?: \((?P<chance>same|declared|random)(?: (?P<seed>[0-9a-f]{{32}}))?\))?")
REMARK: Final = re.compile(r";(?: as (?P<eyes>seat [0-4]|all|spectator))?,?(?: by (?P<author>.*))?")
MARKS: Final = re.compile(r"marks(?P<signs>(?: (?!by |\| )[^ |]+)*)(?: \| (?P<markers>.*?))?(?: by (?P<author>.*))?")
MARKER: Final = re.compile(r"(?P<kind>[a-z]+) (?P<on>[^ ;]+)(?: -> (?P<to>[^ ;]+))?")


def from_text(text: str) -> StudyScript:
    """Parses a script from text; raises UnreadableStudy."""
    return Reader(text).script()


class Reader:
    """Parses a text line by line."""

    def __init__(self, text: str) -> None:
        self._lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
        if self._lines and not self._lines[-1]:
            self._lines.pop()
        if len(self._lines) > MOST_LINES:
            raise UnreadableStudy(MOST_LINES, "too_long", "")
        self._at = 0

    def script(self) -> StudyScript:
        """Parses the whole text."""
        title = self._header("study")
        if title is None:
            raise self._fault("no_study")
        parts = []
        self._blank()
        while self._at < len(self._lines):
            parts.append(canonical(self._part()))
            self._blank()
        return StudyScript(title, tuple(parts))

    def _part(self) -> ScriptChapter:
        head = {name: self._header(name) for name in ("chapter", "game", "of", "position", "seen", "lesson")}
        if head["chapter"] is None or head["game"] is None or (head["of"] is None) is (head["position"] is None):
            raise self._fault("no_chapter")
        if head["lesson"] not in (None, "yes"):
            raise self._fault("lesson")
        position = None if head["position"] is None else self._json(head["position"])
        part = ScriptChapter(
            head["chapter"], head["game"], head["of"], position, self._eyes(head["seen"]), head["lesson"] == "yes"
        )
        self._blank()
        return self._body(part)

    def _body(self, part: ScriptChapter) -> ScriptChapter:
        branches: list[Branch] = []
        if part.position is not None:
            if self._line() != "start":
                raise self._fault("no_start")
            self._at += 1
            part = part._replace(opening=self._annotations(0))
            branches += self._branches(START, len(branches))
        steps: list[ScriptStep] = []
        while (line := self._line()) and part.of is not None:
            found = STEP.fullmatch(line)
            if found is None:
                raise self._fault("no_step")
            self._at += 1
            steps.append(_step(found)._replace(said=self._annotations(0)))
            branches += self._branches(found["seq"], len(branches))
        if self._line():
            raise self._fault("no_move")
        return part._replace(steps=tuple(steps), branches=tuple(branches))

    def _branches(self, place: str, known: int) -> list[Branch]:
        """Returns all that branches off below a place; `last` is the newest move of each depth."""
        found: list[Branch] = []
        last = {0: place}
        ranks: dict[str, int] = {}
        while line := self._line():
            deep, begins, text = _unfolded(line)
            matched = BRANCH.fullmatch(text)
            if matched is None or deep > DEEPEST or (not deep and place != START):
                break
            parent = last.get(deep - 1 if begins else deep)
            if parent is None or (not begins and parent == place and place != START):
                raise self._fault("no_parent")
            self._at += 1
            rank = 0 if not begins else ranks.get(parent, 0 if not parent.startswith("v") else 1)
            ranks[parent] = max(rank + 1, ranks.get(parent, 1)) if begins else ranks.get(parent, 1)
            number = known + len(found) + 1
            found.append(_branch(matched, number, parent, rank)._replace(said=self._annotations(deep)))
            last = {level: at for level, at in last.items() if level < deep} | {deep: f"v{number}"}
        return found

    def _annotations(self, deep: int) -> Annotations:
        said, margin = Annotations(), " " * (MARGIN * deep + SAID)
        while (row := self._row(margin)) is not None:
            reader = next((read for word, read in _ROWS.items() if row.split(" ", 1)[0] == word), None)
            if reader is None:
                break
            self._at += 1
            changed = reader(said, row, self._quoted(margin))
            if changed is None:
                self._at -= 1
                raise self._fault("no_note")
            said = changed
        return said

    def _row(self, margin: str) -> str | None:
        line = self._line()
        return line[len(margin) :] if line.startswith(margin) and line[len(margin) :][:1] not in ("", " ") else None

    def _quoted(self, margin: str) -> str | None:
        rows = []
        while (row := self._row(margin)) is not None and (row == ">" or row.startswith("> ")):
            rows.append(row[2:])
            self._at += 1
        return "\n".join(rows) if rows else None

    def _line(self) -> str:
        if self._at >= len(self._lines):
            return ""
        line = self._lines[self._at]
        if len(line) > LONGEST_LINE:
            raise self._fault("too_long")
        return line

    def _header(self, name: str) -> str | None:
        line = self._line()
        if not line.startswith(f"{name}: "):
            return None
        self._at += 1
        return line[len(name) + 2 :]

    def _blank(self) -> None:
        while self._at < len(self._lines) and not self._lines[self._at].strip():
            self._at += 1

    def _json(self, text: str) -> Any:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as fault:
            raise self._fault("no_position") from fault
        if not isinstance(found, Mapping):
            raise self._fault("no_position")
        return found

    def _eyes(self, text: str | None) -> Eyes:
        if text is not None and not re.fullmatch("seat [0-4]|all|spectator", text):
            raise self._fault("seen")
        return _eyes(text)

    def _fault(self, reason: str) -> UnreadableStudy:
        line = self._lines[self._at] if self._at < len(self._lines) else ""
        return UnreadableStudy(self._at + 1, reason, line[:200])


def _unfolded(line: str) -> tuple[int, bool, str]:
    """Returns the depth of a line, whether it begins a variation, and its content."""
    text = line.lstrip(" ")
    column = len(line) - len(text)
    if text.startswith("- "):
        return (column + 2) // MARGIN if (column + 2) % MARGIN == 0 else -1, True, text[2:]
    return column // MARGIN if column % MARGIN == 0 else -1, False, text


def _words(text: str | None) -> tuple[str, ...]:
    return tuple((text or "").split())


def _step(found: re.Match[str]) -> ScriptStep:
    seat = None if found["seat"] is None else int(found["seat"])
    return ScriptStep(
        int(found["seq"]), found["hash"] or "", seat, found["move"], _words(found["drew"] or found["dealt"])
    )


def _branch(found: re.Match[str], number: int, parent: str, rank: int) -> Branch:
    drew, chance = _words(found["drew"]), found["chance"] or "none"
    return Branch(number, parent, rank, int(found["seat"]), found["move"], drew, chance, found["seed"])


def _eyes(text: str | None) -> Eyes:
    return None if text is None else int(text[-1]) if text.startswith("seat ") else text


def _remark(said: Annotations, row: str, text: str | None) -> Annotations | None:
    found = REMARK.fullmatch(row)
    if found is None or text is None:
        return None
    return said._replace(remarks=(*said.remarks, ScriptComment(text, found["author"], _eyes(found["eyes"]))))


def _marks(said: Annotations, row: str, text: str | None) -> Annotations | None:
    found = MARKS.fullmatch(row)
    if found is None or text is not None:
        return None
    signs = found["signs"].split()
    markers = [MARKER.fullmatch(one) for one in found["markers"].split("; ")] if found["markers"] else []
    if any(sign not in NUMBERS and not sign.isdecimal() for sign in signs) or None in markers:
        return None
    glyphs = tuple(NUMBERS[sign] if sign in NUMBERS else int(sign) for sign in signs)
    marked = tuple({"on": one["on"], "kind": one["kind"], "to": one["to"]} for one in markers if one is not None)
    return said._replace(markings=(*said.markings, Marking(glyphs, marked, found["author"])))


def _ask(said: Annotations, _row: str, text: str | None) -> Annotations | None:
    return None if text is None or said.task is not None else said._replace(task=Task(text, ()))


def _answer(said: Annotations, row: str, text: str | None) -> Annotations | None:
    if said.task is None:
        return None
    answers = (*said.task.answers, (row.removeprefix("answer").strip(), text))
    return said._replace(task=said.task._replace(answers=answers))


def _hint(said: Annotations, _row: str, text: str | None) -> Annotations | None:
    if said.task is None or text is None:
        return None
    return said._replace(task=said.task._replace(hints=(*said.task.hints, text)))


def _otherwise(said: Annotations, _row: str, text: str | None) -> Annotations | None:
    return None if said.task is None or text is None else said._replace(task=said.task._replace(otherwise=text))


_ROWS: Final[Mapping[str, Callable[[Annotations, str, str | None], Annotations | None]]] = {
    ";": _remark,
    "marks": _marks,
    "ask": _ask,
    "answer": _answer,
    "hint": _hint,
    "otherwise": _otherwise,
}
