"""Renders the project's own Markdown documents as parts of pages: headings get anchors, and links lead to pages."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import Final, NamedTuple

from markdown_it import MarkdownIt
from markdown_it.token import Token

from service.pages.docs.contents import DEPLOY, PICTURES, PICTURES_AT, SERVED

DOCUMENTS: Final = DEPLOY / "docs"
MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
COMMENT: Final = re.compile(r"<!--.*?-->", re.DOTALL)
TABLE: Final = '<div class="scrolled" tabindex="0" role="group" aria-label="{name}">\n'


class PageHeading(NamedTuple):
    """A heading of a document."""

    level: int
    anchor: str
    text: str


class WrittenDocument(NamedTuple):
    """A rendered document."""

    title: str
    html: str
    headings: tuple[PageHeading, ...]  # without the title
    sections: tuple[str, ...]  # the plain text before the first of these headings, and below each


@cache
def text_of(name: str) -> str:
    """Returns the text of a document."""
    return (DOCUMENTS / name).read_text(encoding="utf-8")


@cache
def read(file: str) -> WrittenDocument:
    """Returns a document below deploy/, rendered; there are a few dozen of them."""
    path = DEPLOY / file
    return render(path.read_text(encoding="utf-8"), path.parent)


def to_html(text: str) -> str:
    """Returns the HTML of Markdown that the project has written itself."""
    return render(text, DOCUMENTS).html


def render(text: str, folder: Path) -> WrittenDocument:
    """Returns rendered Markdown, whose links are relative to a folder."""
    tokens = MARKDOWN.parse(COMMENT.sub("", text))
    headings, sections = list[PageHeading](), [list[str]()]
    for at, token in enumerate(tokens):
        inline = tokens[at + 1] if at + 1 < len(tokens) else token
        if token.type == "heading_open":
            headings.append(_heading(token, inline, headings))
            sections.append([])
        elif token.type == "th_open" and not inline.content:
            token.tag = "td"  # an empty cell is no header; its end follows
            tokens[at + 2].tag = "td"
        elif token.type in ("inline", "fence", "code_block") and tokens[at - 1].type != "heading_open":
            sections[-1].append(_plain(token))
        if token.children:
            token.children = list(_with_served_links(token.children, folder))
    html = str(MARKDOWN.renderer.render(list(_framed(tokens, headings)), MARKDOWN.options, {}))
    texts = [" ".join(parts) for parts in sections]
    if headings and headings[0].level == 1:
        return WrittenDocument(headings[0].text, html, tuple(headings[1:]), (" ".join(texts[:2]), *texts[2:]))
    return WrittenDocument("", html, tuple(headings), tuple(texts))


def slug(heading: str) -> str:
    """Returns the anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _heading(token: Token, inline: Token, before: Iterable[PageHeading]) -> PageHeading:
    """Returns a heading with an anchor that no other has."""
    wanted = slug(inline.content)
    taken = {heading.anchor for heading in before}
    numbered = (f"{wanted}-{number}" for number in range(1, len(taken) + 2))
    anchor = next(one for one in (wanted, *numbered) if one not in taken)
    token.attrSet("id", anchor)
    return PageHeading(int(token.tag[1:]), anchor, _plain(inline))


def _plain(token: Token) -> str:
    """Returns the words of a part without its marks."""
    if not token.children:
        return token.content
    return "".join(" " if child.type == "softbreak" else child.content for child in token.children)


def _framed(tokens: Iterable[Token], headings: Iterable[PageHeading]) -> Iterator[Token]:
    """Yields the parts; headings below the title lead to themselves, wide things can be scrolled by keyboard."""
    coming, inside = iter(headings), PageHeading(0, "", "")
    for token in tokens:
        if token.type == "heading_open":
            inside = next(coming)
        if token.attrGet("style"):  # alignment; the policy of the pages takes no inline style
            token.attrs = {"class": "number"} if "right" in str(token.attrGet("style")) else {}
        if token.type == "table_open":
            yield _raw(TABLE.format(name=escape(inside.text)))
        if token.type in ("fence", "code_block"):
            language = f' data-language="{escape(token.info)}"' if token.info else ""
            yield _raw(f'<pre tabindex="0"{language}><code>{escape(token.content, quote=False)}</code></pre>\n')
            continue
        closes = token.type == "heading_close" and inside.level > 1
        if closes:
            yield _raw(f' <a class="anchor" href="#{inside.anchor}" aria-label="#{inside.anchor}">#</a>')
        yield token
        if token.type == "table_close":
            yield _raw("</div>\n")


def _raw(html: str) -> Token:
    return Token("html_block", "", 0, content=html)


def _with_served_links(tokens: Iterable[Token], folder: Path) -> Iterator[Token]:
    """Yields the parts of a line; a link to a document that no page shows is dropped, its words stay."""
    kept: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrGet("href")), folder)
            kept.append(target is not None)
            token.attrSet("href", target or "")
        if token.type == "image":
            token.attrSet("src", f"{PICTURES_AT}/{Path(str(token.attrGet('src'))).name}")
            token.attrSet("loading", "lazy")
        shown = kept[-1] if token.type == "link_open" else kept.pop() if token.type == "link_close" else True
        if shown:
            yield token


def _target(href: str, folder: Path) -> str | None:
    path, mark, anchor = href.partition("#")
    if path.startswith(("https:", "/")) or not path:
        return href
    served = SERVED.get((folder / path).resolve())
    return f"{served}{mark}{anchor}" if served else None


def picture(name: str) -> Path | None:
    """Returns the file of a picture; None when there is none of this name."""
    return next((file for file in PICTURES.glob("*.svg") if file.name == name), None)
