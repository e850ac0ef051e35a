"""What the rules name, in the words of the rulebooks of five languages; where a rulebook has none, in words of ours.

`ours.json` lists the names that no rulebook of a language has.
"""

from functools import cache
from importlib.resources import files
from typing import Final

from projections.rules.catalogue import ENGLISH, LANGUAGES, Catalogue, Labels

CATALOGUE: Final = Catalogue(files(__package__).joinpath("words"))


def labels(language: str) -> Labels:
    """Returns the words of a language; English for an unknown language."""
    return _labels(language if language in LANGUAGES else ENGLISH)


@cache
def _labels(language: str) -> Labels:
    return Labels(CATALOGUE, language)
