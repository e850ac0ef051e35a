"""The position as a seat or a spectator may see it (rules 9): secrets are null, and `hides` names them."""

from collections.abc import Mapping
from typing import Any

from events.json_types import Json, JsonObject
from projections.rules.puerto_rico.kinds import GOODS, OVER
from projections.rules.puerto_rico.state.document import document
from projections.rules.puerto_rico.state.position import Position


def view(position: Position, seat: int | None) -> JsonObject:
    """The document with the secrets of others taken out; `seat` None is a spectator."""
    whole: dict[str, Json] = dict(document(position))
    hides: list[Json] = []
    others = [other for other in range(position.seats) if other != seat and position.phase != OVER]
    if position.rulings.hidden_vp:
        _hide_points(whole, others, hides)
    hidden = [sum(position.hidden_faces[other][good] for other in others) for good in range(len(GOODS))]
    if any(hidden):
        _hide_faces(whole, others, hidden, hides)
    if any(position.sealed[other] is not None for other in others):
        _hide_placements(whole, position, others, hides)
    if position.hand >= 0 and position.rulings.hidden_faces and seat != position.actor:
        _hide_drawn_tile(whole, position, hides)
    return whole | {"viewer": seat, "hides": hides}


def _players(whole: Mapping[str, Any]) -> list[dict[str, Any]]:
    players: list[dict[str, Any]] = whole["players"]
    return players


def _hide_points(whole: Mapping[str, Any], others: list[int], hides: list[Json]) -> None:
    """R-90: a player's points are his own secret while the game runs; every gain is public."""
    for other in others:
        for field in ("vp_chips", "vp_noted"):
            _players(whole)[other][field] = None
            hides.append(f"players[{other}].{field}")


def _hide_faces(whole: Mapping[str, Any], others: list[int], hidden: list[int], hides: list[Json]) -> None:
    """R-24: a hidden face may be any tile that is not open, so it is shown among the face-down ones."""
    _show_among_face_down(whole, hidden)
    for other in others:
        for at, tile in enumerate(_players(whole)[other]["island"]):
            if tile.get("hidden"):
                tile["face"] = None
                hides.append(f"players[{other}].island[{at}].face")


def _hide_drawn_tile(whole: Mapping[str, Any], position: Position, hides: list[Json]) -> None:
    """R-24: only its owner has seen the tile he may turn into a forest."""
    _show_among_face_down(whole, [int(good == position.hand) for good in range(len(GOODS))])
    whole["phase"]["drawn_tile"] = None
    hides.append("phase.drawn_tile")


def _show_among_face_down(whole: Mapping[str, Any], tiles: list[int]) -> None:
    """Add tiles to the face-down ones, and say how many of those lie elsewhere."""
    plantations = whole["plantations"]
    down = plantations["face_down"]
    plantations["face_down"] = {
        name: down.get(name, 0) + tiles[good] for good, name in enumerate(GOODS) if down.get(name, 0) + tiles[good]
    }
    plantations["face_down_elsewhere"] = plantations.get("face_down_elsewhere", 0) + sum(tiles)


def _hide_placements(whole: Mapping[str, Any], position: Position, others: list[int], hides: list[Json]) -> None:
    """R-26: simultaneous placements are secret until the last is in."""
    sealed = whole["phase"]["sealed_placements"]
    for other in others:
        if position.sealed[other] is not None:
            sealed[other] = "sealed"
            hides.append(f"phase.sealed_placements[{other}]")
