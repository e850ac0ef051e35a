"""What the rules name, in the words of the rulebooks of five languages; where a rulebook has none, in words of ours."""

import json
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any, Final, TypeAlias

from projections.rules.plurals import plural

LANGUAGES: Final = ("en", "is", "sv", "cs", "hu")
Forms: TypeAlias = Mapping[str, str]  # plural form -> template


class Labels:
    """The words of one language. A file lists under `ours` the names that are ours and no rulebook's."""

    def __init__(self, language: str, table: Mapping[str, Mapping[str, str | Forms]]) -> None:
        self.language = language
        self._table = table

    def say(self, section: str, name: str, /, **values: object) -> str:
        """The word or filled sentence of this name; a value `n` chooses the plural form."""
        template = self.template(section, name)
        if not isinstance(template, str):
            template = template.get(plural(self.language, values.get("n")), template["other"])
        return template.format(**values)

    def template(self, section: str, name: str, /) -> str | Forms:
        """The word or sentence of this name with its places open, or one for each plural form."""
        return self._table[section][name]

    def count(self, piece: str, n: int) -> str:
        """So many pieces of a kind, in words."""
        return self.say("counts", piece, n=n)

    def names(self) -> frozenset[str]:
        """Everything that can be said, as `section.name`."""
        return frozenset(f"{section}.{name}" for section, names in self._table.items() for name in names)


@cache
def labels(language: str) -> Labels:
    """The words of a language; English where there is no such language."""
    table = read(language if language in LANGUAGES else "en")
    return Labels(language, {section: names for section, names in table.items() if isinstance(names, dict)})


def read(language: str) -> Mapping[str, Any]:
    """The file of a language as it stands: sections of words, and lists about the file itself."""
    table: Mapping[str, Any] = json.loads(files(__package__).joinpath(f"{language}.json").read_text("utf-8"))
    return table
