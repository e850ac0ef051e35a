"""The table as plain text, for terminals and screen readers; it knows the view and the costs it is given, no more."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from projections.rules.catalogue import Labels
from projections.rules.puerto_rico.buildings.printed import NUMBERS, SPACES
from projections.rules.puerto_rico.tables import CITY_SPACES, HOUSE_PLACES, ISLAND_SPACES
from projections.rules.puerto_rico.text.labels import labels

View = Mapping[str, Any]
PARTS: Final = "; "


def board(view: View, costs: Sequence[int], seat: int | None, language: str = "en") -> str:
    """The board as a seat (None: a spectator) sees it, one thing to a line, the middle of the table first."""
    words = labels(language)
    lines = [*_heading(words, view), *_table(words, view, costs)]
    for number, player in enumerate(view["players"]):
        lines += ["", _name_line(words, view, number, seat), *(f"  {line}" for line in _seat(words, player))]
    return "\n".join(lines) + "\n"


def heading(words: Labels, view: View) -> str:
    """Returns the lines about the table and the state of the game."""
    players = words.count("player", len(view["players"]))
    phase = words.say("phases", view["phase"]["name"])
    return words.say("board", "title", players=players, round=view["round"], phase=phase)


def _heading(words: Labels, view: View) -> Iterable[str]:
    yield heading(words, view)
    if view["ends"]:
        reasons = ", ".join(words.say("ends", end) for end in view["ends"])
        yield words.say("board", "last_round", reasons=reasons)
    if view["turn"] is None:
        yield words.say("board", "finished")
    else:
        decision = words.say("decisions", view["turn"]["decision"])
        yield words.say("board", "to_act", seat=_who(words, view["turn"]["seat"]), decision=decision)


def _table(words: Labels, view: View, costs: Sequence[int]) -> Iterable[str]:
    tiles, supply = view["plantations"], view["supply"]
    yield _line(words, "roles", (_card(words, role, card) for role, card in view["roles"].items()))
    yield _line(words, "ships", (_ship(words, ship) for ship in view["ships"]))
    house = words.say("board", "of", n=len(view["trading_house"]), limit=HOUSE_PLACES)
    yield _line(words, "trading_house", (words.say("goods", good) for good in view["trading_house"]), house)
    yield _line(words, "colonist_ship", _people(words, _at(view, "ship")))
    yield _line(words, "row", _many(words, (words.say("goods", good) for good in tiles["face_up"])))
    yield _line(words, "piles", _piles(words, tiles))
    if view["phase"]["drawn_tile"]:
        yield _line(words, "drawn", [words.say("tiles", view["phase"]["drawn_tile"])])
    people = [*_people(words, _at(view, "supply")), words.count("victory_point", supply["vp_chips"])]
    yield _line(words, "supply", [*people, *_goods(words, supply["goods"])])
    yield _line(words, "for_sale", _display(words, view, costs))


def _seat(words: Labels, player: View) -> Iterable[str]:
    yield _line(words, "treasure", _treasure(words, player))
    yield _line(words, "goods", _goods(words, player["goods"]))
    tiles = player["island"]
    filled = words.say("board", "of", n=len(tiles), limit=ISLAND_SPACES)
    yield _line(words, "island", _many(words, (_tile(words, tile) for tile in tiles)), filled)
    city = player["city"]
    spaces = sum(SPACES[NUMBERS[place["building"]]] for place in city)
    filled = words.say("board", "of", n=spaces, limit=CITY_SPACES)
    yield _line(words, "city", (_occupied(words, "buildings", place["building"], place) for place in city), filled)
    yield _line(words, "san_juan", _people(words, player["san_juan"]))


def _name_line(words: Labels, view: View, number: int, seat: int | None) -> str:
    marks = ["is_governor"] if number == view["governor"] else []
    marks += ["is_you"] if number == seat else []
    name = _who(words, number)
    return f"{name} ({', '.join(words.say('board', mark) for mark in marks)})" if marks else name


def _line(words: Labels, title: str, parts: Iterable[str], note: str = "") -> str:
    """`Ships: 5: empty; 6: 3 corn`."""
    head = words.say("board", title) + (f" ({note})" if note else "")
    return f"{head}: {PARTS.join(parts) or words.say('board', 'none')}"


def _who(words: Labels, seat: int) -> str:
    return words.say("board", "seat", seat=seat + 1)


def _card(words: Labels, role: str, card: View) -> str:
    name = words.say("roles", role)
    if card["taken_by"] is not None:
        return words.say("board", "taken_by", role=name, seat=_who(words, card["taken_by"]))
    if card["doubloons"]:
        return words.say("board", "with_doubloons", role=name, doubloons=words.count("doubloon", card["doubloons"]))
    return name


def _ship(words: Labels, ship: View) -> str:
    if ship["good"] is None:
        load = words.say("board", "empty")
    else:
        load = words.say("board", "loaded", n=ship["loaded"], good=words.say("goods", ship["good"]))
    if ship["loaded"] == ship["capacity"]:
        load = f"{load}, {words.say('board', 'full')}"
    return words.say("board", "ship", capacity=ship["capacity"], load=load)


def _at(view: View, place: str) -> View:
    """The people at a place of the table, as a board tells its own."""
    return {sort: view[sort][place] for sort in ("colonists", "nobles")}


def _people(words: Labels, place: View) -> Sequence[str]:
    sorts = (("colonist", place["colonists"]), ("noble", place["nobles"]))
    return [words.count(sort, number) for sort, number in sorts if number]


def _piles(words: Labels, tiles: View) -> Iterable[str]:
    piles = {"face_down": tiles["face_down"], "discarded": tiles["discarded"]}
    for name, pile in piles.items():
        yield words.say("board", name, n=sum(pile.values()) if isinstance(pile, Mapping) else pile)
    yield words.say("board", "quarries", n=tiles["quarries"])
    if tiles["forests"]:
        yield words.say("board", "forests", n=tiles["forests"])


def _display(words: Labels, view: View, costs: Sequence[int]) -> Iterable[str]:
    for building, copies in view["supply"]["buildings"].items():
        if copies:
            name = words.say("buildings", building)
            yield words.say("board", "offer", building=name, cost=costs[NUMBERS[building]], n=copies)


def _goods(words: Labels, goods: View) -> Sequence[str]:
    return [words.say("board", "loaded", n=n, good=words.say("goods", good)) for good, n in goods.items() if n]


def _treasure(words: Labels, player: View) -> Iterable[str]:
    yield words.count("doubloon", player["doubloons"])
    if player["vp_chips"] is None:
        yield words.say("board", "hidden_points")
        return
    yield words.count("victory_point", player["vp_chips"])
    if player["vp_noted"]:
        yield words.say("board", "noted", points=words.count("victory_point", player["vp_noted"]))


def _tile(words: Labels, tile: View) -> str:
    if tile["tile"] != "forest":
        return _occupied(words, "tiles", tile["tile"], tile)
    forest = words.say("tiles", "forest")
    if "face" not in tile:
        return forest
    face = words.say("tiles", tile["face"]) if tile["face"] else words.say("board", "hidden_face")
    return words.say("parts", "lying_on", forest=forest, tile=face)


def _occupied(words: Labels, section: str, name: str, place: View) -> str:
    if place.get("circles") == 0:
        return words.say(section, name)
    people = ", ".join(_people(words, place)) or words.say("board", "unoccupied")
    return words.say("board", "tile", tile=words.say(section, name), people=people)


def _many(words: Labels, names: Iterable[str]) -> Iterable[str]:
    """Equal names once, with their number."""
    for name, number in Counter(names).items():
        yield words.say("board", "several", n=number, thing=name) if number > 1 else name
