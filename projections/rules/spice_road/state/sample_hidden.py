"""Samples hidden information of Spice Road: others' hands and point cards, and face-down cards."""

import random
from collections import Counter
from collections.abc import Iterable
from typing import Any

from events.json_types import JsonObject
from projections.rules.spice_road.cards import MARKET, POINT_CARDS, STARTING

ADDED = ("viewer", "hides", "point_deck_count", "merchant_deck_count")


def suppose(view: JsonObject, source: random.Random) -> JsonObject:
    """A document that the view could be of: unseen cards are dealt to the hidden places."""
    whole: dict[str, Any] = dict(view)
    players: list[dict[str, Any]] = list(whole["players"])
    merchants = _unseen(MARKET, [entry["card"] for entry in whole["merchant_row"]], players, ("hand", "played"), source)
    points = _unseen(POINT_CARDS, whole["point_row"], players, ("point_cards",), source)
    document = {name: value for name, value in whole.items() if name not in ADDED}
    document["players"] = [_complete_player(player, merchants, points) for player in players]
    return document | {"point_deck": sorted(points), "merchant_deck": sorted(merchants)}


def _unseen(
    cards: Iterable[str],
    row: Iterable[str],
    players: list[dict[str, Any]],
    places: Iterable[str],
    source: random.Random,
) -> list[str]:
    """The cards that lie nowhere in sight, in any order."""
    seen = {*row, *(card for player in players for place in places for card in player[place] or ())}
    unseen = [card for card in cards if card not in seen]
    source.shuffle(unseen)
    return unseen


def _complete_player(player: dict[str, Any], merchants: list[str], points: list[str]) -> dict[str, Any]:
    known = {name: value for name, value in player.items() if name not in ("hand_count", "point_card_count")}
    if known["hand"] is None:
        starting = list((Counter(STARTING) - Counter(player["played"])).elements())
        bought = player["hand_count"] - len(starting)
        known["hand"] = starting + [merchants.pop() for _ in range(bought)]
    if known["point_cards"] is None:
        known["point_cards"] = [points.pop() for _ in range(player["point_card_count"])]
    return known
