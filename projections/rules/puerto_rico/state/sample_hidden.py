"""Samples hidden information of Puerto Rico: faces under others' forests, drawn tiles, sealed placements."""

import random
from typing import Any, Final

from events.json_types import JsonObject
from projections.rules.puerto_rico.buildings.printed import CIRCLES, NUMBERS
from projections.rules.puerto_rico.kinds import CIRCLED_TILES, GOODS, TILES

MOST_PEOPLE: Final = 200  # no game has more


def suppose(view: JsonObject, source: random.Random) -> JsonObject:
    """A document that the view could be of; points that it hides are left to the rules of restoring."""
    hides: Any = view["hides"]
    document: dict[str, Any] = {name: value for name, value in view.items() if name not in ("viewer", "hides")}
    down = dict(document["plantations"]["face_down"])
    document["players"] = [_with_faces(player, down, source) for player in document["players"]]
    phase = document.get("phase", {})
    if "phase.drawn_tile" in hides:
        phase = phase | {"drawn_tile": _taken(down, source)}
    plantations = {name: value for name, value in document["plantations"].items() if name != "face_down_elsewhere"}
    document["plantations"] = plantations | {"face_down": {name: count for name, count in down.items() if count}}
    if "sealed_placements" in phase:
        sealed = [
            _anywhere(player, source) if placed == "sealed" else placed
            for player, placed in zip(document["players"], phase["sealed_placements"], strict=True)
        ]
        phase = phase | {"sealed_placements": sealed}
    return document | {"phase": phase} if "phase" in document else document


def _taken(down: dict[str, int], source: random.Random) -> str:
    """Any of the tiles that lie face down somewhere, and one less of them."""
    (face,) = source.choices(GOODS, [down.get(good, 0) for good in GOODS])
    down[face] -= 1
    return face


def _with_faces(player: Any, down: dict[str, int], source: random.Random) -> Any:
    """The player with a face under every forest that hides one."""
    island = [
        tile | {"face": _taken(down, source)} if tile.get("hidden") and tile["face"] is None else tile
        for tile in player["island"]
    ]
    return player | {"island": island}


def _anywhere(player: Any, source: random.Random) -> list[list[Any]]:
    """People on any circles of a board: their real places are hidden until the last seat has placed."""
    circles = [tile["tile"] for tile in player["island"] if tile["tile"] in TILES[:CIRCLED_TILES]]
    circles += [own["building"] for own in player["city"] for _ in range(CIRCLES[NUMBERS[own["building"]]])]
    standing = [*player["island"], *player["city"], player["san_juan"]]
    colonists, nobles = (min(MOST_PEOPLE, sum(one[kind] for one in standing)) for kind in ("colonists", "nobles"))
    people = ["c"] * colonists + ["n"] * nobles
    source.shuffle(circles)
    source.shuffle(people)
    placed: dict[str, list[int]] = {}
    for circle, person in zip(circles, people, strict=False):
        placed.setdefault(circle, [0, 0])[person == "n"] += 1
    ranks = {name: at for at, name in enumerate((*TILES, *NUMBERS))}
    return [[place, *placed[place]] for place in sorted(placed, key=ranks.__getitem__)]
