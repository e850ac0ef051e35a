"""Redacts events for viewers while the game runs: hides the secret facts of other seats."""

from collections.abc import Mapping
from typing import Any

from events.json_types import JsonObject

Data = Mapping[str, Any]
# Fields that would let a viewer try out moves: the seed of a bot's decision, a signature.
TELLING = ("move", "bot", "signature")


def conceal(document: JsonObject, secrets: Mapping[str, str], viewer: int | None) -> JsonObject:
    """Returns an event's document without the secret facts of other seats, or fields that would reveal them.

    Removes the digest of the position and the salt too: with them a viewer could guess the hidden facts.
    """
    data: Data = _data(document)
    if not secrets or "digest" not in data:
        return document
    facts = data.get("facts", ())
    revealed = {fact[0] for fact in facts}
    hidden = {secret for secret, open_fact in secrets.items() if open_fact not in revealed}
    seen = [fact for fact in facts if fact[0] not in hidden or fact[1] == viewer]
    withheld = ["digest", "salt"]
    visible: dict[str, Any] = {**data, "digest": None}
    if len(seen) < len(facts):
        then = [forced for forced in data["then"] if forced["seat"] == viewer]
        visible |= {"facts": seen, "drew": [], "then": then}
        withheld += ["drew", "facts", "then"]
        if data.get("seat") != viewer:
            telling = [name for name in TELLING if data.get(name) is not None]
            visible |= dict.fromkeys(telling)
            withheld += telling
    return {**document, "salt": None, "data": visible, "withheld": withheld}


def _data(document: JsonObject) -> Data:
    data: Any = document["data"]
    return data if isinstance(data, Mapping) else {}
