"""The fold of a study: the same from any point of the stream, and whole after whatever was deleted."""

from typing import Any
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from events.chain import link
from events.event import START, Event, EventDraft
from projections.studies.fold import study_of
from projections.studies.study import Study, node_of

ID = UUID("01a0c450-6c00-773f-9014-c8bd16af6b67")
TEXT, HASH = "ab" * 32, "cd" * 32
DEED: dict[str, Any] = {"drew": [], "then": [], "facts": [], "digest": HASH, "chance": "none", "seat": 0}
CHAPTER: dict[str, Any] = {"chapter": 1, "title": TEXT, "game": "spice_road", "eyes": None, "lesson": False}
GAME = {"of": {"stream": str(ID), "seq": 9, "hash": HASH}, "position": None}
OPENING = [
    ("study_created", {"title": TEXT, "visibility": "private", "cloned_from": None}),
    ("chapter_added", {**CHAPTER, **GAME}),
]
wishes = st.lists(
    st.tuples(st.sampled_from(["play", "say", "again", "unsay", "mark", "ask", "rank", "prune"]), st.integers(0, 30)),
    max_size=25,
)


def drafts(wanted: list[tuple[str, int]]) -> list[Event]:
    """Yields valid events: each refers to an existing item."""
    events = list(link(ID, START, [_draft(*one) for one in OPENING]))
    for what, number in wanted:
        study = study_of(events)
        assert study is not None
        said = _written(study, what, number)
        if said is not None:
            events += link(ID, events[-1].head, [_draft(*said)])
    return events


def _draft(kind: str, data: dict[str, Any]) -> EventDraft:
    return EventDraft(kind, data, "player-1", 1, "spice_road/1")


def _written(study: Study, what: str, number: int) -> tuple[str, dict[str, Any]] | None:
    chapter = study.chapters[1]
    nodes = sorted(chapter.nodes)
    places: list[dict[str, Any]] = [{"seq": 4, "hash": HASH}, {"seq": 5, "hash": HASH}]
    places += [{"node": node} for node in nodes]
    at: dict[str, Any] = {"chapter": 1, "at": places[number % len(places)]}
    node = nodes[number % len(nodes)] if nodes else None
    said = [(place, comment.id) for place, note in chapter.notes.items() for comment in note.comments]
    if what in ("again", "unsay") and said:
        place, comment = said[number % len(said)]
        number_of = node_of(place)
        at["at"] = {"node": number_of} if number_of else {"seq": int(place), "hash": HASH}
        if what == "unsay":
            return "comment_deleted", {**at, "comment": comment}
        return "comment_written", {**at, "comment": comment, "text": HASH, "eyes": 1}
    if what in ("rank", "prune") and node is not None:
        if what == "rank":
            return "node_ranked", {"chapter": 1, "node": node, "rank": number % 4}
        return "node_deleted", {"chapter": 1, "node": node}
    question = {"text": TEXT, "answers": [{"move": "rest", "reply": None}], "hints": [], "otherwise": None}
    return {
        "play": ("node_added", {**at, **DEED, "move": f"rest {number}"}),
        "say": ("comment_written", {**at, "comment": None, "text": TEXT, "eyes": None}),
        "mark": ("place_marked", {**at, "by": "player-2", "glyphs": [number % 2] if number % 2 else [], "markers": []}),
        "ask": ("question_set", {**at, "question": question if number % 2 else None}),
    }.get(what)


@settings(max_examples=60, deadline=None)
@given(wishes, st.integers(0, 30))
def test_a_study_is_folded_alike_from_any_point(wanted: list[tuple[str, int]], cut: int) -> None:
    events = drafts(wanted)
    at = cut % len(events)
    assert study_of(events[at:], study_of(events[:at])) == study_of(events)


@settings(max_examples=60, deadline=None)
@given(wishes)
def test_nothing_hangs_in_the_air(wanted: list[tuple[str, int]]) -> None:
    study = study_of(drafts(wanted))
    assert study is not None
    chapter = study.chapters[1]
    for place in (*chapter.notes, *chapter.branches, *(node.parent for node in chapter.nodes.values())):
        assert node_of(place) is None or node_of(place) in chapter.nodes
    listed = [node for siblings in chapter.branches.values() for node in siblings]
    assert sorted(listed) == sorted(chapter.nodes)
    assert chapter.newest == study.version  # every event but the first was about this chapter
