"""What every page has in common: the reader's language, the phrases in it, who is logged in."""

from functools import partial
from typing import Any

from flask import Flask

from service.pages import phrases
from service.pages.visitor import visitor
from service.transfer import language


def lay_out(app: Flask) -> None:
    """Hand every template what the layout needs; `say("subject.phrase")` says it in the reader's language."""
    app.context_processor(_common)


def _common() -> dict[str, Any]:
    words = language()
    return {"language": words, "say": partial(phrases.say, words), "visitor": visitor()}
