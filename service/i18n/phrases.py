"""Phrases of the pages by name, with plural forms."""

from projections.rules.catalogue import ENGLISH, Text, fill
from service.i18n import catalogue
from service.i18n.catalogue import PHRASES


def phrases(subject: str, language: str) -> dict[str, Text]:
    """Returns all phrases of a subject in a language, as scripts of the pages take them."""
    return {name: row.get(language, row[ENGLISH]) for name, row in catalogue.rows(PHRASES, subject).items()}


def phrase(language: str, key: str, /, **values: object) -> str:
    """Returns the phrase `subject.name` with its placeholders filled in; the value `n` selects the plural form."""
    subject, _, name = key.partition(".")
    row = catalogue.rows(PHRASES, subject)[name]
    return fill(language, row.get(language, row[ENGLISH]), values)
