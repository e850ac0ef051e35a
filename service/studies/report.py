"""A study as a report with pictures: Markdown that links to them, or one page of HTML that carries them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final, NamedTuple

from projections.pictures import picture
from projections.studies.glyphs import GLYPHS
from projections.studies.script import Branch, Part, Said, Script, children, lines
from projections.studies.study import START, Place
from service.prose import to_html

MOST_PICTURES: Final = 60
BEGINNING: Final = "the beginning"
STYLE: Final = """
body { font: 1rem/1.5 Georgia, serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #2b2117; }
svg { max-width: 100%; height: auto; } blockquote, .said { border-left: 4px solid #d8c9ab; padding-left: 1rem; }
.move { font-weight: 700; } .variation { color: #6b5b49; } .by { color: #6b5b49; font-size: .9rem; }
"""
Look = Callable[[int, Place], Any]  # the board at a place of a chapter, by the chapter's place in the script


class Told(NamedTuple):
    """A line of the report: a move with what is said about it, and where its board is, if it is shown."""

    words: str
    deep: int  # 0: the game itself
    said: Said
    place: Place
    shown: bool


def rows(part: Part, seats: Sequence[str]) -> Iterator[Told]:
    """The moves of a chapter in order; boards are shown where it begins and where something is said."""
    after = children(part.branches)
    if part.position is not None:
        yield Told(BEGINNING, 0, part.opening, START, True)
        yield from _branches(after, START, seats)
    for number, step in enumerate(part.steps):
        other = f"event {step.seq}" if number else BEGINNING
        words = other if step.move is None else f"{_name(seats, step.seat)}: {step.move}"
        yield Told(words, 0, step.said, str(step.seq), number == 0 or step.said != Said())
        yield from _branches(after, str(step.seq), seats)


def _branches(after: Mapping[Place, Sequence[Branch]], place: Place, seats: Sequence[str]) -> Iterator[Told]:
    for deep, _, branch in lines(after, place):
        words = f"{_name(seats, branch.seat)}: {branch.move}"
        yield Told(words, max(1, deep), branch.said, f"v{branch.number}", branch.said != Said())


def _name(seats: Sequence[str], seat: int | None) -> str:
    return "" if seat is None else seats[seat] if seat < len(seats) else f"seat {seat}"


def markdown(script: Script, seats: Sequence[Sequence[str]], address: Callable[[int, Place], str]) -> str:
    """The report as Markdown; `address` is where the picture of a place is."""
    told = [f"# {_flat(script.title)}"]
    for number, part in enumerate(script.parts):
        told += ["", f"## {_flat(part.title)}", ""]
        for row in rows(part, [_flat(name) for name in seats[number]]):
            signs = _signs(row.said)
            told.append(f"{'  ' * row.deep}- {'' if row.deep else '**'}{row.words}{'' if row.deep else '**'}{signs}")
            told += [f"{'  ' * row.deep}  {line}" for line in _said_in_markdown(row.said)]
            if row.shown:
                told += ["", f"{'  ' * row.deep}  ![the board]({address(number, row.place)})", ""]
    return "\n".join(told) + "\n"


def _said_in_markdown(said: Said) -> Iterator[str]:
    for remark in said.remarks:
        yield ""
        yield from (f"> {line}".rstrip() for line in remark.text.split("\n"))
        yield from (() if remark.author is None else ("", f"  — {_flat(remark.author)}"))
    if said.task is not None:
        yield from ("", *(f"> **?** {line}".rstrip() for line in said.task.text.split("\n")))


def html(script: Script, seats: Sequence[Sequence[str]], look: Look) -> str:
    """The report as one page that needs nothing else."""
    told, left = [f"<h1>{escape(script.title)}</h1>"], MOST_PICTURES
    for number, part in enumerate(script.parts):
        told.append(f"<h2>{escape(part.title)}</h2>")
        for row in rows(part, seats[number]):
            kind = "variation" if row.deep else "move"
            margin = f' style="margin-left: {min(row.deep, 10) * 1.5}rem"' if row.deep else ""
            told.append(f'<p class="{kind}"{margin}>{escape(row.words)}{escape(_signs(row.said))}</p>')
            told += _said_in_html(row.said)
            if row.shown and left:
                markers = [marker for marking in row.said.markings for marker in marking.markers]
                told.append(picture(look(number, row.place), seats[number], markers))
                left -= 1
    head = f'<meta charset="utf-8"><title>{escape(script.title)}</title><style>{STYLE}</style>'
    return f"<!doctype html>\n<html><head>{head}</head><body>\n" + "\n".join(told) + "\n</body></html>\n"


def _said_in_html(said: Said) -> Iterator[str]:
    for remark in said.remarks:
        by = "" if remark.author is None else f'<p class="by">{escape(remark.author)}</p>'
        yield f'<div class="said">{to_html(remark.text)}{by}</div>'
    if said.task is not None:
        yield f'<div class="said"><strong>?</strong> {to_html(said.task.text)}</div>'


def _signs(said: Said) -> str:
    numbers = [number for marking in said.markings for number in marking.glyphs]
    signs = [GLYPHS[number].sign for number in dict.fromkeys(numbers) if number in GLYPHS]
    return f" {' '.join(signs)}" if signs else ""


def _flat(text: str) -> str:
    """A text on one line, in which nothing is markup."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>()#+-!|" else letter for letter in " ".join(text.split()))
