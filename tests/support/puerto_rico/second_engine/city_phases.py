"""The builder's phase (3.6) and the craftsman's (3.7)."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, combinations_with_replacement, product

from tests.support.puerto_rico.second_engine.asking import PASS, Course, ask_in_turn, window
from tests.support.puerto_rico.second_engine.books import Books
from tests.support.puerto_rico.second_engine.choices import Move
from tests.support.puerto_rico.second_engine.tables import BUILDINGS, CHURCH, FACTORY, GOODS, PRODUCTION


def builder(books: Books, order: list[int]) -> Course:
    """A purchase of each."""
    for seat in order:
        yield from window(books, "GW-3", [seat])

        def options(seat: int = seat) -> set[Move]:
            return {PASS, *_purchases(books, seat, chooser=seat == order[0])}

        move = yield from ask_in_turn(books, seat, "D-BLD", options)
        if move != PASS:
            _buy(books, seat, move, price(books, seat, move[1], chooser=seat == order[0]))


def price(books: Books, seat: int, building: str, *, chooser: bool) -> int:
    """Cost less privilege, quarries, forests and zoning office, not below 0."""
    player, column = books.players[seat], BUILDINGS[building].column
    off = books.privilege(seat) if chooser else 0
    off += min(player.tiles("quarry", occupied=True), column)
    off += player.tiles("forest") // 2
    off += 1 if player.staffed("zoning_office", "colonist") and column < 4 else 0
    off += 2 if player.staffed("zoning_office", "noble") and column == 4 else 0
    return max(0, books.cost(building) - off)


def _purchases(books: Books, seat: int, *, chooser: bool) -> Iterator[Move]:
    """Every building that can be paid, with every set of returned items and the waived university."""
    player = books.players[seat]
    for name, copies in books.display.items():
        if not copies or name in player.city or not _fits(books, seat, name):
            continue
        missing = price(books, seat, name, chooser=chooser) - player.doubloons
        payments = _payments(books, seat, missing) if missing > 0 else [()]
        for items in payments:
            yield "build", name, frozenset(items), False
            if _university(books, seat, items):
                yield "build", name, frozenset(items), True


def _fits(books: Books, seat: int, building: str) -> bool:
    """Whether the city has the spaces (R-44)."""
    player = books.players[seat]
    large = sum(BUILDINGS[name].spaces == 2 for name in (*player.city, building))
    narrow = books.options["city_geometry"] == "grid_4x3" and BUILDINGS[building].spaces == 2
    return player.spaces() + BUILDINGS[building].spaces <= 12 and not (narrow and large > 4)


def _payments(books: Books, seat: int, missing: int) -> Iterator[tuple[str, ...]]:
    """Black market: exactly the missing number of items, each of another sort (R-34, R-35, R-36)."""
    player = books.players[seat]
    if not player.runs("black_market"):
        return
    people = {f"{tile.who}@{tile.kind}" for tile in player.island if tile.who}
    people |= {f"{who}@{name}" for name, staff in player.city.items() if name != "black_market" for who in +staff}
    people |= {f"{who}@san_juan" for who in +player.san_juan}
    sorts = (sorted(people), sorted(+player.goods), ["vp"] if player.chips else [])
    for chosen in combinations(sorts, missing):
        yield from product(*chosen)


def _university(books: Books, seat: int, items: tuple[str, ...]) -> bool:
    """Whether the university may staff the purchase: still occupied after the payment, and a colonist there (R-40)."""
    staff = books.players[seat].city.get("university", Counter[str]()).total()
    staff -= sum(item.endswith("@university") for item in items)
    returned = any(item.startswith("colonist@") for item in items)
    return staff > 0 and (returned or books.has_colonist(from_ship=True))


def _buy(books: Books, seat: int, move: Move, cost: int) -> None:
    """Pay, take the tile, staff it, points of the church, the twelfth space."""
    player = books.players[seat]
    _, name, items, waived = move
    player.doubloons -= cost - len(items)
    offered, church = _university(books, seat, tuple(items)), player.runs("church")
    for item in items:
        _give_back(books, seat, item)
    books.display[name] -= 1
    player.city[name] = Counter()
    if offered and not waived and books.fetch_colonist(from_ship=True):
        player.add("colonist", name if BUILDINGS[name].circles else "san_juan")
    if church and player.runs("church"):
        books.award(seat, CHURCH[BUILDINGS[name].column])
    if player.spaces() == 12:
        books.ends.add("city")


def _give_back(books: Books, seat: int, item: str) -> None:
    """A person, a good or a point goes to the supply."""
    player = books.players[seat]
    if item == "vp":
        player.chips -= 1
        books.chips += 1
    elif item in GOODS:
        player.goods[item] -= 1
        books.goods[item] += 1
    else:
        who, place = item.split("@")
        player.remove(who, place)
        books.supply[who] += 1


def craftsman(books: Books, order: list[int]) -> Course:
    """Chapels; production and payout of each, the chooser's payout after his privilege."""
    chooser = order[0]
    for seat in order:
        player = books.players[seat]
        player.doubloons += player.staffed("chapel", "colonist")
        books.award(seat, int(player.staffed("chapel", "noble")))
    own, extra = Counter[str](), Counter[str]()
    for seat in order:
        yield from window(books, "GW-3", [seat])
        made, more = _produce(books, seat)
        if seat == chooser:
            own, extra = made, more
        else:
            _pay_out(books, seat, made, more)
    yield from window(books, "GW-7", [chooser])
    yield from _privilege(books, chooser, own, extra)
    _pay_out(books, chooser, own, extra)


