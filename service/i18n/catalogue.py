"""The catalogue of texts: five languages, one format, one JSON file per subject under `words/`.

Each file maps a key to a row, each row maps a language to its text. Messages (refusals, titles, reports) are keyed by
their English sentence, phrases of the pages by a name. A sixth language is a member of `LANGUAGES` and of every row.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

LANGUAGES: Final = ("en", "is", "sv", "cs", "hu")
ENGLISH: Final = LANGUAGES[0]
FOLDER: Final = Path(__file__).with_name("words")
MESSAGES: Final = "messages"
PHRASES: Final = "phrases"

Text: TypeAlias = str | Mapping[str, str]  # a sentence, or one for each plural form
Row: TypeAlias = Mapping[str, Text]  # by language


@cache
def subjects(kind: str) -> tuple[str, ...]:
    """Returns the subjects of messages or phrases, sorted."""
    return tuple(sorted(file.stem for file in (FOLDER / kind).glob("*.json")))


@cache
def rows(kind: str, subject: str) -> Mapping[str, Row]:
    """Returns the rows of a subject by key."""
    return dict(json.loads((FOLDER / kind / f"{subject}.json").read_text("utf-8")))
