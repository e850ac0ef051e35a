"""The rules of each game as HTML: every section, ruling, example, decision, building and option has an anchor.

The text is the project's own Markdown in `deploy/docs/rules`; its citations become links. An anchor is the same in
every language, so that a link leads to the paragraph in the language of its reader.
"""

import html
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Final, NamedTuple

from markdown_it.token import Token

from projections.rules.catalogue import ENGLISH, Catalogue
from projections.rules.registry import GAMES
from service.rulebook.pieces import pieces_document
from service.rulebook.texts import MARKDOWN, chapters

WORDS: Final = Catalogue(files(__package__).joinpath("words"))
HEADING: Final = re.compile(r"(?P<number>\d+(?:\.\d+)?)?\.? ?(?P<words>.*)")
CITED: Final = r"R-\d+|E-\d+|I-\d+|GW-\d+|D-[A-Z0-9]+(?:-[A-Z]+)*"
LABEL: Final = re.compile(rf"(?:{CITED})\b")
CITATION: Final = re.compile(rf"opt:(?P<option>\w+)|\b(?:{CITED})\b|(?<![\d.])\d{{1,2}}\.\d{{1,2}}(?!\.?\d)")
LEVELS: Final = {"h2": 2, "h3": 3}
COLUMNS: Final = {"English": "en", "Icelandic": "is", "Swedish": "sv", "Czech": "cs", "Hungarian": "hu"}


class Heading(NamedTuple):
    """A heading of the rules, for the table of contents."""

    anchor: str
    number: str
    words: str
    level: int


class Rulebook(NamedTuple):
    """The rules of a game as a page shows them."""

    headings: tuple[Heading, ...]
    anchors: frozenset[str]
    html: str


@cache
def rulebook(game: str, language: str) -> Rulebook:
    """Returns the rules of a game in a language."""
    tokens = chapters(game, language)
    _empty_corners(tokens)
    headings = tuple(_with_headings(tokens, _anchors_of_headings(game)))
    anchors = _with_anchors(game, tokens, {heading.anchor for heading in headings})
    for before, token in pairwise(tokens):
        if token.type == "inline" and before.type != "heading_open":
            token.children = list(_with_links(token.children or [], anchors))
    _name_buildings(game, tokens, language)
    _mark_languages(tokens, chapters(game, ENGLISH))
    written = MARKDOWN.renderer.render(tokens, MARKDOWN.options, {})
    return Rulebook(headings, frozenset(anchors), str(written))


def in_short(game: str, language: str) -> str:
    """Returns the game in a few sentences."""
    row = WORDS.rows("short")[game]
    return str(row.get(language, row[ENGLISH]))


def _empty_corners(tokens: list[Token]) -> None:
    """Makes the empty corner of a table a plain cell."""
    for before, inline, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if before.type == "th_open" and not inline.content:
            before.tag = after.tag = "td"


def _anchors_of_headings(game: str) -> Iterator[str]:
    """Yields the anchor of each heading: its number, or the chapter with the English words."""
    chapter = ""
    for number, words, _ in _headings(chapters(game, ENGLISH)):
        chapter = number.partition(".")[0] if number else chapter
        yield number or f"{chapter}-{words.lower().replace(' ', '-')}"


def _headings(tokens: list[Token]) -> Iterator[tuple[str, str, int]]:
    """Yields the number, the words and the place of each heading."""
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            found = HEADING.fullmatch(tokens[at + 1].content)
            assert found is not None
            yield found["number"] or "", found["words"], at


def _with_headings(tokens: list[Token], anchors: Iterable[str]) -> Iterator[Heading]:
    """Yields the headings; gives each its anchor."""
    for anchor, (number, words, at) in zip(anchors, _headings(tokens), strict=True):
        tokens[at].attrSet("id", anchor)
        written = f"{number}. {words}" if number and "." not in number else f"{number} {words}".strip()
        tokens[at + 1].children = [_text(written)]
        yield Heading(anchor, number, words, LEVELS[tokens[at].tag])