def _produce(books: Books, seat: int) -> tuple[Counter[str], Counter[str]]:
    """Returns the production of a seat and the aqueduct's addition (R-47)."""
    player = books.players[seat]
    made, more = Counter[str](), Counter[str]()
    for good in GOODS:
        staff = sum(staff.total() for name, staff in player.city.items() if BUILDINGS[name].makes == good)
        tended = player.tiles(good, occupied=True)
        made[good] = min(tended if good == "corn" else min(tended, staff), books.goods[good])
    books.goods -= made
    for large in ("indigo_plant", "sugar_mill"):
        good = PRODUCTION[large].makes
        if player.runs("aqueduct") and player.runs(large) and made[good] and books.goods[good]:
            more[good] = 1
    books.goods -= more
    player.goods += made + more
    return +made, more


def _privilege(books: Books, seat: int, made: Counter[str], extra: Counter[str]) -> Course:
    """D-CRA-PRIV: the only possible set of goods is taken without asking."""
    player = books.players[seat]

    def options() -> set[Move]:
        kinds = [good for good in sorted(made) if books.goods[good]]
        sizes = range(1, books.privilege(seat) + 1)
        sets = (goods for size in sizes for goods in combinations_with_replacement(kinds, size))
        return {("bonus", *goods) for goods in sets if all(books.goods[good] >= goods.count(good) for good in goods)}

    def with_pass() -> set[Move]:
        moves = options()
        return moves | {PASS} if len(moves) > 1 else moves

    if options():
        move = yield from ask_in_turn(books, seat, "D-CRA-PRIV", with_pass, after="GW-7")
        goods = move[1:]
        player.goods.update(goods)
        books.goods.subtract(goods)
        extra.update(goods)


def _pay_out(books: Books, seat: int, made: Counter[str], extra: Counter[str]) -> None:
    """Factory, specialty factory (R-49) and jeweler."""
    player = books.players[seat]
    if player.runs("factory"):
        player.doubloons += FACTORY[len(made)]
    if player.runs("specialty_factory"):
        counted = made + extra if books.options["specialty_factory_count"] == "all_received" else made
        most = max((number for good, number in counted.items() if good != "corn"), default=0)
        player.doubloons += max(0, most - 1)
    if player.runs("jeweler"):
        player.doubloons += player.people("noble")
