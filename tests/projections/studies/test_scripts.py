"""Scripts of studies: text and JSON are read back to the same script, whatever people write."""

import json
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.json_types import JsonObject
from projections.studies.errors import UnreadableStudy
from projections.studies.glyphs import GLYPHS
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
    from_json,
    to_json,
)
from projections.studies.text_parser import from_text
from projections.studies.text_writer import to_text

GAME = "01a0c450-6c00-773f-9014-c8bd16af6b67"
characters = st.characters(exclude_categories=("Cs", "Cc"))
titles = st.text(characters, min_size=1, max_size=12)
names = titles.map(lambda name: " ".join(name.split())).filter(bool)
proses = st.lists(st.text(characters, max_size=12), min_size=1, max_size=3).map("\n".join).filter(bool)
eyes = st.sampled_from([None, 0, 4, "all", "spectator"])
moves = st.sampled_from(["rest", "play create_2", "buy 3 y,y", "build harbor black_market=colonist@corn,sugar,vp"])
draws = st.lists(st.sampled_from(["corn", "get_b", "p_06_yy"]), max_size=2).map(tuple)
parts = st.sampled_from(["ships[0]", "players[1].city[3]", "roles.mayor"])
markers = st.builds(
    lambda on, kind, to: {"on": on, "kind": kind, "to": to}, parts, st.sampled_from(["good", "look"]), st.none() | parts
)
remarks = st.builds(ScriptComment, proses, st.none() | names, eyes)
markings = st.builds(
    Marking,
    st.lists(st.sampled_from([*GLYPHS, 99]), max_size=3).map(tuple),
    st.lists(markers, max_size=2).map(tuple),
    st.none() | names,
)
tasks = st.builds(
    Task,
    proses,
    st.lists(st.tuples(moves, st.none() | proses), min_size=1, max_size=2).map(tuple),
    st.lists(proses, max_size=2).map(tuple),
    st.none() | proses,
)
said = st.builds(
    Annotations, st.lists(remarks, max_size=2).map(tuple), st.lists(markings, max_size=2).map(tuple), st.none() | tasks
)
hashes = st.sampled_from(["", "9f3ac1d2e4aa", "ab" * 32])


@st.composite
def trees(draw: st.DrawFn, roots: list[str]) -> tuple[Branch, ...]:
    """Branches of any shape below some places."""
    found: list[Branch] = []
    for number in range(1, draw(st.integers(0, 7)) + 1):
        parent = draw(st.sampled_from([*roots, *(f"v{one.number}" for one in found)]))
        rank = sum(one.parent == parent for one in found)
        chance = draw(st.sampled_from([("none", None), ("same", None), ("declared", None), ("random", "5a" * 16)]))
        found.append(
            Branch(number, parent, rank, draw(st.integers(0, 4)), draw(moves), draw(draws), *chance, draw(said))
        )
    return tuple(found)


@st.composite
def games(draw: st.DrawFn) -> ScriptChapter:
    steps = [ScriptStep(3, draw(hashes), None, None, draw(draws), draw(said))]
    for seq in range(4, 4 + draw(st.integers(0, 3))):
        steps.append(ScriptStep(seq, draw(hashes), draw(st.integers(0, 4)), draw(moves), draw(draws), draw(said)))
    branches = draw(trees([str(step.seq) for step in steps]))
    return ScriptChapter(
        draw(titles), "spice_road", GAME, None, draw(eyes), draw(st.booleans()), tuple(steps), Annotations(), branches
    )


@st.composite
def analyses(draw: st.DrawFn) -> ScriptChapter:
    position: JsonObject = {
        "game": "spice_road",
        "players": [{"hand": None, "gold": 0}],
        "turn": {"seat": 0, "decision": "D-X"},
    }
    return ScriptChapter(
        draw(titles),
        "spice_road",
        None,
        position,
        draw(eyes),
        draw(st.booleans()),
        (),
        draw(said),
        draw(trees(["v0"])),
    )


scripts = st.builds(StudyScript, titles, st.lists((games() | analyses()).map(canonical), max_size=2).map(tuple))


@settings(max_examples=150, deadline=None)
@given(scripts)
def test_a_text_is_read_back_to_the_same_script(script: StudyScript) -> None:
    assert from_text(to_text(script)) == script


@settings(max_examples=60, deadline=None)
@given(scripts)
def test_a_text_with_the_line_ends_of_another_editor_is_read_alike(script: StudyScript) -> None:
    assert from_text("\ufeff" + to_text(script).replace("\n", "\r\n")) == script


def test_a_title_of_two_lines_is_written_on_one() -> None:
    written = to_text(
        StudyScript("one\ntwo", (ScriptChapter("three\nfour", "spice_road", None, {"game": "spice_road"}),))
    )
    read = from_text(written)
    assert (read.title, read.parts[0].title) == ("one two", "three four")


@settings(max_examples=60, deadline=None)
@given(scripts)
def test_json_is_read_back_to_the_same_script(script: StudyScript) -> None:
    assert from_json(json.loads(json.dumps(to_json(script)))) == script


@settings(max_examples=60, deadline=None)
@given(scripts, st.data())
def test_a_text_without_one_of_its_lines_is_read_or_refused(script: StudyScript, data: st.DataObject) -> None:
    lines = to_text(script).split("\n")
    del lines[data.draw(st.integers(0, len(lines) - 1))]
    with suppress(UnreadableStudy):
        from_text("\n".join(lines))


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("", 1, "no_study"),
        ("study: x\n\nchapter: y\ngame: spice_road\n\n", 5, "no_chapter"),
        ("study: x\n\nchapter: y\ngame: spice_road\nof: z\n\nhello\n", 7, "no_step"),
        ("study: x\n\nchapter: y\ngame: spice_road\nof: z\n\n4.\n    0: rest\n", 8, "no_parent"),
        ("study: x\n\nchapter: y\ngame: spice_road\nof: z\n\n4.\n  ;\n", 8, "no_note"),
        ("study: x\n\nchapter: y\ngame: spice_road\nposition: [1]\n\nstart\n", 6, "no_position"),
        ("study: x\n\nchapter: y\ngame: spice_road\nposition: " + "[" * 5_000 + "\n", 6, "no_position"),
        ("study: x\n" + "y" * 70_000, 2, "too_long"),
    ],
)
def test_what_cannot_be_read_is_named_by_its_line(text: str, line: int, reason: str) -> None:
    with pytest.raises(UnreadableStudy) as refused:
        from_text(text)
    assert (refused.value.line, refused.value.reason) == (line, reason)


@pytest.mark.parametrize("document", [None, [], {}, {"format": "other"}, {"format": "cabildo/study/1", "title": 1}])
def test_json_in_another_form_is_refused(document: object) -> None:
    with pytest.raises(UnreadableStudy):
        from_json(document)


def test_a_line_of_a_thousand_moves_is_no_deeper_than_one() -> None:
    branches = tuple(Branch(n, f"v{n - 1}", 0, 0, "rest", (), "none") for n in range(1, 1_001))
    script = StudyScript("long", (ScriptChapter("x", "spice_road", None, {"game": "spice_road"}, branches=branches),))
    assert from_text(to_text(script)) == script
    assert from_json(to_json(script)) == script
