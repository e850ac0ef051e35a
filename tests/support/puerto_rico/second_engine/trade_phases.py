"""The trader's phase (3.8) and the captain's (3.9)."""

from collections import Counter
from collections.abc import Generator
from functools import partial
from itertools import cycle

from tests.support.puerto_rico.second_engine.asking import PASS, Course, ask, ask_in_turn, subsets, window
from tests.support.puerto_rico.second_engine.books import Books
from tests.support.puerto_rico.second_engine.choices import Amounts, Choices, Move, Question
from tests.support.puerto_rico.second_engine.island_phases import draw_hidden, remove
from tests.support.puerto_rico.second_engine.tables import PRICES


def trader(books: Books, order: list[int]) -> Course:
    """Sale and land office of each, in any order; a full house is emptied."""
    for seat in order:
        yield from window(books, "GW-3", [seat])
        yield from _trade(books, seat, books.privilege if seat == order[0] else None)
    if len(books.house) == 4:
        books.goods.update(books.house)
        books.house.clear()


def _trade(books: Books, seat: int, privilege: object) -> Course:
    """D-TRD until the seat finishes."""
    used = set[str]()

    def options() -> set[Move]:
        moves: set[Move] = {PASS}
        if "sale" not in used:
            moves |= _sales(books, seat)
        if "land office" not in used:
            moves |= _land_office(books, seat)
        return moves

    after = "GW-3"
    while (move := (yield from ask_in_turn(books, seat, "D-TRD", options, after=after))) != PASS:
        after = "GW-9"
        if move[0] == "sell":
            used.add("sale")
            _sell(books, seat, move, chooser=privilege is not None)
        else:
            used.add("land office")
            yield from _use_land_office(books, seat, move)
        if "sale" not in used or ("land office" not in used and "land_office" in books.players[seat].city):
            yield from window(books, "GW-9", [seat])


def _sales(books: Books, seat: int) -> set[Move]:
    """Sales to the trading house and to the own trading post."""
    player = books.players[seat]
    moves: set[Move] = set()
    for good in +player.goods:
        if len(books.house) < 4 and (good not in books.house or player.runs("office")):
            moves.add(("sell", good))
        if player.runs("trading_post"):
            moves.add(("sell", good, "trading_post"))
    return moves


def _sell(books: Books, seat: int, move: Move, *, chooser: bool) -> None:
    player, good = books.players[seat], move[1]
    player.goods[good] -= 1
    player.doubloons += PRICES[good] + (books.privilege(seat) if chooser else 0)
    if "trading_post" in move:
        books.goods[good] += 1
    else:
        player.doubloons += player.runs("small_market") + 2 * player.runs("large_market")
        books.house.append(good)


def _land_office(books: Books, seat: int) -> set[Move]:
    """Returns the moves of the land office (4.4, R-72, R-73)."""
    player = books.players[seat]
    moves: set[Move] = set()
    if player.staffed("land_office", "noble"):
        moves |= books.removable(seat, forests=bool(books.options["land_office_sell_forest"]))
    if player.staffed("land_office", "colonist") and player.doubloons and player.room():
        if books.options["land_office_source"] == "face_down":
            moves |= {("plant",)} if books.obtainable() else set()
        else:
            moves |= {("plant", kind) for kind in +books.row}
            moves |= {("plant", kind, "forest") for kind in +books.row if books.can_make_forest(seat)}
    return moves


def _use_land_office(books: Books, seat: int, move: Move) -> Course:
    player = books.players[seat]
    if move[0] == "unplant":
        remove(books, seat, move)
        player.doubloons += 1
        return
    player.doubloons -= 1
    if move == ("plant",):
        yield from draw_hidden(books, seat, "D-TRD-F")
    else:
        books.row[move[1]] -= 1
        books.plant(seat, move[1], forest=len(move) == 3)


def captain(books: Books, order: list[int]) -> Course:
    """Loading, storage, unloading."""
    yield from _Loading(books, order).turns()
    for seat in order:
        yield from _store(books, seat)
    for capacity, hold in books.ships.items():
        if hold.total() == capacity:
            books.goods += hold
            hold.clear()
    if books.options["vp_end_scope"] == "captain_only" and not books.chips:
        books.ends.add("vp")


