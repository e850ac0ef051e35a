"""The Markdown of the rules of each game, in English and in translation; the English text decides.

A translation has the blocks of the English text one by one (`tests/service/rulebook/test_translations.py`).
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from projections.rules.catalogue import ENGLISH

FOLDER: Final = Path(__file__).parents[2] / "deploy/docs/rules"
NAMES: Final[Mapping[str, str]] = {"puerto_rico": "puerto-rico.md", "spice_road": "spice-road.md"}
MARKDOWN: Final = MarkdownIt("commonmark", {"html": False}).enable("table")
FIRST: Final = re.compile(r"^## \d", re.MULTILINE)  # what stands above the first chapter is about the text


def source(game: str, language: str) -> Path:
    """Returns the file with the rules of a game in a language."""
    return (FOLDER if language == ENGLISH else FOLDER / language) / NAMES[game]


def chapters(game: str, language: str) -> list[Token]:
    """Returns the parsed chapters of the rules of a game."""
    text = source(game, language).read_text(encoding="utf-8")
    first = FIRST.search(text)
    assert first is not None
    return MARKDOWN.parse(text[first.start() :])
