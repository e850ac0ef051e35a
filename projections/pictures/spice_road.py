"""A board of Spice Road as a small picture: both rows of cards above, a strip for each seat below."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from events.json_types import JsonObject
from projections.pictures.markers import Spot, draw_markers
from projections.pictures.svg import LINE, PAPER, badge, box, dot, drawing, fitted, sign, text
from projections.rules.catalogue import Labels
from projections.rules.spice_road.text.labels import labels

WIDE: Final = 760
TOP: Final = 150
STRIP: Final = 112
SPICES: Final = {"turmeric": "#f5c518", "saffron": "#d6392b", "cardamom": "#3f9b4b", "cinnamon": "#8a5a34"}
SIGNS: Final = {"turmeric": "y", "saffron": "r", "cardamom": "g", "cinnamon": "b"}  # colour is not the only sign
LETTERS: Final = {"y": "turmeric", "r": "saffron", "g": "cardamom", "b": "cinnamon"}
CARD: Final = (46, 58)
# Where, how wide, what of a player, and by which word.
COLUMNS: Final = ((120, 300, "hand", "hand"), (430, 180, "played", "played"), (620, 130, "point_cards", "claimed"))
COUNTED: Final = {"hand": "hand_count", "point_cards": "point_card_count"}  # where they are hidden


def draw(position: JsonObject, names: Sequence[str], markers: Iterable[Mapping[str, Any]], language: str) -> str:
    """The whole board with markers on it."""
    board: Mapping[str, Any] = position
    words, players = labels(language), board["players"]
    strips = (_strip(words, board, seat, names[seat], TOP + seat * STRIP) for seat in range(len(players)))
    parts = (
        *_rows(words, board),
        *(part for strip in strips for part in strip),
        *draw_markers(dict(_spots(board)), markers),
    )
    return drawing(WIDE, TOP + STRIP * len(players), words.say("board", "title", round=board["round"]), parts)


def _rows(words: Labels, board: Mapping[str, Any]) -> Iterator[str]:
    yield fitted(8, 16, f"{words.say('board', 'claimed')}; {_coins(words, board)}", 262)
    for at, card in enumerate(board["point_row"]):
        yield from _card(8 + at * 50, 22, card)
    deck = board["merchant_deck"]
    left = board["merchant_deck_count"] if deck is None else len(deck)
    yield fitted(290, 16, words.say("board", "merchant_cards", deck=left), 300)
    for at, place in enumerate(board["merchant_row"]):
        yield from _card(290 + at * 50, 22, place["card"])
        cubes = [spice for spice, count in place["cubes"].items() for _ in range(count)]
        yield from _cubes(296 + at * 50, 94, cubes, 4)


def _strip(words: Labels, board: Mapping[str, Any], seat: int, name: str, y: int) -> Iterator[str]:
    player = board["players"][seat]
    turn = board["turn"] or {}
    yield box(4, y, WIDE - 8, STRIP - 6, PAPER, stroke=LINE if turn.get("seat") != seat else "#c2410c")
    yield badge(18, y + 14, seat)
    yield text(32, y + 18, name, 12, font_weight=700)
    yield fitted(14, y + 96, _coins(words, player), 100)
    cubes = [spice for spice in SPICES for _ in range(player["caravan"][spice])]
    yield from _cubes(18, y + 40, cubes, 5, 16)
    for x, room, what, word in COLUMNS:
        cards = player[what]
        hidden = "" if cards is not None else f": {words.say('board', 'hidden', count=player[COUNTED[what]])}"
        yield fitted(x, y + 16, f"{words.say('board', word)}{hidden}", room)
        step = _step(cards, room)
        for at, card in enumerate(cards or ()):
            yield from _card(x + at * step, y + 22, card)


def _coins(words: Labels, cards: Mapping[str, Any]) -> str:
    return f"{words.say('board', 'gold', count=cards['gold'])}, {words.say('board', 'silver', count=cards['silver'])}"


def _step(cards: Sequence[str] | None, room: int) -> float:
    """How far cards lie from one another, so that all of them have room."""
    return min(50.0, (room - CARD[0]) / max(1, len(cards or ()) - 1))


def _spots(board: Mapping[str, Any]) -> Iterator[tuple[str, Spot]]:
    """Where the parts of the board are drawn, by the names that its document gives them."""
    yield from ((coins, Spot(6, 5, 190, 14)) for coins in ("gold", "silver"))
    for at, _ in enumerate(board["point_row"]):
        yield f"point_row[{at}]", Spot(8 + at * 50, 22, *CARD)
    for at, _ in enumerate(board["merchant_row"]):
        yield f"merchant_row[{at}]", Spot(290 + at * 50, 22, *CARD)
        yield f"merchant_row[{at}].cubes", Spot(290 + at * 50, 87, CARD[0], 24)
    for seat, player in enumerate(board["players"]):
        name, y = f"players[{seat}]", TOP + seat * STRIP
        yield name, Spot(4, y, WIDE - 8, STRIP - 6)
        yield f"{name}.caravan", Spot(8, y + 29, 92, 44)
        yield from ((f"{name}.{coins}", Spot(10, y + 85, 100, 14)) for coins in ("gold", "silver"))
        for x, room, what, _ in COLUMNS:
            for at, _ in enumerate(player[what] or ()):
                yield f"{name}.{what}[{at}]", Spot(x + at * _step(player[what], room), y + 22, *CARD)


def _card(x: float, y: float, name: str) -> Iterator[str]:
    """A merchant card or a point card, by its name."""
    kind, first, *more = name.split("_")
    width, height = CARD
    yield box(x, y, width, height, {"points": "#f4d9c6", "trade": "#e7f1df", "upgrade": "#e3ecf7"}.get(kind, "#fdf0c9"))
    if kind == "points":
        yield text(x + width / 2, y + 11, first, 9, text_anchor="middle", font_weight=700)
        yield from _letters(x, y + 26, more[0])
    elif kind == "trade":
        yield from _letters(x, y + 21, first, 4)
        yield text(x + width / 2, y + 38, "↓", 9, text_anchor="middle")
        yield from _letters(x, y + 47, more[0], 4)
    elif kind == "upgrade":
        yield text(x + width / 2, y + 38, f"↑ {first}", 13, text_anchor="middle")
    else:
        yield from _letters(x, y + 28, "y" * int(first) if first.isdigit() else first)


def _letters(x: float, y: float, letters: str, radius: float = 4.6) -> Iterator[str]:
    cubes = [LETTERS[letter] for letter in letters]
    across = min(len(cubes), 4)
    yield from _cubes(x + 23 - (across - 1) * radius * 1.1, y, cubes, across, radius * 2.2, radius)


def _cubes(
    x: float, y: float, cubes: Sequence[str], across: int, step: float = 9, radius: float | None = None
) -> Iterator[str]:
    for at, spice in enumerate(cubes):
        place = x + at % max(1, across) * step, y + at // max(1, across) * step
        yield dot(*place, radius or step * 0.45, SPICES[spice])
        yield sign(*place, SIGNS[spice])
