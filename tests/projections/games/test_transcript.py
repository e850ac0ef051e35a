"""The text of an over-the-table game: read, written back byte for byte, refused with the line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from projections.games.errors import UnreadableRecord
from projections.games.imports.transcript import Header, Transcript, TranscriptLine, parse, write

TEXT = """\
; the final of the spring tournament
game: spice_road
seats: Anna, Birgir, Carla
option cube_scoring: all
place: Reykjavík; the old harbour

draws: points_20_ggbbb get_yr

; the opening everybody plays
play create_2
buy 3 y,y [trade_yy_g]

rest ; too early?
play upgrade_2 y>r r>g ;
; to be continued
"""


def test_a_record_is_read_line_by_line() -> None:
    transcript = parse(TEXT)

    assert transcript.value("seats") == "Anna, Birgir, Carla"
    assert transcript.value("place") == "Reykjavík; the old harbour"
    assert [line.move for line in transcript.lines] == ["play create_2", "buy 3 y,y", "rest", "play upgrade_2 y>r r>g"]
    assert transcript.lines[1].draws == ("trade_yy_g",)
    assert transcript.lines[0].above == ("", "; the opening everybody plays")
    assert transcript.lines[2].beside == "too early?"
    assert transcript.below == ("; to be continued",)


def test_a_record_in_canonical_spelling_comes_back_byte_for_byte() -> None:
    assert write(parse(TEXT)) == TEXT


@pytest.mark.parametrize(
    "written",
    [
        "play create_2",
        "  PLACE:here\r\nbuy 3 y,y   [ trade_yy_g,get_b ];no space\r\n",
        "\ufeffgame:  spice_road\n\n\n2 :rest",
    ],
)
def test_another_spelling_is_written_in_canonical_spelling_and_stays_so(written: str) -> None:
    once = write(parse(written))
    assert write(parse(once)) == once
    assert [line.move for line in parse(once).lines] == [line.move for line in parse(written).lines]


COMMENTS = st.text(st.characters(exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=20).map(str.strip)
NAMES = st.from_regex(r"[a-z][a-z0-9_]{0,9}", fullmatch=True)
ABOVE = st.lists(st.just("") | COMMENTS.map(lambda text: f";{text}"), max_size=2).map(tuple)
LINES = st.builds(
    TranscriptLine,
    number=st.just(0),
    move=st.lists(NAMES, min_size=1, max_size=3).map(" ".join),
    seat=st.none() | st.integers(0, 4),
    draws=st.lists(NAMES, max_size=3).map(tuple),
    above=ABOVE,
    beside=st.none() | COMMENTS,
)
HEADERS = st.builds(Header, number=st.just(0), name=NAMES, value=COMMENTS, above=ABOVE)


@given(
    st.builds(
        Transcript,
        headers=st.lists(HEADERS, max_size=3, unique_by=lambda header: header.name).map(tuple),
        lines=st.lists(LINES, max_size=4).map(tuple),
        below=ABOVE,
    )
)
def test_reading_and_writing_are_inverse(transcript: Transcript) -> None:
    assert unnumbered(parse(write(transcript))) == transcript


def unnumbered(transcript: Transcript) -> Transcript:
    return transcript._replace(
        headers=tuple(header._replace(number=0) for header in transcript.headers),
        lines=tuple(line._replace(number=0) for line in transcript.lines),
    )


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        ("game: spice_road\n\n[stray]\n", 3, "not_a_move_line"),
        ("rest\nplay [a] [b]\n", 2, "not_a_move_line"),
        ("rest\nrest \x00\n", 2, "unprintable_character"),
        ("rest\n" + "a" * 2_001, 2, "line_too_long"),
        ("game: a\ngame: b\n", 2, "header_repeated"),
        ("rest\ngame: spice_road\n", 2, "header_after_moves"),
        ("rest\n" * 5_001, 5_001, "too_many_lines"),
    ],
)
def test_a_line_that_cannot_be_read_is_named(text: str, line: int, reason: str) -> None:
    with pytest.raises(UnreadableRecord) as refused:
        parse(text)
    assert (refused.value.line, refused.value.reason) == (line, reason)
