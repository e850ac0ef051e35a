"""Why a move is refused, in sentences a player understands, in five languages."""

from projections.rules.catalogue import LANGUAGES
from projections.rules.spice_road.text.labels import labels


def sentences(key: str, **values: object) -> dict[str, str]:
    """Returns a sentence by language."""
    return {language: labels(language).say("problems", key, **values) for language in LANGUAGES}
