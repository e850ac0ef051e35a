"""The settler's phase (3.4) and the mayor's (3.5)."""

from collections import Counter
from collections.abc import Generator
from functools import partial
from itertools import cycle

from tests.support.puerto_rico.second_engine.asking import PASS, Asking, Course, ask, ask_in_turn, window
from tests.support.puerto_rico.second_engine.books import Books
from tests.support.puerto_rico.second_engine.choices import Move, Placements, Question
from tests.support.puerto_rico.second_engine.tables import BUILDINGS


def settler(books: Books, order: list[int]) -> Course:
    """Hacienda, take and hospice of each; library of the chooser; hunting lodges; a new row."""
    chooser = order[0]
    for seat in order:
        yield from window(books, "GW-3", [seat])
        after = yield from _hacienda(books, seat)
        yield from _take(books, seat, after, chooser=seat == chooser)
    if "library" in books.players[chooser].city:
        yield from window(books, "GW-5", [chooser])
        yield from _library_take(books, chooser)
    yield from window(books, "GW-6", order)
    for seat in order:
        yield from _hunting_lodge(books, seat)
    books.discards += books.row
    books.row.clear()
    books.deal_row()


def _hacienda(books: Books, seat: int) -> Generator[Question, Move, str]:
    """D-SET-HAC; returns the last guest window before the take."""

    def options() -> set[Move]:
        return {PASS, ("draw",)} if books.players[seat].room() and books.obtainable() else {PASS}

    if not books.players[seat].runs("hacienda"):
        return "GW-3"
    if options() == {PASS}:
        books.automatic.append((seat, PASS))
        return "GW-3"
    if (yield from ask_in_turn(books, seat, "D-SET-HAC", options)) == PASS:
        return ""
    yield from draw_hidden(books, seat, "D-SET-HAC-F")
    yield from window(books, "GW-4", [seat])
    return "GW-4"


def draw_hidden(books: Books, seat: int, point: str) -> Course:
    """Turn over the top face-down tile and place it; with a forest house it may become a forest."""
    books.holding = books.turn_over()
    move: Move = ("keep",)
    if books.can_make_forest(seat):
        move = yield from ask(books, seat, point, {("keep",), ("forest",)})
    books.plant(seat, books.holding, forest=move == ("forest",))
    books.holding = None


def _tiles_on_offer(books: Books, seat: int, *, quarry: bool) -> set[Move]:
    """Takes from the row and the quarries."""
    if not books.players[seat].room():
        return set()
    kinds = set(+books.row)
    moves: set[Move] = {("take", kind) for kind in kinds}
    if books.can_make_forest(seat):
        moves |= {("forest", kind) for kind in kinds}
    return moves | ({("take", "quarry")} if quarry and books.quarries else set())


def _receive(books: Books, seat: int, move: Move) -> None:
    verb, kind = move[:2]
    if kind == "quarry":
        books.quarries -= 1
    else:
        books.row[kind] -= 1
    books.plant(seat, kind, forest=verb == "forest")


def _take(books: Books, seat: int, after: str, *, chooser: bool) -> Course:
    """D-SET-TAKE with D-SET-HOSP."""
    player = books.players[seat]
    from_ship = bool(books.options["hospice_ship_fallback"])

    def hospice() -> bool:
        return player.runs("hospice") and books.has_colonist(from_ship=from_ship)

    def options() -> set[Move]:
        moves = _tiles_on_offer(books, seat, quarry=chooser or player.runs("construction_hut"))
        waived = {(*move, "-hospice") for move in moves} if hospice() else set()
        return {PASS} | moves | waived

    hacienda = partial(_hacienda, books, seat)
    move = yield from ask_in_turn(books, seat, "D-SET-TAKE", options, after=after, between=hacienda)
    if move == PASS:
        return
    _receive(books, seat, move)
    if hospice() and move[-1] != "-hospice" and books.fetch_colonist(from_ship=from_ship):
        if player.island[-1].kind == "forest":
            player.san_juan["colonist"] += 1
        else:
            player.island[-1].who = "colonist"


