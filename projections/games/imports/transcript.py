"""The text of a game played over a table: one move a line, what was drawn beside it, and the scribe's comments.

    game: spice_road
    seats: Anna, Birgir, Carla
    option cube_scoring: all
    place: Reykjavik
    draws: P03 P17 ...                   dealt before the first move

    ; a comment on a line of its own belongs to the line below it
    play create_2
    buy 3 y,y [M24]                      what the move drew, in brackets
    rest ; a comment beside a move

A move may be written with its seat (`1: rest`), which is then checked. Reading and writing are inverse: a text in
canonical spelling comes back byte for byte, comments and empty lines too.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from projections.games.errors import UnreadableRecord

COMMENT: Final = ";"
UNFIT: Final = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]")
HEADER: Final = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_]*(?: [A-Za-z][A-Za-z0-9_]*)?):(?P<value>.*)")
MOVE: Final = re.compile(
    r"(?:(?P<seat>[0-9])\s*:\s*)?(?P<move>[A-Za-z][^\[\];]*?)\s*(?:\[(?P<draws>[^\[\];]*)\]\s*)?(?:;(?P<comment>.*))?"
)
LONGEST_LINE: Final = 2_000
MOST_LINES: Final = 5_000


class Header(NamedTuple):
    """A header of the transcript."""

    number: int  # of the line, from 1
    name: str
    value: str
    above: tuple[str, ...]  # comment lines and empty lines before it, as written


class TranscriptLine(NamedTuple):
    """A move as written."""

    number: int
    move: str
    seat: int | None
    draws: tuple[str, ...]
    above: tuple[str, ...]
    beside: str | None  # the comment behind the move


class Transcript(NamedTuple):
    """A whole written game, or a part of one."""

    headers: tuple[Header, ...]
    lines: tuple[TranscriptLine, ...]
    below: tuple[str, ...]  # comments and empty lines after the last move

    def value(self, name: str) -> str | None:
        """Returns the value of a header, or None without it."""
        return next((header.value for header in self.headers if header.name == name), None)


def parse(text: str) -> Transcript:
    """Parses a transcript; raises UnreadableRecord with the number of the line."""
    headers: list[Header] = []
    lines: list[TranscriptLine] = []
    above: list[str] = []
    for number, raw in enumerate(_lines(text), start=1):
        if not raw or raw.startswith(COMMENT):
            above.append(raw)
            continue
        if found := HEADER.fullmatch(raw):
            if lines:
                raise UnreadableRecord(number, "header_after_moves", raw[:80])
            headers.append(_header(number, found, above, headers))
        else:
            lines.append(_line(number, raw, above))
        above = []
    return Transcript(tuple(headers), tuple(lines), tuple(above))


def _lines(text: str) -> Sequence[str]:
    """Returns the lines without the spaces around them."""
    rows = [row.strip() for row in text.removeprefix("\ufeff").split("\n")]
    if rows[-1] == "":
        rows.pop()  # the end of the last line
    if len(rows) > MOST_LINES:
        raise UnreadableRecord(MOST_LINES + 1, "too_many_lines", "")
    for number, row in enumerate(rows, start=1):
        if len(row) > LONGEST_LINE:
            raise UnreadableRecord(number, "line_too_long", row[:80])
        if UNFIT.search(row):
            raise UnreadableRecord(number, "unprintable_character", ascii(row)[:80])
    return rows


def _header(number: int, found: re.Match[str], above: Sequence[str], before: Sequence[Header]) -> Header:
    name = found["name"].lower()
    if any(name == header.name for header in before):
        raise UnreadableRecord(number, "header_repeated", found[0])
    return Header(number, name, found["value"].strip(), tuple(above))


def _line(number: int, raw: str, above: Sequence[str]) -> TranscriptLine:
    found = MOVE.fullmatch(raw)
    if found is None:
        raise UnreadableRecord(number, "not_a_move_line", raw[:80])
    seat, comment = found["seat"], found["comment"]
    return TranscriptLine(
        number,
        found["move"],
        None if seat is None else int(seat),
        names(found["draws"] or ""),
        tuple(above),
        None if comment is None else comment.strip(),
    )


def names(text: str) -> tuple[str, ...]:
    """Splits a list of names at spaces and commas."""
    return tuple(text.replace(",", " ").split())


def write(transcript: Transcript) -> str:
    """Returns the text of a transcript in canonical spelling."""
    return "".join(f"{row}\n" for row in _rows(transcript))


def _rows(transcript: Transcript) -> Iterator[str]:
    for header in transcript.headers:
        yield from header.above
        yield f"{header.name}: {header.value}".rstrip()
    for line in transcript.lines:
        yield from line.above
        yield _row(line)
    yield from transcript.below


def _row(line: TranscriptLine) -> str:
    seat = "" if line.seat is None else f"{line.seat}: "
    draws = f" [{' '.join(line.draws)}]" if line.draws else ""
    comment = "" if line.beside is None else f" ; {line.beside}".rstrip()
    return f"{seat}{line.move}{draws}{comment}"
