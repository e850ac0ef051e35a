"""Writes the text of a study: readable in a forum, and parsed back to the same script.

    study: Caravans

    chapter: The first trade
    game: spice_road
    of: 01a0c450-6c00-773f-9014-c8bd16af6b67
    seen: seat 1

    4. #9f3ac1d2e4aa
      ; as seat 0, by Anna
      > Which first?
      - 0: play upgrade_2
          marks !? | good players[0].hand[1] by Anna
        1: buy 1 [get_b] (random 5a5a...)
          - 1: rest
    5. 0: play create_2 #77aa1f0c9b3d

One move a line; moves of the game with the number of the event and a prefix of its hash. Annotations follow below, a
little to the right; texts are quoted with `>`. A variation begins with `-` below the move it follows; alternatives come
first, then the line goes on. An analysis begins with `position:` and a line `start`.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from projections.studies.glyphs import GLYPHS
from projections.studies.script import Annotations, Branch, ScriptChapter, StudyScript, Task, canonical, children, lines
from projections.studies.study import START, Eyes

MARGIN: Final = 4
SAID: Final = 2


def to_text(script: StudyScript) -> str:
    """Returns the text of a script whose parts are canonical."""
    rows = [f"study: {_one_line(script.title)}"]
    for part in script.parts:
        rows += ["", *_part(canonical(part))]
    return "".join(f"{row}\n" for row in rows)


def _one_line(title: str) -> str:
    """Returns a title for a header: line breaks become spaces."""
    return title.replace("\n", " ")


def _part(part: ScriptChapter) -> Iterator[str]:
    yield f"chapter: {_one_line(part.title)}"
    yield f"game: {part.game}"
    if part.of is not None:
        yield f"of: {part.of}"
    if part.position is not None:
        yield f"position: {json.dumps(part.position, ensure_ascii=False, separators=(',', ':'))}"
    if part.eyes is not None:
        yield f"seen: {_eyes(part.eyes)}"
    if part.lesson:
        yield "lesson: yes"
    yield ""
    after = children(part.branches)
    if part.position is not None:
        yield "start"
        yield from _annotation_lines(part.opening, 0)
        yield from _branches(after, START)
    for step in part.steps:
        move = "" if step.move is None else f" {step.seat}: {step.move}"
        mark = f" #{step.hash}" if step.hash else ""
        yield f"{step.seq}.{move}{_draws(step.drew)}{mark}"
        yield from _annotation_lines(step.said, 0)
        yield from _branches(after, str(step.seq))


def _branches(after: Mapping[str, list[Branch]], place: str) -> Iterator[str]:
    for deep, begins, branch in lines(after, place):
        margin = " " * (MARGIN * deep)
        front = f"{margin[:-2]}- " if begins else margin
        chance = "" if branch.chance == "none" else f" ({' '.join(filter(None, (branch.chance, branch.seed)))})"
        yield f"{front}{branch.seat}: {branch.move}{_draws(branch.drew)}{chance}"
        yield from _annotation_lines(branch.said, deep)


def _draws(drew: tuple[str, ...]) -> str:
    return f" [{' '.join(drew)}]" if drew else ""


def _annotation_lines(said: Annotations, deep: int) -> Iterator[str]:
    margin = " " * (MARGIN * deep + SAID)
    for row in _rows(said):
        yield f"{margin}{row}"


def _rows(said: Annotations) -> Iterator[str]:
    for remark in said.remarks:
        head = ", ".join(filter(None, (_as(remark.eyes), _by(remark.author))))
        yield f"; {head}" if head else ";"
        yield from _quoted(remark.text)
    for marking in said.markings:
        signs = [GLYPHS[number].sign if number in GLYPHS else str(number) for number in marking.glyphs]
        markers = "; ".join(map(_marker, marking.markers))
        yield " ".join(filter(None, ("marks", *signs, markers and f"| {markers}", _by(marking.author))))
    if said.task is not None:
        yield from _task(said.task)


def _task(task: Task) -> Iterator[str]:
    yield "ask"
    yield from _quoted(task.text)
    for move, reply in task.answers:
        yield f"answer {move}"
        yield from _quoted(reply)
    for hint in task.hints:
        yield "hint"
        yield from _quoted(hint)
    if task.otherwise is not None:
        yield "otherwise"
        yield from _quoted(task.otherwise)


def _quoted(text: str | None) -> Iterator[str]:
    if text is not None:
        for row in text.split("\n"):
            yield f"> {row}" if row else ">"


def _marker(marker: Mapping[str, Any]) -> str:
    arrow = "" if marker.get("to") is None else f" -> {marker['to']}"
    return f"{marker['kind']} {marker['on']}{arrow}"


def _eyes(eyes: Eyes) -> str:
    return f"seat {eyes}" if isinstance(eyes, int) else str(eyes)


def _as(eyes: Eyes) -> str:
    return "" if eyes is None else f"as {_eyes(eyes)}"


def _by(author: str | None) -> str:
    return "" if author is None else f"by {author}"
