"""A second scorer, from rules 5.3 and the tables of rules 1.7 to 1.9 alone; it shares nothing with the engine."""

from typing import Any, Final

# Rules 1.7-1.9: name -> printed VP. The group decides how the guild hall and the city hall count a building.
SMALL_PRODUCTION: Final = {"small_indigo_plant": 1, "small_sugar_mill": 1}
LARGE_PRODUCTION: Final = {"indigo_plant": 2, "sugar_mill": 2, "tobacco_storage": 3, "coffee_roaster": 3, "jeweler": 3}
VIOLET: Final = {
    "small_market": 1, "hacienda": 1, "construction_hut": 1, "small_warehouse": 1, "hospice": 2, "office": 2,
    "large_market": 2, "large_warehouse": 2, "factory": 3, "university": 3, "harbor": 3, "wharf": 3,
    "aqueduct": 1, "forest_house": 1, "black_market": 1, "storehouse": 1, "guesthouse": 2, "trading_post": 2,
    "church": 2, "small_wharf": 2, "lighthouse": 3, "library": 3, "specialty_factory": 3, "union_hall": 3,
    "land_office": 1, "chapel": 1, "hunting_lodge": 2, "zoning_office": 2, "royal_supplier": 2, "villa": 3,
    "guild_hall": 4, "residence": 4, "fortress": 4, "customs_house": 4, "city_hall": 4, "statue": 8, "cloister": 4,
    "royal_garden": 4,
}  # fmt: skip
PRINTED: Final = {**SMALL_PRODUCTION, **LARGE_PRODUCTION, **VIOLET}


def total(player: dict[str, Any]) -> int:
    """Returns the points of a player of a position document by rules 5.3."""
    owned = [place["building"] for place in player["city"]]
    occupied = [place["building"] for place in player["city"] if place["colonists"] + place["nobles"]]
    points = int(player["vp_chips"]) + int(player["vp_noted"]) + nobles(player)
    points += sum(PRINTED[building] for building in owned)
    return points + sum(bonus(building, player, owned) for building in occupied)


def bonus(building: str, player: dict[str, Any], owned: list[str]) -> int:
    """The bonus of an occupied large building (rules 4.2-4.4)."""
    tiles = [tile["tile"] for tile in player["island"]]
    if building == "guild_hall":
        return sum(1 for name in owned if name in SMALL_PRODUCTION) + 2 * len(LARGE_PRODUCTION.keys() & set(owned))
    if building == "residence":
        return {10: 5, 11: 6, 12: 7}.get(len(tiles), 4)
    if building == "fortress":
        return (colonists(player) + nobles(player)) // 3
    if building == "customs_house":
        return (int(player["vp_chips"]) + int(player["vp_noted"])) // 4
    if building == "city_hall":
        return len(VIOLET.keys() & set(owned))
    if building == "cloister":
        return (0, 1, 3, 6, 10)[sum(tiles.count(kind) // 3 for kind in set(tiles))]
    return nobles(player) if building == "royal_garden" else 0


def colonists(player: dict[str, Any]) -> int:
    """Colonists anywhere on a board."""
    return sum(int(place["colonists"]) for place in [*player["island"], *player["city"], player["san_juan"]])


def nobles(player: dict[str, Any]) -> int:
    """Nobles anywhere on a board."""
    return sum(int(place["nobles"]) for place in [*player["island"], *player["city"], player["san_juan"]])


def tie_break(player: dict[str, Any]) -> int:
    """Doubloons and goods."""
    return int(player["doubloons"]) + sum(map(int, player["goods"].values()))


def places(points: list[tuple[int, int]]) -> list[int]:
    """Returns places by points, then by the tie-break; remaining ties share (R-88)."""
    ranking = sorted(points, reverse=True)
    return [ranking.index(mine) + 1 for mine in points]
