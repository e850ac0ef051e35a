"""What the pages say around the boards, in five languages: one file for each subject, one row for each phrase."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from projections.rules.plurals import plural

FALLBACK: Final = "en"
FOLDER: Final = Path(__file__).parent
Phrase: TypeAlias = str | Mapping[str, str]  # a sentence, or one for each plural form


@cache
def read(subject: str) -> Mapping[str, Mapping[str, Phrase]]:
    """The phrases of a subject, each by language."""
    return dict(json.loads((FOLDER / f"{subject}.json").read_text("utf-8")))


def phrases(subject: str, language: str) -> dict[str, Phrase]:
    """All phrases of a subject in a language, as scripts take them."""
    return {name: row.get(language, row[FALLBACK]) for name, row in read(subject).items()}


def phrase(language: str, key: str, /, **values: object) -> str:
    """A phrase, named `subject.phrase`, with its places filled in; a value `n` chooses the plural form."""
    subject, _, name = key.partition(".")
    row = read(subject)[name]
    phrase = row.get(language, row[FALLBACK])
    if not isinstance(phrase, str):
        phrase = phrase.get(plural(language, values.get("n")), phrase["other"])
    return phrase.format(**values)