class _Loading:
    """The loading turns of one captain phase."""

    def __init__(self, books: Books, order: list[int]) -> None:
        self.books, self.order, self.captain = books, order, order[0]
        self.used = set[tuple[str, int]]()  # wharves and union halls used
        self.loaded = set[int]()  # seats that have loaded

    def turns(self) -> Course:
        """Repeats turns until all seats in a row loaded nothing (R-55)."""
        fresh, idle = set(self.order), 0
        for seat in cycle(self.order):
            yield from window(self.books, "GW-3", [seat])
            after, between = "GW-3", None
            if seat in fresh:
                fresh.remove(seat)
                between = partial(self._first_turn, seat)
                after = yield from between()
            options, heaps = partial(self._options, seat), partial(self._heaps, seat)
            move = yield from ask_in_turn(self.books, seat, "D-CAP-LOAD", options, heaps, after=after, between=between)
            idle = idle + 1 if move == PASS else 0
            if move != PASS:
                self._load(seat, move)
            if idle == len(self.order):
                break
        yield from window(self.books, "GW-8", self.order)
        captain = self.books.players[self.captain]
        if self.captain not in self.loaded and captain.runs("lighthouse"):
            captain.doubloons += 1

    def _first_turn(self, seat: int) -> Generator[Question, Move, str]:
        """Union hall, once, then royal supplier (R-59); returns the last guest window before the loading."""
        books, player = self.books, self.books.players[seat]
        if player.runs("union_hall") and ("union_hall", seat) not in self.used:
            self.used.add(("union_hall", seat))
            books.award(seat, sum(number // 2 for number in player.goods.values()))
        if not player.runs("royal_supplier"):
            return "GW-3"
        options: set[Move] = {("supply", *goods) for goods in subsets(+player.goods, player.people("noble"))}
        _, *goods = yield from ask(books, seat, "D-CAP-RS", options)
        player.goods.subtract(goods)
        books.goods.update(goods)
        books.award(seat, len(goods))
        return "" if len(options) > 1 else "GW-3"

    def _options(self, seat: int) -> set[Move]:
        player = self.books.players[seat]
        moves = self._ship_loadings(seat) or {PASS}
        if player.runs("wharf") and ("wharf", seat) not in self.used:
            moves |= {("wharf", good) for good in +player.goods}
        return moves

    def _heaps(self, seat: int) -> Choices:
        player = self.books.players[seat]
        if player.runs("small_wharf") and ("small_wharf", seat) not in self.used:
            return Amounts("small_wharf", player.goods, lambda numbers: sum(numbers) > 0)
        return frozenset()

    def _ship_loadings(self, seat: int) -> set[Move]:
        """D-CAP-LOAD: the ship of a kind, else the empty ships that take most of it (R-54)."""
        moves: set[Move] = set()
        for good, owned in (+self.books.players[seat].goods).items():
            carrying = [capacity for capacity, hold in self.books.ships.items() if hold[good]]
            empty = [capacity for capacity, hold in self.books.ships.items() if not hold.total()]
            most = max((min(owned, capacity) for capacity in empty), default=0)
            fitting = [capacity for capacity in empty if min(owned, capacity) == most]
            open_ships = [capacity for capacity in carrying if self.books.ships[capacity].total() < capacity]
            moves |= {("ship", good, str(capacity)) for capacity in (open_ships if carrying else fitting)}
        return moves

    def _load(self, seat: int, move: Move) -> None:
        books, player = self.books, self.books.players[seat]
        goods, points = self._cargo(seat, move)
        player.goods -= goods
        target = books.ships[int(move[2])] if move[0] == "ship" else books.goods
        target.update(goods)
        if move[0] != "ship":
            self.used.add((move[0], seat))
        points += player.runs("harbor")
        player.doubloons += player.runs("lighthouse")
        if seat == self.captain and seat not in self.loaded:
            points += books.privilege(seat)
            player.doubloons += player.runs("lighthouse")
        self.loaded.add(seat)
        books.award(seat, points)

    def _cargo(self, seat: int, move: Move) -> tuple[Counter[str], int]:
        """The goods of a loading, and its points without additions."""
        owned = self.books.players[seat].goods
        if move[0] == "small_wharf":
            goods = Counter({good: number for good, number, _ in move[1]})
            return goods, goods.total() // 2
        number = owned[move[1]]
        if move[0] == "ship":
            number = min(number, int(move[2]) - self.books.ships[int(move[2])].total())
        return Counter({move[1]: number}), number


def _store(books: Books, seat: int) -> Course:
    """D-CAP-STORE: warehouses keep kinds, storehouse and wind rose single goods."""
    player = books.players[seat]
    kinds = player.runs("small_warehouse") + 2 * player.runs("large_warehouse")
    singles = 1 + 3 * player.runs("storehouse")

    def fits(numbers: list[int]) -> bool:
        return sum(sorted(numbers, reverse=True)[kinds:]) <= singles

    if fits(list(player.goods.values())):
        everything = frozenset((good, number, 0) for good, number in (+player.goods).items())
        books.automatic.append((seat, ("store", everything)))
        return
    move = yield from ask(books, seat, "D-CAP-STORE", set(), Amounts("store", player.goods, fits))
    kept = Counter({good: number for good, number, _ in move[1]})
    books.goods += player.goods - kept
    player.goods = kept
