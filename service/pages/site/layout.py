"""What every page has in common: the reader's language, the phrases in it, who is logged in."""

from functools import partial
from typing import Any

from flask import Flask

from service.i18n import phrases
from service.i18n.catalogue import Text
from service.pages.site.language import NAMES, pages
from service.pages.site.visitor import visitor
from service.web.responses import request_language


def lay_out(app: Flask) -> None:
    """Hand every template what the layout needs; `say` says a phrase in the reader's language."""
    app.register_blueprint(pages)
    app.context_processor(_common)


def _common() -> dict[str, Any]:
    words = request_language()
    return {
        "language": words,
        "languages": NAMES,
        "say": partial(phrases.phrase, words),
        "words": partial(_told, words),
        "visitor": visitor(),
    }


def _told(words: str, *subjects: str) -> dict[str, dict[str, Text]]:
    """The phrases of the subjects that a page's scripts speak of; static/words.js says them."""
    return {subject: phrases.phrases(subject, words) for subject in subjects}
