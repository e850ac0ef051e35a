"""Folds the events of a study: a table of one small function for each kind of event."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

from events.event import Event
from projections.games.event_views import folded
from projections.studies.study import (
    OWNER,
    Anchor,
    Chapter,
    Comment,
    LessonQuestion,
    Marks,
    Place,
    PlaceNotes,
    Study,
    VariationMove,
    place_of,
)

Data = Mapping[str, Any]
DEED: Final = ("drew", "then", "facts", "digest")


def study_of(events: Iterable[Event], study: Study | None = None) -> Study | None:
    """Returns the study after events, from the first event or an earlier state, or None without events."""
    return folded(fold, events, study)


def fold(study: Study | None, event: Event) -> Study:
    """Returns the study after one more event."""
    if study is None:
        return _created(event)
    study = _FOLDS[event.kind](study, event.data, event)
    return study._replace(version=event.seq, head=event.hash, changed=event.at)


def _created(event: Event) -> Study:
    data: Data = event.data
    return Study(
        id=event.stream,
        version=event.seq,
        head=event.hash,
        title=data["title"],
        visibility=data["visibility"],
        cloned_from=data["cloned_from"],
        members={event.actor: OWNER},
        chapters={},
        settled=event.seq,
        last_chapter=0,
        created=event.at,
        changed=event.at,
    )


def _study_changed(study: Study, data: Data, event: Event) -> Study:
    return study._replace(
        title=data.get("title", study.title),
        visibility=data.get("visibility", study.visibility),
        settled=event.seq,
    )


def _study_deleted(study: Study, _data: Data, _event: Event) -> Study:
    return study._replace(chapters={}, deleted=True)


def _member_changed(study: Study, data: Data, _event: Event) -> Study:
    members = {player: role for player, role in study.members.items() if player != data["player"]}
    if data["role"] is not None:
        members[data["player"]] = data["role"]
    return study._replace(members=members)


def _chapter_added(study: Study, data: Data, event: Event) -> Study:
    of = data["of"]
    chapter = Chapter(
        id=data["chapter"],
        title=data["title"],
        game=data["game"],
        rules=event.rules,
        of=None if of is None else Anchor(UUID(of["stream"]), of["seq"], of["hash"]),
        position=data["position"],
        eyes=data["eyes"],
        lesson=data["lesson"],
        version=event.seq,
        newest=event.seq,
    )
    chapters = {**study.chapters, chapter.id: chapter}
    return study._replace(chapters=chapters, last_chapter=max(study.last_chapter, chapter.id))


def _chapter_changed(study: Study, data: Data, event: Event) -> Study:
    chapter = study.chapters[data["chapter"]]
    named = {name: data[name] for name in ("title", "eyes", "lesson") if name in data}
    changed = chapter._replace(version=event.seq, newest=event.seq, **named)
    chapters = {**study.chapters, chapter.id: changed}
    return study._replace(chapters=_ordered(chapters, chapter.id, data["before"]) if "before" in data else chapters)


def _ordered(chapters: Mapping[int, Chapter], moved: int, before: int | None) -> Mapping[int, Chapter]:
    """Returns the chapters with one of them moved before another, or to the end."""
    order = [id for id in chapters if id != moved]
    order.insert(order.index(before) if before in order else len(order), moved)
    return {id: chapters[id] for id in order}


def _chapter_deleted(study: Study, data: Data, _event: Event) -> Study:
    return study._replace(chapters={id: it for id, it in study.chapters.items() if id != data["chapter"]})


def _with(study: Study, chapter: Chapter, seq: int) -> Study:
    return study._replace(chapters={**study.chapters, chapter.id: chapter._replace(newest=seq)})


def _node_added(study: Study, data: Data, event: Event) -> Study:
    chapter = _anchored(study.chapters[data["chapter"]], data["at"])
    parent = place_of(data["at"])
    node = VariationMove(
        id=event.seq,
        parent=parent,
        author=data.get("by", event.actor),
        seat=data["seat"],
        move=data["move"],
        chance=data["chance"],
        seed=data.get("seed"),
        drew=tuple(data["drew"]),
        deed={name: data[name] for name in DEED},
        version=event.seq,
    )
    siblings = (*chapter.branches.get(parent, ()), node.id)
    chapter = chapter._replace(nodes={**chapter.nodes, node.id: node}, branches={**chapter.branches, parent: siblings})
    return _with(study, chapter, event.seq)


def _node_ranked(study: Study, data: Data, event: Event) -> Study:
    chapter = study.chapters[data["chapter"]]
    node = chapter.nodes[data["node"]]
    siblings = [id for id in chapter.branches[node.parent] if id != node.id]
    siblings.insert(data["rank"], node.id)
    nodes = {**chapter.nodes, node.id: node._replace(version=event.seq)}
    branches = {**chapter.branches, node.parent: tuple(siblings)}
    return _with(study, chapter._replace(nodes=nodes, branches=branches), event.seq)


def _node_deleted(study: Study, data: Data, event: Event) -> Study:
    chapter = study.chapters[data["chapter"]]
    gone = set(chapter.below(data["node"]))
    places = {f"v{id}" for id in gone}
    parent = chapter.nodes[data["node"]].parent
    branches = {place: ids for place, ids in chapter.branches.items() if place not in places}
    branches[parent] = tuple(id for id in branches[parent] if id not in gone)
    chapter = chapter._replace(
        nodes={id: node for id, node in chapter.nodes.items() if id not in gone},
        notes={place: note for place, note in chapter.notes.items() if place not in places},
        branches={place: ids for place, ids in branches.items() if ids},
    )
    return _with(study, chapter, event.seq)


def _comment_written(study: Study, data: Data, event: Event) -> Study:
    def write(note: PlaceNotes) -> PlaceNotes:
        old = next((comment for comment in note.comments if comment.id == data["comment"]), None)
        written = Comment(
            id=event.seq if old is None else old.id,
            author=data.get("by", event.actor) if old is None else old.author,
            text=data["text"],
            eyes=data["eyes"],
            credit=data.get("credit") if old is None else old.credit,
            at=event.at if old is None else old.at,
            version=event.seq,
        )
        if old is None:
            return note._replace(comments=(*note.comments, written))
        return note._replace(comments=tuple(written if it is old else it for it in note.comments))

    return _noted(study, data, event, write)


def _comment_deleted(study: Study, data: Data, event: Event) -> Study:
    def delete(note: PlaceNotes) -> PlaceNotes:
        return note._replace(comments=tuple(it for it in note.comments if it.id != data["comment"]))

    return _noted(study, data, event, delete)


def _place_marked(study: Study, data: Data, event: Event) -> Study:
    by, credit = data["by"], data.get("credit")
    made = Marks(by, tuple(data["glyphs"]), tuple(data["markers"]), event.seq, credit)

    def mark(note: PlaceNotes) -> PlaceNotes:
        if credit is None and not made.glyphs and not made.markers:  # the author has nothing left at this place
            others = {key: marks for key, marks in note.marks.items() if marks.author != by}
            return note._replace(marks={**others, by: made})
        return note._replace(marks={**note.marks, credit or by: made})

    return _noted(study, data, event, mark)


def _question_set(study: Study, data: Data, event: Event) -> Study:
    def ask(note: PlaceNotes) -> PlaceNotes:
        return note._replace(question=_question(data["question"], event), asked=event.seq)

    return _noted(study, data, event, ask)


def _question(data: Data | None, event: Event) -> LessonQuestion | None:
    if data is None:
        return None
    answers: Sequence[Data] = data["answers"]
    return LessonQuestion(
        text=data["text"],
        answers=tuple((answer["move"], answer["reply"]) for answer in answers),
        hints=tuple(data["hints"]),
        otherwise=data["otherwise"],
        author=event.actor,
        version=event.seq,
    )


def _noted(study: Study, data: Data, event: Event, change: Callable[[PlaceNotes], PlaceNotes]) -> Study:
    chapter = _anchored(study.chapters[data["chapter"]], data["at"])
    place: Place = place_of(data["at"])
    notes = {**chapter.notes, place: change(chapter.note(place))}
    return _with(study, chapter._replace(notes=notes), event.seq)


def _anchored(chapter: Chapter, at: Data) -> Chapter:
    """Returns the chapter with the hash of the place."""
    if "seq" not in at:
        return chapter
    return chapter._replace(hashes={**chapter.hashes, at["seq"]: at["hash"]})


_FOLDS: Final[Mapping[str, Callable[[Study, Data, Event], Study]]] = {
    "study_changed": _study_changed,
    "study_deleted": _study_deleted,
    "member_changed": _member_changed,
    "chapter_added": _chapter_added,
    "chapter_changed": _chapter_changed,
    "chapter_deleted": _chapter_deleted,
    "node_added": _node_added,
    "node_ranked": _node_ranked,
    "node_deleted": _node_deleted,
    "comment_written": _comment_written,
    "comment_deleted": _comment_deleted,
    "place_marked": _place_marked,
    "question_set": _question_set,
}