def _library_take(books: Books, seat: int) -> Course:
    """D-SET-LIB (R-25)."""
    player = books.players[seat]

    def options() -> set[Move]:
        return {PASS} | _tiles_on_offer(books, seat, quarry=player.runs("construction_hut"))

    if player.runs("library"):
        move = yield from ask_in_turn(books, seat, "D-SET-LIB", options, after="GW-5")
        if move != PASS:
            _receive(books, seat, move)


def _hunting_lodge(books: Books, seat: int) -> Course:
    """D-SET-LODGE with a colonist; points with a noble, if he alone has most empty spaces (4.4)."""
    player = books.players[seat]
    if player.staffed("hunting_lodge", "noble"):
        fewest = min(len(other.island) for at, other in enumerate(books.players) if at != seat)
        books.award(seat, 2 if len(player.island) < fewest else 0)
    if player.staffed("hunting_lodge", "colonist"):
        move = yield from ask(books, seat, "D-SET-LODGE", {PASS} | books.removable(seat))
        if move != PASS:
            remove(books, seat, move)


def remove(books: Books, seat: int, move: Move) -> None:
    """`unplant` of a tile by its kind, occupant and hidden face."""
    kind, *rest = move[1:]
    who = next((word for word in rest if word in ("colonist", "noble")), "")
    books.unplant(seat, kind, who, next((word for word in rest if word != who), ""))


def mayor(books: Books, order: list[int]) -> Course:
    """Privilege, villas, people from the ship, placement, refill."""
    first = books.players[order[0]]
    extra = min(books.privilege(order[0]), books.supply["colonist"])
    books.supply["colonist"] -= extra
    first.san_juan["colonist"] += extra
    for player in (books.players[seat] for seat in order):
        sort = "noble" if books.supply["noble"] else "colonist"
        if player.runs("villa") and books.supply[sort]:
            books.supply[sort] -= 1
            player.san_juan[sort] += 1
    yield from _land(books, order)
    yield from _placements(books, order)
    _refill(books)


def _land(books: Books, order: list[int]) -> Course:
    """D-MAY-PICK: one piece each, round and round."""
    for seat in cycle(order):
        aboard = sorted(+books.ship)
        if not aboard:
            return
        move: Move = ("pick", aboard[0])
        if len(aboard) > 1:
            move = yield from ask(books, seat, "D-MAY-PICK", {("pick", who) for who in aboard})
        books.ship[move[1]] -= 1
        books.players[seat].san_juan[move[1]] += 1


def _placements(books: Books, order: list[int]) -> Course:
    """D-MAY-PLACE, one after the other or all at once (R-26)."""
    sealed: dict[int, Move] = {}
    for seat in order:
        sealed[seat] = yield from _placement(books, seat)
        if books.options["mayor_placement"] == "sequential":
            _stand(books, seat, sealed.pop(seat))
    for seat, move in sealed.items():
        _stand(books, seat, move)


def _placement(books: Books, seat: int) -> Asking:
    player = books.players[seat]
    placements = Placements(player.circles(), player.people("colonist"), player.people("noble"))
    return (yield from ask(books, seat, "D-MAY-PLACE", set(), placements))


def _stand(books: Books, seat: int, move: Move) -> None:
    """All colonists leave their places; the placed ones return, the rest goes to San Juan."""
    player = books.players[seat]
    left = {who: player.people(who) for who in ("colonist", "noble")}
    for tile in player.island:
        tile.who = ""
    for staff in player.city.values():
        staff.clear()
    for place, *numbers in move[1]:
        for who, number in zip(left, numbers, strict=True):
            for _ in range(number):
                player.add(who, place)
            left[who] -= number
    player.san_juan = Counter(left)


def _refill(books: Books) -> None:
    """The ship for the next mayor (3.5 step 5, R-29, R-68, R-70)."""
    cities = [player.city for player in books.players]
    empty = sum(BUILDINGS[name].circles - staff.total() for city in cities for name, staff in city.items())
    need = max(books.seats, empty)
    short = books.supply["colonist"] < need
    noble = min(1, books.supply["noble"])
    colonists = min(need - noble, books.supply["colonist"])
    if not books.nobles_play and short:
        books.ends.add("colonists")
        colonists *= books.options["short_ship"] == "partial"
    books.ship.update(colonist=colonists, noble=noble)
    books.supply.subtract({"colonist": colonists, "noble": noble})
