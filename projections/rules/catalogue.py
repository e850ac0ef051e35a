"""Catalogues of texts: one format for the service and the labels of games, in five languages.

A catalogue is a folder with a JSON file per subject. A file maps a name to a row; a row maps a language to its text, or
to a text for each plural form. A sixth language is a member of `LANGUAGES` and of every row.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources.abc import Traversable
from typing import Final, NamedTuple, TypeAlias

from projections.rules.plurals import plural

LANGUAGES: Final = ("en", "is", "sv", "cs", "hu")
ENGLISH: Final = LANGUAGES[0]
ORDERS: Final = "orders"  # sections of a game's catalogue
REPORTS: Final = "reports"
SUFFIX: Final = ".json"

Text: TypeAlias = str | Mapping[str, str]  # a sentence, or one for each plural form
Row: TypeAlias = Mapping[str, Text]  # by language


class Catalogue:
    """The texts of a folder."""

    def __init__(self, folder: Traversable) -> None:
        self._folder = folder
        self.rows = cache(self._rows)

    def subjects(self) -> tuple[str, ...]:
        """Returns the subjects, sorted."""
        return tuple(
            sorted(file.name.removesuffix(SUFFIX) for file in self._folder.iterdir() if file.name.endswith(SUFFIX))
        )

    def _rows(self, subject: str) -> Mapping[str, Row]:
        """Returns the rows of a subject by name."""
        return dict(json.loads(self._folder.joinpath(f"{subject}{SUFFIX}").read_text("utf-8")))


class Labels:
    """The texts of a catalogue in one language; English where a row lacks the language."""

    def __init__(self, catalogue: Catalogue, language: str) -> None:
        self.language = language
        self._table: Mapping[str, Mapping[str, Text]] = {
            subject: {name: row.get(language, row[ENGLISH]) for name, row in catalogue.rows(subject).items()}
            for subject in catalogue.subjects()
        }

    def say(self, section: str, name: str, /, **values: object) -> str:
        """Returns a text with its placeholders filled in; the value `n` selects the plural form."""
        return fill(self.language, self._table[section][name], values)

    def template(self, section: str, name: str, /) -> Text:
        """Returns a text with its placeholders open, or one for each plural form."""
        return self._table[section][name]

    def count(self, piece: str, n: int) -> str:
        """Returns a number of pieces of a kind in words."""
        return self.say("counts", piece, n=n)

    def section(self, section: str) -> Mapping[str, Text]:
        """Returns the texts of a section by name."""
        return self._table[section]


class MoveSentences(NamedTuple):
    """The sentences about moves in one language: orders to a player, or reports of played moves without the player."""

    labels: Labels
    section: str

    def say(self, name: str, /, **values: object) -> str:
        """Returns the sentence of a kind of move with its placeholders filled in."""
        return self.labels.say(self.section, name, **values)


def fill(language: str, text: Text, values: Mapping[str, object]) -> str:
    """Returns a text with its placeholders filled in; the value `n` selects the plural form."""
    if not isinstance(text, str):
        text = text.get(plural(language, values.get("n")), text["other"])
    return text.format(**values)
