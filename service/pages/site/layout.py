"""Template variables of every page: the reader's language, its phrases, the visitor."""

from functools import partial
from typing import Any

from flask import Flask

from projections.rules.catalogue import Text
from service.i18n import phrases
from service.pages.site.language import NAMES, pages
from service.pages.site.module_graph import module
from service.pages.site.visitor import Visitor, own_appearance, visitor
from service.players.preferences.values import Appearance
from service.web.responses import request_language
from service.web.routing import container


def add_template_variables(app: Flask) -> None:
    """Passes the layout's variables to every template; `say` translates a phrase into the reader's language."""
    app.register_blueprint(pages)
    app.context_processor(_common)


def _common() -> dict[str, Any]:
    words, reader = request_language(), visitor()
    return {
        "language": words,
        "languages": NAMES,
        "say": partial(phrases.phrase, words),
        "words": partial(_phrases, words),
        "module": module,
        "visitor": reader,
        "public_url": container().settings.public_url.rstrip("/"),
        "html_attributes": _html_attributes(reader),
    }


def _html_attributes(reader: Visitor | None) -> dict[str, object]:
    """Returns the reader's unusual settings as attributes of the page, where styles have them at the first paint."""
    chosen, usual = own_appearance(reader)._asdict(), Appearance()._asdict()
    return {f"data-{name}": value for name, value in chosen.items() if value != usual[name]}


def _phrases(words: str, *subjects: str) -> dict[str, dict[str, Text]]:
    """Returns the phrases of some subjects for a page's scripts; static/words.js reads them."""
    return {subject: phrases.phrases(subject, words) for subject in subjects}
