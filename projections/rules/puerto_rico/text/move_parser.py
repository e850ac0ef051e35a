"""Text back into moves: any accepted spelling, the canonical move; refuses with UnreadableMove."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NoReturn

from projections.rules.errors import UnreadableMove
from projections.rules.puerto_rico import moves as m
from projections.rules.puerto_rico.buildings.printed import NAMES, NUMBERS, Building
from projections.rules.puerto_rico.kinds import COLONIST, FOREST, GOODS, NOBODY, NONE, PERSONS, ROLES, TILES, Goods5
from projections.rules.puerto_rico.state.places import place_number

FORMS: Final[Mapping[str, str]] = {  # verb -> the expected form
    "draft": "draft BUILDING",
    "role": "role ROLE",
    "draw": "draw",
    "keep": "keep",
    "forest": "forest, or forest GOOD [-BUILDING]",
    "take": "take TILE [-BUILDING]",
    "unplant": "unplant TILE [FACE] [colonist|noble]",
    "pick": "pick colonist|noble",
    "place": "place PLACE=COLONISTS[+NOBLESn] ...",
    "build": "build BUILDING [black_market=ITEM,...] [-BUILDING]",
    "bonus": "bonus GOOD [GOOD]",
    "sell": "sell GOOD [trading_post]",
    "plant": "plant [GOOD] [forest]",
    "ship": "ship GOOD CAPACITY",
    "wharf": "wharf GOOD",
    "small_wharf": "small_wharf GOOD=AMOUNT ...",
    "supply": "supply GOOD ...",
    "store": "store GOOD=AMOUNT ...",
    "guest": "guest [noble@]PLACE [[noble@]PLACE]",
    "stay": "stay [phase]",
    "ask_guests": "ask_guests",
    "pass": "pass",
}
MOST: Final = 40  # no seat owns as many of anything; keeps numbers short


class _Misread(Exception):
    """Inside this module: the words do not fit the verb."""


def read(text: str) -> m.Move:
    """The move a text means; case, spacing and the order of parts do not matter."""
    verb, *words = text.lower().split() or [""]
    reader = READERS.get(verb)
    if reader is None or not text.isascii() or len(text) > 1000:
        raise UnreadableMove(text[:100], "one of {known}", known=", ".join(FORMS))
    try:
        return reader(words)
    except _Misread:
        raise UnreadableMove(text, FORMS[verb]) from None


def _wrong() -> NoReturn:
    raise _Misread


def _one(words: Sequence[str]) -> str:
    if len(words) != 1:
        _wrong()
    return words[0]


def _none(words: Sequence[str]) -> None:
    if words:
        _wrong()


def _number(name: str, names: Sequence[str]) -> int:
    return names.index(name) if name in names else _wrong()


def _good(name: str) -> int:
    return _number(name, GOODS)


def _amount(text: str) -> int:
    return int(text) if text.isdigit() and len(text) < 4 and int(text) <= MOST else _wrong()


def _split_waivers(words: Sequence[str]) -> tuple[list[str], int]:
    """The words that waive nothing, and the set of buildings that the others waive."""
    waived = 0
    for word in words:
        if word.startswith("-"):
            waived |= 1 << NUMBERS.get(word[1:], NONE) if word[1:] in NUMBERS else _wrong()
    return [word for word in words if not word.startswith("-")], waived


def _take(words: Sequence[str]) -> m.Move:
    plain, waived = _split_waivers(words)
    if "forest" in plain and len(plain) == 2:  # `take forest coffee` is `forest coffee`
        plain.remove("forest")
        return m.Take(_good(_one(plain)), forest=True, waived=waived)
    return m.Take(_number(_one(plain), TILES[:FOREST]), waived=waived)


def _forest(words: Sequence[str]) -> m.Move:
    if not words:
        return m.Keep(forest=True)
    plain, waived = _split_waivers(words)
    return m.Take(_good(_one(plain)), forest=True, waived=waived)


def _keep(words: Sequence[str]) -> m.Move:
    _none(words)
    return m.Keep()


def _unplant(words: Sequence[str]) -> m.Move:
    tile, *rest = list(words) or _wrong()
    persons = [word for word in rest if word in PERSONS[COLONIST:]]
    faces = [word for word in rest if word in GOODS]
    if len(persons) > 1 or len(faces) > 1 or len(rest) != len(persons) + len(faces) or (faces and tile != "forest"):
        _wrong()
    person = PERSONS.index(persons[0]) if persons else NOBODY
    return m.Unplant(_number(tile, TILES), person, GOODS.index(faces[0]) if faces else NONE)


def _pick(words: Sequence[str]) -> m.Move:
    return m.Pick(COLONIST + _number(_one(words), PERSONS[COLONIST:]))


def _where(name: str) -> int:
    place = place_number(name)
    return place if place is not None else _wrong()


def _place(words: Sequence[str]) -> m.Move:
    people: dict[int, tuple[int, int]] = {}
    for word in words:
        name, _, amounts = word.partition("=")
        place = _where(name)
        if place in people:
            _wrong()
        people[place] = _people(amounts)
    return m.PlacePeople(tuple((place, *people[place]) for place in sorted(people) if people[place] != (0, 0)))


def _people(text: str) -> tuple[int, int]:
    colonists, plus, nobles = text.partition("+")
    if not plus and colonists.endswith("n"):
        return 0, _amount(colonists[:-1])
    if plus and not nobles.endswith("n"):
        _wrong()
    return _amount(colonists), _amount(nobles[:-1]) if plus else 0


def _build(words: Sequence[str]) -> m.Move:
    plain, waived = _split_waivers(words)
    name, *payment = plain or _wrong()
    move = m.Build(_number(name, NAMES), waived=waived)
    market = f"{NAMES[Building.BLACK_MARKET]}="
    if not payment:
        return move
    if len(payment) > 1 or not payment[0].startswith(market):
        _wrong()
    for item in payment[0].removeprefix(market).split(","):
        move = _with_item(move, item)
    return move


def _with_item(move: m.Build, item: str) -> m.Build:
    if "@" in item and move.person is None:
        return move._replace(person=_person(item))
    if item in GOODS and move.good == NONE:
        return move._replace(good=GOODS.index(item))
    if item == "vp" and not move.vp:
        return move._replace(vp=True)
    return _wrong()


def _person(text: str) -> m.Person:
    sort, at, place = text.rpartition("@")
    return (COLONIST + _number(sort, PERSONS[COLONIST:]) if at else COLONIST), _where(place)


def _bonus(words: Sequence[str]) -> m.Move:
    return m.Bonus(tuple(sorted(_good(word) for word in words))) if words else _wrong()


def _sell(words: Sequence[str]) -> m.Move:
    good, *rest = list(words) or _wrong()
    return m.Sell(_good(good), bool(rest) and (_one(rest) == NAMES[Building.TRADING_POST] or _wrong()))


def _plant(words: Sequence[str]) -> m.Move:
    forest = "forest" in words
    rest = [word for word in words if word != "forest"]
    if len(words) - len(rest) > 1 or (forest and not rest):
        _wrong()
    return m.Plant(_good(_one(rest)) if rest else NONE, forest)


def _ship(words: Sequence[str]) -> m.Move:
    good, capacity = words if len(words) == 2 else _wrong()
    return m.Ship(_good(good), _amount(capacity))


def _wharf(words: Sequence[str]) -> m.Move:
    return m.Wharf(_good(_one(words)))


def _goods(words: Sequence[str]) -> Goods5:
    amounts: dict[int, int] = {}
    for word in words:
        name, _, amount = word.partition("=")
        good = _good(name)
        if good in amounts:
            _wrong()
        amounts[good] = _amount(amount)
    corn, indigo, sugar, tobacco, coffee = [amounts.get(good, 0) for good in range(len(GOODS))]
    return (corn, indigo, sugar, tobacco, coffee)


def _supply(words: Sequence[str]) -> m.Move:
    goods = sorted(_good(word) for word in words)
    return m.Supply(tuple(goods)) if len(set(goods)) == len(goods) else _wrong()


def _guest(words: Sequence[str]) -> m.Move:
    if not 1 <= len(words) <= 2:
        _wrong()
    return m.MoveGuests(tuple(sorted((_person(word) for word in words), key=lambda guest: (guest[1], guest[0]))))


def _stay(words: Sequence[str]) -> m.Move:
    return m.Stay(bool(words) and (_one(words) == "phase" or _wrong()))


def _plain(move: m.Move) -> Callable[[Sequence[str]], m.Move]:
    def reader(words: Sequence[str]) -> m.Move:
        _none(words)
        return move

    return reader


READERS: Final[Mapping[str, Callable[[Sequence[str]], m.Move]]] = {
    "draft": lambda words: m.Draft(_number(_one(words), NAMES)),
    "role": lambda words: m.TakeRole(_number(_one(words), ROLES)),
    "draw": _plain(m.Draw()),
    "keep": _keep,
    "forest": _forest,
    "take": _take,
    "unplant": _unplant,
    "pick": _pick,
    "place": _place,
    "build": _build,
    "bonus": _bonus,
    "sell": _sell,
    "plant": _plant,
    "ship": _ship,
    "wharf": _wharf,
    "small_wharf": lambda words: m.SmallWharf(_goods(words)),
    "supply": _supply,
    "store": lambda words: m.Store(_goods(words)),
    "guest": _guest,
    "stay": _stay,
    "ask_guests": _plain(m.Recall()),
    "pass": _plain(m.PASS),
}
