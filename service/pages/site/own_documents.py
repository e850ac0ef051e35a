"""Renders the project's own Markdown documents as parts of pages: headings get anchors, and links lead to pages."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

DOCUMENTS: Final = Path(__file__).parents[3] / "deploy" / "docs"
SERVED: Final[Mapping[str, str]] = {"changelog.md": "/changelog", "compatibility.md": "/compatibility"}
MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")


@cache
def text_of(name: str) -> str:
    """Returns the text of a document."""
    return (DOCUMENTS / name).read_text(encoding="utf-8")


def to_html(text: str) -> str:
    """Returns the HTML of Markdown that the project has written itself."""
    tokens = MARKDOWN.parse(text)
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", slug(tokens[at + 1].content))
        if token.children:
            token.children = list(_with_served_links(token.children))
    return str(MARKDOWN.renderer.render(tokens, MARKDOWN.options, {}))


def slug(heading: str) -> str:
    """Returns the anchor of a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _with_served_links(tokens: Iterable[Token]) -> Iterator[Token]:
    """Yields the parts of a line; a link to a document that no page shows is dropped, its words stay."""
    kept: list[bool] = []
    for token in tokens:
        if token.type == "link_open":
            target = _target(str(token.attrGet("href")))
            kept.append(target is not None)
            token.attrSet("href", target or "")
        shown = kept[-1] if token.type == "link_open" else kept.pop() if token.type == "link_close" else True
        if shown:
            yield token


def _target(href: str) -> str | None:
    path, mark, anchor = href.partition("#")
    if path.startswith(("https:", "/")) or not path:
        return href
    return f"{SERVED[path]}{mark}{anchor}" if path in SERVED else None
