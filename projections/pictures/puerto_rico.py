"""A board of Puerto Rico as a small picture: roles, ships and house above, a strip for each seat below."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from events.json_types import JsonObject
from projections.pictures.markers import Spot, draw_markers
from projections.pictures.svg import LINE, PAPER, badge, box, dot, drawing, fitted, sign, text
from projections.rules.catalogue import Labels
from projections.rules.puerto_rico.text.board import heading
from projections.rules.puerto_rico.text.labels import labels

WIDE: Final = 760
TOP: Final = 118
STRIP: Final = 92
GOODS: Final = {
    "corn": "#f2c230",
    "indigo": "#3d5fc4",
    "sugar": "#fdfaf2",
    "tobacco": "#a9793d",
    "coffee": "#5a3420",
}
SIGNS: Final = {
    "corn": "co",
    "indigo": "in",
    "sugar": "su",
    "tobacco": "to",
    "coffee": "cf",
    "quarry": "qu",
    "forest": "fo",
}  # colour is not the only sign
TILES: Final = {**GOODS, "quarry": "#9a9a98", "forest": "#2f7d3f"}
MADE: Final = {"indigo": "#c9d5f5", "sugar": "#eef3e8", "tobacco": "#ecd8b4", "coffee": "#d9bfa3"}
VIOLET: Final = "#d9c5ea"
PLANTS: Final = {
    "small_indigo_plant": "indigo",
    "indigo_plant": "indigo",
    "small_sugar_mill": "sugar",
    "sugar_mill": "sugar",
    "tobacco_storage": "tobacco",
    "coffee_roaster": "coffee",
}


def draw(position: JsonObject, names: Sequence[str], markers: Iterable[Mapping[str, Any]], language: str) -> str:
    """The whole board with markers on it."""
    board: Mapping[str, Any] = position
    words, players = labels(language), board["players"]
    strips = (_strip(words, board, seat, names[seat], TOP + seat * STRIP) for seat in range(len(players)))
    parts = (
        *_middle(words, board),
        *(part for strip in strips for part in strip),
        *draw_markers(dict(_spots(board)), markers),
    )
    return drawing(WIDE, TOP + STRIP * len(players), heading(words, board), parts)


def _middle(words: Labels, board: Mapping[str, Any]) -> Iterator[str]:
    for at, (role, card) in enumerate(board["roles"].items()):
        x = 8 + at * 83
        yield box(x, 8, 78, 30, PAPER if card["taken_by"] is None else "#e0d6c6")
        yield fitted(x + 39, 21, words.say("roles", role), 74, text_anchor="middle")
        if card["taken_by"] is not None:
            yield badge(x + 68, 30, card["taken_by"])
        elif card["doubloons"]:
            yield text(x + 39, 34, f"+{card['doubloons']}", 9, text_anchor="middle")
    for at, ship in enumerate(board["ships"]):
        y = 46 + at * 22
        yield from _row(8, y, [ship["good"]] * ship["loaded"] + [None] * (ship["capacity"] - ship["loaded"]))
    yield text(200, 58, words.say("board", "trading_house"), 10)
    yield from _row(200, 64, [*board["trading_house"], *[None] * (4 - len(board["trading_house"]))])
    lying = board["plantations"]
    row = f"{words.say('board', 'row')}; {words.say('board', 'quarries', n=lying['quarries'])}"
    yield fitted(320, 58, row, 190)
    for at, tile in enumerate(lying["face_up"]):
        yield _tile(320 + at * 24, 64, tile, False)
    for line, said in enumerate(_lying(words, board)):
        yield fitted(520, 58 + line * 15, said, 232)


def _lying(words: Labels, board: Mapping[str, Any]) -> Iterator[str]:
    """Returns the pieces left on the ship and in the supply, in words."""
    ship, supply = words.say("board", "colonist_ship"), words.say("board", "supply")
    yield f"{ship}: {board['colonists']['ship']}; {supply}: {words.count('colonist', board['colonists']['supply'])}"
    yield words.count("victory_point", board["supply"]["vp_chips"])
    yield ", ".join(f"{words.say('goods', good)} {count}" for good, count in board["supply"]["goods"].items())


def _strip(words: Labels, board: Mapping[str, Any], seat: int, name: str, y: int) -> Iterator[str]:
    player = board["players"][seat]
    turn = board["turn"] or {}
    yield box(4, y, WIDE - 8, STRIP - 6, PAPER, stroke=LINE if turn.get("seat") != seat else "#c2410c")
    yield badge(18, y + 14, seat)
    governor = " ⚑" if board["governor"] == seat else ""
    yield text(32, y + 18, f"{name}{governor}", 12, font_weight=700)
    yield fitted(14, y + 38, _treasure(words, player), 170)
    yield fitted(14, y + 53, f"{words.say('board', 'san_juan')}: {_waiting(words, player['san_juan'])}", 170)
    kept = [(good, count) for good, count in player["goods"].items() if count]
    for at, (good, count) in enumerate(kept):
        yield dot(20 + at * 34, y + 70, 7, GOODS[good])
        yield sign(20 + at * 34, y + 70, SIGNS[good])
        yield text(29 + at * 34, y + 74, count, 10)
    for at, space in enumerate(player["island"]):
        occupied = space["colonists"] + space["nobles"] > 0
        yield _tile(190 + at % 6 * 24, y + 10 + at // 6 * 24, space["tile"], occupied)
    for at, place in enumerate(player["city"]):
        yield from _building(words, 346 + at % 5 * 80, y + 6 + at // 5 * 26, place)


def _waiting(words: Labels, people: Mapping[str, int]) -> str:
    """Returns the people in San Juan, with the number of nobles if there are any."""
    colonists, nobles = people["colonists"], people["nobles"]
    return f"{words.count('colonist', colonists)}, {words.count('noble', nobles)}" if nobles else str(colonists)


def _treasure(words: Labels, player: Mapping[str, Any]) -> str:
    chips = player["vp_chips"]
    points = words.say("board", "hidden_points") if chips is None else words.count("victory_point", chips)
    return f"{words.count('doubloon', player['doubloons'])}, {points}"


def _spots(board: Mapping[str, Any]) -> Iterator[tuple[str, Spot]]:
    """Where the parts of the board are drawn, by the names that its document gives them."""
    for at, role in enumerate(board["roles"]):
        yield f"roles.{role}", Spot(8 + at * 83, 8, 78, 30)
    for at, ship in enumerate(board["ships"]):
        yield f"ships[{at}]", Spot(8, 46 + at * 22, ship["capacity"] * 22 - 3, 18)
    yield "trading_house", Spot(200, 64, 85, 18)
    yield from (
        (f"trading_house[{at}]", Spot(200 + at * 22, 64, 19, 18)) for at, _ in enumerate(board["trading_house"])
    )
    yield "plantations", Spot(318, 48, 180, 14)
    for at, _ in enumerate(board["plantations"]["face_up"]):
        yield f"plantations.face_up[{at}]", Spot(320 + at * 24, 64, 22, 21)
    for line, name in enumerate(("colonists", "supply.vp_chips", "supply.goods")):
        yield name, Spot(516, 47 + line * 15, 236, 14)
    for seat, player in enumerate(board["players"]):
        yield from _spots_of(f"players[{seat}]", player, TOP + seat * STRIP)


def _spots_of(name: str, player: Mapping[str, Any], y: int) -> Iterator[tuple[str, Spot]]:
    yield name, Spot(4, y, WIDE - 8, STRIP - 6)
    for line, part in ((27, "doubloons"), (27, "vp_chips"), (42, "san_juan"), (60, "goods")):
        yield f"{name}.{part}", Spot(10, y + line, 170, 14)
    for at, _ in enumerate(player["island"]):
        yield f"{name}.island[{at}]", Spot(190 + at % 6 * 24, y + 10 + at // 6 * 24, 22, 21)
    for at, _ in enumerate(player["city"]):
        yield f"{name}.city[{at}]", Spot(346 + at % 5 * 80, y + 6 + at // 5 * 26, 77, 23)


def _building(words: Labels, x: int, y: int, place: Mapping[str, Any]) -> Iterator[str]:
    people = place["colonists"] + place["nobles"]
    yield box(x, y, 77, 23, MADE.get(PLANTS.get(place["building"], ""), VIOLET))
    yield fitted(x + 38, y + 11, words.say("buildings", place["building"]), 72, 8, text_anchor="middle")
    for number in range(people):
        yield dot(x + 10 + number * 10, y + 17, 3.4, "#6b3f22")


def _row(x: int, y: int, goods: Sequence[str | None]) -> Iterator[str]:
    for at, good in enumerate(goods):
        yield box(x + at * 22, y, 19, 18, "#ffffff")
        if good is not None:
            yield dot(x + at * 22 + 9.5, y + 9, 7, GOODS[good])
            yield sign(x + at * 22 + 9.5, y + 9, SIGNS[good])


def _tile(x: int, y: int, tile: str, occupied: bool) -> str:
    man = dot(x + 16, y + 15, 3.6, "#6b3f22") if occupied else ""
    return box(x, y, 22, 21, TILES.get(tile, "#8f6a43")) + sign(x + 8, y + 8, SIGNS.get(tile, "?")) + man
