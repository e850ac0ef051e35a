"""Template variables of every page: the reader's language, its phrases, the visitor."""

from functools import partial
from typing import Any

from flask import Flask

from projections.rules.catalogue import Text
from service.i18n import phrases
from service.pages.site.language import NAMES, pages
from service.pages.site.visitor import visitor
from service.web.responses import request_language


def add_template_variables(app: Flask) -> None:
    """Passes the layout's variables to every template; `say` translates a phrase into the reader's language."""
    app.register_blueprint(pages)
    app.context_processor(_common)


def _common() -> dict[str, Any]:
    words = request_language()
    return {
        "language": words,
        "languages": NAMES,
        "say": partial(phrases.phrase, words),
        "words": partial(_phrases, words),
        "visitor": visitor(),
    }


def _phrases(words: str, *subjects: str) -> dict[str, dict[str, Text]]:
    """Returns the phrases of some subjects for a page's scripts; static/words.js reads them."""
    return {subject: phrases.phrases(subject, words) for subject in subjects}
