"""The catalogue is complete: every row has a text in each language, with the same placeholders."""

from typing import Final

import pytest

from projections.rules.catalogue import ENGLISH, LANGUAGES, Row
from service.i18n.catalogue import GUIDES, MAILS, MESSAGES, PHRASES, rows, subjects
from tests.support.catalogues import differing_placeholders, foreign_forms, forms

FILES: Final = [(kind, subject) for kind in (MESSAGES, PHRASES, MAILS, GUIDES) for subject in subjects(kind)]


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
    assert differing_placeholders({key: complete(key, row) for key, row in rows(kind, subject).items()}) == []


@pytest.mark.parametrize("subject", subjects(PHRASES))
def test_numbers_have_the_plural_forms_of_their_language(subject: str) -> None:
    assert foreign_forms(dict(rows(PHRASES, subject))) == []


def test_a_message_has_one_row_in_the_catalogue() -> None:
    keys = [key for subject in subjects(MESSAGES) for key in rows(MESSAGES, subject)]
    assert sorted(key for key in {*keys} if keys.count(key) > 1) == []
