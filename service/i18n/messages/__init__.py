"""What a refusal says, in the reader's language: a table from the English patterns of the sources to four others.

A pattern that no table has is told in English; so is what only an operator meets.
"""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final, TypeAlias

from events.errors import CabildoError
from events.messages import Message
from projections.rules.errors import IllegalMove

FOLDER: Final = Path(__file__).parent
Row: TypeAlias = Mapping[str, str]  # a pattern in each language but English


@cache
def table(subject: str) -> Mapping[str, Row]:
    """The patterns of a subject, each by language."""
    return dict(json.loads((FOLDER / f"{subject}.json").read_text("utf-8")))


@cache
def translations(language: str) -> Mapping[str, str]:
    """All patterns of a language by the English ones."""
    rows = (row for file in FOLDER.glob("*.json") for row in table(file.stem).items())
    return {english: others[language] for english, others in rows if language in others}


def translate(words: str, language: str) -> str:
    """Words in a language, and the words they are made of as well."""
    said = Message(words)
    pattern = translations(language).get(said.pattern)
    if pattern is None:
        return str(said)
    values = {name: _value(value, language) for name, value in said.values.items()}
    return pattern.format(**values) if values else pattern


def error_sentence(error: CabildoError, language: str) -> str:
    """Why something is refused; the rules have their own sentences about moves."""
    return translate(error.sentence_in(language) if isinstance(error, IllegalMove) else error.words, language)


def translate_faults(errors: object, language: str) -> object:
    """What is wrong with fields, under their names: all of it, however deep."""
    if isinstance(errors, Mapping):
        return {name: translate_faults(inner, language) for name, inner in errors.items()}
    if isinstance(errors, list):
        return [translate_faults(inner, language) for inner in errors]
    return translate(errors, language) if isinstance(errors, str) else errors


def _value(value: object, language: str) -> object:
    if isinstance(value, CabildoError):
        return error_sentence(value, language)
    return translate(value, language) if isinstance(value, Message) else value
