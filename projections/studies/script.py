"""Study scripts: the export format, with names and texts in place of ids and hashes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from events.json_types import Json, JsonObject
from projections.studies.errors import UnreadableStudy
from projections.studies.study import START, Eyes, Place

FORMAT: Final = "cabildo/study/1"


class ScriptComment(NamedTuple):
    """A comment."""

    text: str
    author: str | None = None  # a name
    eyes: Eyes = None


class Marking(NamedTuple):
    """The glyphs and markers of one author."""

    glyphs: tuple[int, ...]
    markers: tuple[JsonObject, ...]
    author: str | None = None


class Task(NamedTuple):
    """The question of a lesson."""

    text: str
    answers: tuple[tuple[str, str | None], ...]
    hints: tuple[str, ...] = ()
    otherwise: str | None = None


class Annotations(NamedTuple):
    """All annotations at a place."""

    remarks: tuple[ScriptComment, ...] = ()
    markings: tuple[Marking, ...] = ()
    task: Task | None = None


class ScriptStep(NamedTuple):
    """An event of the game, with a prefix of its hash."""

    seq: int
    hash: str
    seat: int | None
    move: str | None
    drew: tuple[str, ...]
    said: Annotations = Annotations()


class Branch(NamedTuple):
    """A move of a variation; its place is `v` and its number."""

    number: int
    parent: Place
    rank: int
    seat: int
    move: str
    drew: tuple[str, ...]
    chance: str
    seed: str | None = None
    said: Annotations = Annotations()


class ScriptChapter(NamedTuple):
    """A chapter: the steps of a game, or a position, with its variations."""

    title: str
    game: str
    of: str | None
    position: JsonObject | None
    eyes: Eyes = None
    lesson: bool = False
    steps: tuple[ScriptStep, ...] = ()
    opening: Annotations = Annotations()  # annotations at the beginning of an analysis
    branches: tuple[Branch, ...] = ()


class StudyScript(NamedTuple):
    """A whole study."""

    title: str
    parts: tuple[ScriptChapter, ...]


def children(branches: Sequence[Branch]) -> dict[Place, list[Branch]]:
    """Returns the branches after each place, by rank."""
    found: dict[Place, list[Branch]] = {}
    for branch in sorted(branches, key=lambda one: (one.rank, one.number)):
        found.setdefault(branch.parent, []).append(branch)
    return found


class BranchLine(NamedTuple):
    """A branch in writing order: its depth, and whether it begins a variation."""

    deep: int
    begins: bool
    branch: Branch


def lines(after: Mapping[Place, Sequence[Branch]], place: Place) -> Iterator[BranchLine]:
    """Yields all branches after a place: each alternative to its end, then the main line."""
    waiting = _next(after, place, 0, in_game=not place.startswith("v"))
    while waiting:
        line = waiting.pop()
        yield line
        waiting += _next(after, f"v{line.branch.number}", line.deep, in_game=False)


def _next(after: Mapping[Place, Sequence[Branch]], place: Place, deep: int, *, in_game: bool) -> list[BranchLine]:
    """Returns the lines to write after a place, in reverse order."""
    branches = list(after.get(place, ()))
    going_on = [] if in_game or not branches else [BranchLine(deep, False, branches.pop(0))]
    return going_on + [BranchLine(deep + 1, True, branch) for branch in reversed(branches)]


def canonical(part: ScriptChapter) -> ScriptChapter:
    """Returns the chapter with its branches numbered and ranked in writing order."""
    after, numbers, ordered = children(part.branches), dict[Place, Place](), list[Branch]()
    roots: list[Place] = [START, *(str(step.seq) for step in part.steps)]
    for root in roots:
        numbers[root] = root
        for line in lines(after, root):
            old = line.branch
            numbers[f"v{old.number}"] = f"v{len(ordered) + 1}"
            rank = [one.number for one in after[old.parent]].index(old.number)
            ordered.append(old._replace(number=len(ordered) + 1, parent=numbers[old.parent], rank=rank))
    return part._replace(branches=tuple(ordered))


def to_json(script: StudyScript) -> JsonObject:
    """Returns the script as plain JSON."""
    return {"format": FORMAT, **_plain(script)}


def _plain(value: Any) -> Any:
    if hasattr(value, "_asdict"):
        return {name: _plain(inside) for name, inside in value._asdict().items()}
    if isinstance(value, tuple):
        return [_plain(inside) for inside in value]
    return value


def from_json(document: Any) -> StudyScript:
    """Parses a script from JSON; raises UnreadableStudy."""
    try:
        if document["format"] != FORMAT:
            raise UnreadableStudy(0, "another_format", str(document["format"])[:80])
        return StudyScript(_text(document["title"]), tuple(_part(part) for part in document["parts"]))
    except (AttributeError, KeyError, TypeError, ValueError) as fault:
        raise UnreadableStudy(0, "another_form", f"{type(fault).__name__}: {fault}"[:200]) from fault


def _part(part: Mapping[str, Any]) -> ScriptChapter:
    branches = tuple(_branch(branch) for branch in part["branches"])
    if len({branch.number for branch in branches}) < len(branches):
        raise ValueError("two moves of variations have the same number")
    of, position = _maybe(part["of"]), part["position"]
    if (of is None) is (position is None) or not isinstance(position, Mapping | None):
        raise ValueError("a chapter is of a game, or of a position")
    return ScriptChapter(
        _text(part["title"]),
        _text(part["game"]),
        of,
        position,
        _eyes(part["eyes"]),
        bool(part["lesson"]),
        tuple(_step(step) for step in part["steps"]),
        _annotations(part["opening"]),
        branches,
    )


def _step(step: Mapping[str, Any]) -> ScriptStep:
    drew = tuple(map(_text, step["drew"]))
    return ScriptStep(
        _whole(step["seq"]), _text(step["hash"]), step["seat"], step["move"], drew, _annotations(step["said"])
    )


def _branch(branch: Mapping[str, Any]) -> Branch:
    return Branch(
        _whole(branch["number"]),
        _text(branch["parent"]),
        _whole(branch["rank"]),
        _whole(branch["seat"]),
        _text(branch["move"]),
        tuple(map(_text, branch["drew"])),
        _text(branch["chance"]),
        _seed(branch["seed"]),
        _annotations(branch["said"]),
    )


def _annotations(said: Mapping[str, Any]) -> Annotations:
    remarks = tuple(
        ScriptComment(_text(one["text"]), _maybe(one["author"]), _eyes(one["eyes"])) for one in said["remarks"]
    )
    markings = tuple(
        Marking(tuple(map(_whole, one["glyphs"])), tuple(map(_marker, one["markers"])), _maybe(one["author"]))
        for one in said["markings"]
    )
    return Annotations(remarks, markings, None if said["task"] is None else _task(said["task"]))


def _task(task: Mapping[str, Any]) -> Task:
    answers = tuple((_text(move), _maybe(reply)) for move, reply in task["answers"])
    return Task(_text(task["text"]), answers, tuple(map(_text, task["hints"])), _maybe(task["otherwise"]))


def _marker(marker: Mapping[str, Any]) -> JsonObject:
    return {"on": _text(marker["on"]), "kind": _text(marker["kind"]), "to": _maybe(marker["to"])}


def _seed(value: Json) -> str | None:
    seed = _maybe(value)
    if seed is not None:
        bytes.fromhex(seed)
    return seed


def _eyes(value: Json) -> Eyes:
    return _whole(value) if isinstance(value, int) else _maybe(value)


def _whole(value: Json) -> int:
    if type(value) is not int:
        raise TypeError(f"{value!r} is no integer")
    return value


def _maybe(value: Json) -> str | None:
    return None if value is None else _text(value)


def _text(value: Json) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no text")
    return value
