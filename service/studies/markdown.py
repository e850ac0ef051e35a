"""Comments as HTML: Markdown without raw HTML, then nothing but harmless elements; and texts without any markup."""

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
    """The comment as it is shown; links lead out of the page, and tell nobody where from."""
    return nh3.clean(
        MARKDOWN.render(text),
        tags=ELEMENTS,
        attributes={"a": {"href", "title"}},
        url_schemes=SCHEMES,
        link_rel="nofollow ugc noopener noreferrer",
    )


def flat(text: str) -> str:
    """A text on one line, in which nothing is markup."""
    return "".join(f"\\{letter}" if letter in "\\`*_{}[]<>()#+-!|" else letter for letter in " ".join(text.split()))
