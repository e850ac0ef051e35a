"""Reports of studies with pictures: Markdown with links to them, or one HTML page that embeds them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import Any, Final, NamedTuple

from events.messages import Message
from projections.pictures import picture
from projections.studies.glyphs import GLYPHS
from projections.studies.script import Annotations, Branch, ScriptChapter, children, lines
from projections.studies.study import START, Place
from service.i18n import messages, phrases
from service.studies.markdown import flat, to_html

MOST_PICTURES: Final = 60
STYLE: Final = """
body { font: 1rem/1.5 Georgia, serif; max-width: 50rem; margin: 2rem auto; padding: 0 1rem; color: #2b2117; }
svg { max-width: 100%; height: auto; } blockquote, .said { border-left: 4px solid #d8c9ab; padding-left: 1rem; }
.move { font-weight: 700; } .variation, code { color: #6b5b49; } .by { color: #6b5b49; font-size: .9rem; }
"""
BEGINNING: Final = Message("the beginning")
PICTURE: Final = Message("the board")
BoardAt = Callable[[Place], Any]  # returns the board at a place


class Sheet(NamedTuple):
    """A chapter of a report, labelled in the reader's language."""

    chapter: int
    part: ScriptChapter
    seats: Sequence[str]
    labels: Mapping[Place, str]  # labels of moves by place
    board_at: BoardAt


class StudyReport(NamedTuple):
    """All visible chapters of a study, in one language."""

    title: str
    language: str
    sheets: Sequence[Sheet]

    def say(self, said: str) -> str:
        """Returns a phrase in the language of the report."""
        return messages.translate(said, self.language)


class ReportLine(NamedTuple):
    """A line of the report: a move, its notes, and whether its board is shown."""

    words: str
    notation: str
    deep: int  # depth; 0: the game itself
    said: Annotations
    place: Place
    shown: bool


def rows(sheet: Sheet, report: StudyReport) -> Iterator[ReportLine]:
    """Yields the moves of a chapter in order; shows boards at its start and at annotated places."""
    part, beginning, language = sheet.part, report.say(BEGINNING), report.language
    after = children(part.branches)
    if part.position is not None:
        yield ReportLine(beginning, "", 0, part.opening, START, True)
        yield from _branches(sheet, after, START, language)
    for number, step in enumerate(part.steps):
        place = str(step.seq)
        said = beginning if number == 0 else f"#{place}"
        if step.seat is not None and step.move is not None:
            said = _move(sheet, place, step.seat, step.move, language)
        yield ReportLine(said, step.move or "", 0, step.said, place, number == 0 or step.said != Annotations())
        yield from _branches(sheet, after, place, language)


def _branches(
    sheet: Sheet, after: Mapping[Place, Sequence[Branch]], place: Place, language: str
) -> Iterator[ReportLine]:
    for deep, _, branch in lines(after, place):
        here = f"v{branch.number}"
        said = _move(sheet, here, branch.seat, branch.move, language)
        yield ReportLine(said, branch.move, max(1, deep), branch.said, here, branch.said != Annotations())


def _move(sheet: Sheet, place: Place, seat: int, move: str, language: str) -> str:
    """Returns the sentence of a played move: `Nina built the hacienda`."""
    return phrases.phrase(language, "replay.done", name=sheet.seats[seat], done=sheet.labels.get(place, move))


def markdown(report: StudyReport, address: Callable[[int, Place], str]) -> str:
    """Returns the report as Markdown; `address` returns the URL of the picture of a place."""
    lines, drawn = [f"# {flat(report.title)}"], report.say(PICTURE)
    for sheet in report.sheets:
        lines += ["", f"## {flat(sheet.part.title)}", ""]
        for row in rows(sheet, report):
            margin, strong = "  " * row.deep, "" if row.deep else "**"
            notation = f" `{row.notation}`" if row.notation else ""
            lines.append(f"{margin}- {strong}{flat(row.words)}{strong}{notation}{_signs(row.said)}")
            lines += [f"{margin}  {line}" for line in _said_in_markdown(row.said)]
            if row.shown:
                lines += ["", f"{margin}  ![{drawn}]({address(sheet.chapter, row.place)})", ""]
    return "\n".join(lines) + "\n"


def _said_in_markdown(said: Annotations) -> Iterator[str]:
    for remark in said.remarks:
        yield ""
        yield from (f"> {line}".rstrip() for line in remark.text.split("\n"))
        yield from (() if remark.author is None else ("", f"  — {flat(remark.author)}"))
    if said.task is not None:
        yield from ("", *(f"> **?** {line}".rstrip() for line in said.task.text.split("\n")))


def html(report: StudyReport) -> str:
    """Returns the report as one self-contained HTML page."""
    lines, left = [f"<h1>{escape(report.title)}</h1>"], MOST_PICTURES
    for sheet in report.sheets:
        lines.append(f"<h2>{escape(sheet.part.title)}</h2>")
        for row in rows(sheet, report):
            lines += [_row_in_html(row, sheet.chapter), *_said_in_html(row.said)]
            if row.shown and left:
                lines.append(_picture(sheet, row, report.language))
                left -= 1
    head = f'<meta charset="utf-8"><title>{escape(report.title)}</title><style>{STYLE}</style>'
    page = f'<html lang="{report.language}"><head>{head}</head><body>\n' + "\n".join(lines)
    return f"<!doctype html>\n{page}\n</body></html>\n"


def _row_in_html(row: ReportLine, chapter: int) -> str:
    """Returns a move as a paragraph with the anchor that comments link to."""
    kind = "variation" if row.deep else "move"
    margin = f' style="margin-left: {min(row.deep, 10) * 1.5}rem"' if row.deep else ""
    notation = f" <code>{escape(row.notation)}</code>" if row.notation else ""
    said = f"{escape(row.words)}{notation}{escape(_signs(row.said))}"
    return f'<p id="{chapter}/{row.place}" class="{kind}"{margin}>{said}</p>'


def _said_in_html(said: Annotations) -> Iterator[str]:
    for remark in said.remarks:
        by = "" if remark.author is None else f'<p class="by">{escape(remark.author)}</p>'
        yield f'<div class="said">{to_html(remark.text)}{by}</div>'
    if said.task is not None:
        yield f'<div class="said"><strong>?</strong> {to_html(said.task.text)}</div>'


def _picture(sheet: Sheet, row: ReportLine, language: str) -> str:
    markers = [marker for marking in row.said.markings for marker in marking.markers]
    return picture(sheet.board_at(row.place), sheet.seats, markers, language)


def _signs(said: Annotations) -> str:
    numbers = [number for marking in said.markings for number in marking.glyphs]
    signs = [GLYPHS[number].sign for number in dict.fromkeys(numbers) if number in GLYPHS]
    return f" {' '.join(signs)}" if signs else ""
