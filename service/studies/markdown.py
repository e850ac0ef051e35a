"""Renders comments: Markdown without raw HTML, sanitised; and escapes plain text."""

from functools import lru_cache
from typing import Final

import nh3
from markdown_it import MarkdownIt

ELEMENTS: Final = {
    *("p", "br", "em", "strong", "s", "code", "pre", "blockquote", "ul", "ol", "li", "hr", "a"),
    *("h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
SCHEMES: Final = {"http", "https", "mailto"}
MARKDOWN: Final = MarkdownIt("commonmark", {"html": False, "breaks": True, "maxNesting": 20}).enable(
    ["table", "strikethrough"]
)


@lru_cache(maxsize=4_096)
def to_html(text: str) -> str:
    """Returns the sanitised HTML of a comment; its links send no referrer."""
    return nh3.clean(
        MARKDOWN.render(text),
        tags=ELEMENTS,
        attributes={"a": {"href", "title"}},
        url_schemes=SCHEMES,
        link_rel="nofollow ugc noopener noreferrer",
    )


def flat(text: str) -> str:
    """Returns a text on one line with its Markdown escaped."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>()#+-!|" else letter for letter in " ".join(text.split()))
