"""The catalogue of the service's texts, in the format of `projections/rules/catalogue.py`.

Messages (refusals, titles, reports) are keyed by their English sentence, phrases of the pages and
texts of mails and of guided games by a name.
"""

from collections.abc import Mapping
from importlib.resources import files
from typing import Final

from projections.rules.catalogue import Catalogue, Row

MESSAGES: Final = "messages"
PHRASES: Final = "phrases"
MAILS: Final = "mails"
GUIDES: Final = "guides"
_WORDS: Final = files(__package__).joinpath("words")
_CATALOGUES: Final = {kind: Catalogue(_WORDS.joinpath(kind)) for kind in (MESSAGES, PHRASES, MAILS, GUIDES)}


def subjects(kind: str) -> tuple[str, ...]:
    """Returns the subjects of messages, phrases, mails or guided games, sorted."""
    return _CATALOGUES[kind].subjects()


def rows(kind: str, subject: str) -> Mapping[str, Row]:
    """Returns the rows of a subject by key."""
    return _CATALOGUES[kind].rows(subject)
