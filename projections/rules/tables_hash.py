"""The hash of everything that the rules of a game read: whether two programs play a version by the same tables."""

from functools import cache
from hashlib import sha256
from typing import Final

from events.canonical import canonical
from events.json_types import JsonObject
from events.log.bundle import RulesData
from projections.rules.registry import is_known, rules_of

PREFIX: Final = b"cabildo/rules/v1\n"


@cache
def rules_data(game: str, version: str) -> RulesData | None:
    """The version with the hash of its tables; None of rules that this program does not know."""
    if not is_known(game, version):
        return None
    document: JsonObject = {"game": game, "version": version, "tables": rules_of(game, version).tables}
    return RulesData(version, sha256(PREFIX + canonical(document)).digest())
