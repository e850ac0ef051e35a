"""The decisions of the games by name, in words."""

from collections.abc import Mapping
from typing import Final

from projections.rules.puerto_rico.text.labels import labels
from service.i18n.phrases import phrase

OF_SPICE_ROAD: Final = ("action", "caravan_limit")  # the names for Puerto Rico are in its labels


def decision_names(game: str, language: str) -> Mapping[str, str]:
    """Returns the names of the decisions of a game in a language."""
    if game == "puerto_rico":
        return {name: str(text) for name, text in labels(language).section("decisions").items()}
    return {name: phrase(language, f"play.{name}") for name in OF_SPICE_ROAD}
