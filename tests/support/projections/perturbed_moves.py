"""Perturbs the text of a move by one fault: a number, name or place changed; an item added, dropped or repeated.

Shares nothing with the rules of the games: the vocabulary is written out from the rules references, and a verb tells
which game a move belongs to. Judges of legality are compared on what comes out of it; most of it is illegal.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Final

GOODS: Final = ("corn", "indigo", "sugar", "tobacco", "coffee")
TILES: Final = (*GOODS, "quarry", "forest")
PERSONS: Final = ("colonist", "noble")
ROLES: Final = (
    "settler", "mayor", "builder", "craftsman", "trader", "captain", "prospector", "prospector_a", "prospector_b",
)  # fmt: skip
BUILDINGS: Final = (
    "small_indigo_plant", "small_sugar_mill", "indigo_plant", "sugar_mill", "tobacco_storage", "coffee_roaster",
    "small_market", "hacienda", "construction_hut", "small_warehouse", "hospice", "office", "large_market",
    "large_warehouse", "factory", "university", "harbor", "wharf", "guild_hall", "residence", "fortress",
    "customs_house", "city_hall", "aqueduct", "forest_house", "black_market", "storehouse", "guesthouse",
    "trading_post", "church", "small_wharf", "lighthouse", "library", "specialty_factory", "union_hall", "statue",
    "cloister", "land_office", "chapel", "hunting_lodge", "zoning_office", "royal_supplier", "villa", "jeweler",
    "royal_garden",
)  # fmt: skip
PLACES: Final = (*TILES, *BUILDINGS, "san_juan")
SPICES: Final = ("y", "r", "g", "b")
CARDS: Final = (
    "create_2", "upgrade_2", "upgrade_3", "get_yyy", "get_g", "get_b", "trade_yy_g", "trade_r_yyy", "trade_yyy_b",
    "trade_rr_gg", "trade_b_rrr", "trade_yyyyy_bb", "trade_gg_bb", "points_6_yyrr",
)  # fmt: skip
WAIVERS: Final = ("-hospice", "-university", "-church", "-harbor")
MARKET: Final = "black_market="
LARGEST: Final = 41  # more than a move of either game may name
FEW: Final = 4  # so many names are tried in the place of one, and so many items in addition

# Replacements for the words of a verb.
NAMES: Final[Mapping[str, Sequence[str]]] = {
    "draft": BUILDINGS, "role": ROLES, "take": TILES, "forest": GOODS, "unplant": (*TILES, *PERSONS), "pick": PERSONS,
    "place": PLACES, "build": (*BUILDINGS, *GOODS, *PERSONS), "bonus": GOODS, "sell": GOODS, "plant": TILES,
    "ship": GOODS, "wharf": GOODS, "small_wharf": GOODS, "supply": GOODS, "store": GOODS, "guest": (*PLACES, *PERSONS),
    "play": CARDS, "buy": SPICES, "drop": SPICES,
}  # fmt: skip
# Additions to a move.
ADDED: Final[Mapping[str, Sequence[str]]] = {
    "take": WAIVERS, "forest": (*GOODS, *WAIVERS), "unplant": (*PERSONS, *GOODS),
    "place": tuple(f"{place}={people}" for place in PLACES for people in ("1", "1n", "1+1n", "0")),
    "build": (*WAIVERS, *(f"{MARKET}{item}" for item in ("vp", *GOODS, *(f"colonist@{place}" for place in PLACES)))),
    "bonus": GOODS, "sell": ("trading_post",), "plant": (*GOODS, "forest"),
    "small_wharf": tuple(f"{good}=1" for good in GOODS), "store": tuple(f"{good}=1" for good in GOODS),
    "supply": GOODS, "guest": (*PLACES, *(f"noble@{place}" for place in PLACES)), "stay": ("phase",),
    "play": ("y>r", "r>g", "g>b", "b>y", "x1", "x2", "x10"), "buy": SPICES, "claim": ("-coin",),
    "drop": tuple(f"{spice}=1" for spice in SPICES),
}  # fmt: skip
# Verbs that take the same words.
SIBLINGS: Final[Mapping[str, Sequence[str]]] = {
    "take": ("forest", "unplant", "plant"), "forest": ("take", "keep"), "keep": ("forest",), "draw": ("keep", "plant"),
    "unplant": ("take", "plant"), "plant": ("take", "unplant"), "sell": ("wharf", "supply", "bonus"),
    "bonus": ("supply", "sell"), "ship": ("wharf",), "wharf": ("supply", "sell"), "supply": ("bonus",),
    "small_wharf": ("store",), "store": ("small_wharf",), "draft": ("build",), "build": ("draft", "take"),
    "guest": ("place",), "stay": ("ask_guests",), "ask_guests": ("stay",), "rest": ("claim 1", "buy 1"),
    "claim": ("buy",), "buy": ("claim",), "drop": ("buy",),
}  # fmt: skip
DECLINED: Final[Mapping[bool, Sequence[str]]] = {  # whether it is Spice Road -> moves without arguments
    False: ("pass", "stay", "stay phase", "ask_guests", "draw", "keep", "forest", "plant", "supply", "store",
            "small_wharf", "place", "bonus", "sell", "guest"),
    True: ("rest", "buy 1", "claim 1", "claim 5", "buy 6", "drop", "play create_2", "play upgrade_2"),
}  # fmt: skip
SPICE_ROAD: Final = frozenset(("play", "buy", "acquire", "rest", "claim", "drop"))
ATOMS: Final = re.compile(r"[0-9]+|[a-z][a-z0-9]*(?:_[a-z0-9]+)*|.")


def perturb(move_text: str, rng: Random) -> Iterator[str]:
    """Texts that differ from a move by one fault, in random order, each once, none equal to it.

    A few are the same move in another order of words; a comparison must expect a legal one.
    """
    verb, *words = move_text.split()
    texts = [" ".join(text.split()) for fault in FAULTS for text in fault(verb, words, rng)]
    different = [text for text in dict.fromkeys(texts) if text != move_text]
    rng.shuffle(different)
    return iter(different)


def _other_verb(verb: str, words: Sequence[str], rng: Random) -> Iterator[str]:
    for sibling in SIBLINGS.get(verb, ()):
        yield _said(sibling, words)
    yield from rng.sample(DECLINED[verb in SPICE_ROAD], FEW)


def _dropped(verb: str, words: Sequence[str], _: Random) -> Iterator[str]:
    for at, word in enumerate(words):
        yield _said(verb, words[:at], words[at + 1 :])
        for less in _without_an_item(word):
            yield _said(verb, words[:at], [less], words[at + 1 :])


def _repeated(verb: str, words: Sequence[str], _: Random) -> Iterator[str]:
    for word in words:
        yield _said(verb, words, [word])
        if "," in word:
            yield _said(verb, [f"{same},{same.split(',')[-1]}" if same == word else same for same in words])


def _added(verb: str, words: Sequence[str], rng: Random) -> Iterator[str]:
    more = ADDED.get(verb, ())
    for word in rng.sample(more, min(FEW, len(more))):
        yield _said(verb, words, [word])
    for at, word in enumerate(words):
        if word.startswith(MARKET):
            for item in ("vp", rng.choice(GOODS), f"colonist@{rng.choice(PLACES)}", f"noble@{rng.choice(PLACES)}"):
                yield _said(verb, words[:at], [f"{word},{item}"], words[at + 1 :])


def _in_another_order(verb: str, words: Sequence[str], rng: Random) -> Iterator[str]:
    if len(words) > 1:
        yield _said(verb, rng.sample(words, len(words)))


def _changed(verb: str, words: Sequence[str], rng: Random) -> Iterator[str]:
    """One number or name of one word is another."""
    for at, word in enumerate(words):
        atoms = ATOMS.findall(word)
        for which, atom in enumerate(atoms):
            for other in _others(verb, atom, rng):
                changed = "".join([*atoms[:which], other, *atoms[which + 1 :]])
                yield _said(verb, words[:at], [changed], words[at + 1 :])


def _moved(verb: str, words: Sequence[str], rng: Random) -> Iterator[str]:
    """One more here and one less there: the sum stays, so that only the places can be wrong."""
    counted = [at for at, word in enumerate(words) if re.fullmatch(r"[a-z_]+=[0-9]+n?", word)]
    if len(counted) < 2:
        return
    for _ in range(FEW):
        more, less = rng.sample(counted, 2)
        yield _said(verb, [_counted_on(word, (at == more) - (at == less)) for at, word in enumerate(words)])


def _counted_on(word: str, by: int) -> str:
    return re.sub(r"(?<==)[0-9]+", lambda number: str(max(0, int(number[0]) + by)), word) if by else word


def _others(verb: str, atom: str, rng: Random) -> Iterator[str]:
    """Other atoms of the same sort."""
    if atom.isdigit():
        number = int(atom)
        yield from {str(other) for other in (number - 1, number + 1, 0, LARGEST) if other not in (number, -1)}
    elif re.fullmatch(r"x[0-9]+", atom):
        yield from (f"x{int(atom[1:]) + 1}", f"x{max(0, int(atom[1:]) - 1)}", "x0", "x999")
    elif atom in SPICES:
        yield from (other for other in SPICES if other != atom)
    elif atom in PERSONS:
        yield from (other for other in PERSONS if other != atom)
    elif atom in GOODS:
        yield from (other for other in TILES if other != atom)
        yield rng.choice(BUILDINGS)
    elif atom in NAMES.get(verb, ()) or verb == "play":
        yield from rng.sample(NAMES[verb], min(FEW, len(NAMES[verb])))


def _without_an_item(word: str) -> Iterator[str]:
    """The word with one of its parts less: of items in a row, of colonists and nobles, of a person and his place."""
    head, equals, rest = word.rpartition("=")
    items = rest.split(",")
    if len(items) > 1:
        for at in range(len(items)):
            yield head + equals + ",".join([*items[:at], *items[at + 1 :]])
    if "+" in rest:
        yield from (head + equals + part for part in rest.split("+"))
    if "@" in word:
        yield word.replace("colonist@", "").replace("noble@", "")


def _said(verb: str, *parts: Sequence[str]) -> str:
    return " ".join([verb, *(word for part in parts for word in part)])


FAULTS: Final[Sequence[Callable[[str, Sequence[str], Random], Iterator[str]]]] = (
    _other_verb,
    _dropped,
    _repeated,
    _added,
    _in_another_order,
    _changed,
    _moved,
)
