"""The catalogue is complete: every row has a text in each language, with the same placeholders."""

import string
from typing import Final

import pytest

from service.i18n.catalogue import ENGLISH, LANGUAGES, MESSAGES, PHRASES, Row, Text, rows, subjects

FILES: Final = [(kind, subject) for kind in (MESSAGES, PHRASES) for subject in subjects(kind)]
FORMS: Final = {"cs": {"one", "few", "other"}, "hu": {"other"}}  # Czech counts in three ways, Hungarian in one


def forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def placeholders(text: Text) -> set[str]:
    fields = (field for form in forms(text) for field in string.Formatter().parse(form))
    return {f"{name}!{conversion}:{spec}" for _, name, spec, conversion in fields if name}


def complete(key: str, row: Row) -> Row:
    """A message is its own English text."""
    return row if ENGLISH in row else {ENGLISH: key, **row}


@pytest.mark.parametrize(("kind", "subject"), FILES)
def test_every_row_has_a_text_in_each_language(kind: str, subject: str) -> None:
    table = {key: complete(key, row) for key, row in rows(kind, subject).items()}
    wrong = [key for key, row in table.items() if [*row] != [*LANGUAGES] or not all(map(all, map(forms, row.values())))]
    assert wrong == []


@pytest.mark.parametrize(("kind", "subject"), FILES)
def test_every_row_has_the_same_placeholders_in_each_language(kind: str, subject: str) -> None:
    table = {key: complete(key, row) for key, row in rows(kind, subject).items()}
    assert [
        key for key, row in table.items() if len({frozenset(placeholders(text)) for text in row.values()}) > 1
    ] == []


@pytest.mark.parametrize("subject", subjects(PHRASES))
def test_numbers_have_the_plural_forms_of_their_language(subject: str) -> None:
    counted = [
        (language, set(text))
        for row in rows(PHRASES, subject).values()
        for language, text in row.items()
        if not isinstance(text, str)
    ]
    assert [one for one in counted if "other" not in one[1] or not one[1] <= FORMS.get(one[0], {"one", "other"})] == []


def test_a_message_has_one_row_in_the_catalogue() -> None:
    keys = [key for subject in subjects(MESSAGES) for key in rows(MESSAGES, subject)]
    assert sorted(key for key in {*keys} if keys.count(key) > 1) == []