def _with_anchors(game: str, tokens: list[Token], known: set[str]) -> set[str]:
    """Gives paragraphs and rows that begin with a label its anchor, the first of each; returns all anchors."""
    anchors = set(known)
    for at, token in enumerate(tokens):
        if token.type not in ("paragraph_open", "td_open", "li_open"):
            continue
        first = tokens[at + 1 if token.type != "li_open" else at + 2]
        anchor = _label(game, first, token.type)
        if anchor and anchor not in anchors:
            anchors.add(anchor)
            (tokens[at - 1] if token.type == "td_open" else token).attrSet("id", anchor)
    return anchors


def _label(game: str, inline: Token, kind: str) -> str | None:
    """Returns the label that a paragraph, a cell or an item begins with."""
    written = inline.content.lstrip("*")
    if found := LABEL.match(written):
        return found[0] if kind == "td_open" or inline.content.startswith("**") else None
    name = re.split(r"[^a-z0-9_]", written.lstrip("`"), maxsplit=1)[0]
    if kind == "paragraph_open" and inline.content.startswith("**") and f"buildings.{name}" in _names(game):
        return name
    if kind == "td_open" and inline.content == f"`{name}`" and name in GAMES[game].choices:
        return f"opt-{name}"
    return None


def _names(game: str) -> Mapping[str, str]:
    pieces = pieces_document(game, ENGLISH)["pieces"]
    assert isinstance(pieces, Mapping)
    return dict.fromkeys(pieces, "")


def _with_links(parts: list[Token], anchors: set[str]) -> Iterator[Token]:
    """Yields the parts of a line; what they cite becomes a link to it, other documents are plain words."""
    depth = 0
    for part in parts:
        if part.type in ("link_open", "link_close"):
            kept = False
        else:
            kept = part.type == "text"
            depth += (part.type == "strong_open") - (part.type == "strong_close")
            if not kept or depth:
                yield part
            else:
                yield from _linked(part.content, anchors)


def _linked(text: str, anchors: set[str]) -> Iterator[Token]:
    end = 0
    for found in CITATION.finditer(text):
        anchor = f"opt-{found['option']}" if found["option"] else found[0]
        if anchor not in anchors:
            continue
        yield _text(text[end : found.start()])
        link = Token("html_inline", "", 0)
        link.content = f'<a href="#{html.escape(anchor)}">{html.escape(found[0])}</a>'
        yield link
        end = found.end()
    yield _text(text[end:])


def _text(content: str) -> Token:
    token = Token("text", "", 0)
    token.content = content
    return token


def _name_buildings(game: str, tokens: list[Token], language: str) -> None:
    """Writes the name of a building, in the language, where its paragraph begins with its id."""
    pieces = pieces_document(game, language)["pieces"]
    assert isinstance(pieces, Mapping)
    for token in tokens:
        parts = token.children or []
        if token.type == "inline" and len(parts) > 1 and parts[0].content == "" and parts[1].type == "strong_open":
            parts = parts[1:]
        if token.type == "inline" and len(parts) > 1 and parts[0].type == "strong_open":
            piece = pieces.get(f"buildings.{parts[1].content}")
            if isinstance(piece, Mapping):
                parts[1].content = str(piece["name"])


def _mark_languages(tokens: list[Token], english: list[Token]) -> None:
    """Marks the cells of the tables of words with their language, which the English head of a column names."""
    columns, at = list[str | None](), 0
    for token, (original, words) in zip(tokens, pairwise(english), strict=False):
        if original.type == "table_open":
            columns = []
        elif original.type == "tr_open":
            at = 0
        elif original.type == "th_open":
            columns.append(COLUMNS.get(words.content))
        elif original.type == "td_open":
            if at < len(columns) and (language := columns[at]):
                token.attrSet("lang", language)
            at += 1
