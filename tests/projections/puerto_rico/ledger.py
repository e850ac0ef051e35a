"""A second bookkeeper of the base game: follows its moves by rules 1 to 5 alone, and shares nothing with the engine.

Each phase is written down as the rules tell it, from the first seat to the last; it stops where somebody has to choose.
Choices that the rules leave no room for are made by the bookkeeper itself.
"""

from collections import Counter
from collections.abc import Generator, Sequence
from itertools import cycle

from tests.projections.puerto_rico.ledger_books import BUILDINGS, PRICES, Books

Question = tuple[int, frozenset[str] | None]  # who is asked, and the moves; None where there are too many to list
Asking = Generator[Question, str, str]
Course = Generator[Question, str, None]


class Ledger(Books):
    """The books of one game. `asks` says who is to choose among what; `enter` writes the choice down."""

    def __init__(self, seats: int, row: Sequence[str]) -> None:
        super().__init__(seats, row)
        self._course = self._rounds()
        self.asks: Question | None = next(self._course)

    def enter(self, seat: int, move: str, drawn: Sequence[str]) -> None:
        """Write down a move of a seat and everything that follows from it."""
        assert self.asks is not None
        assert seat == self.asks[0]
        assert self.asks[1] is None or move in self.asks[1]
        self.drawn = list(drawn)
        try:
            self.asks = self._course.send(move)
        except StopIteration:
            self.asks = None
        assert not self.drawn

    def _ask(self, seat: int, moves: set[str]) -> Asking:
        return (yield seat, frozenset(moves)) if len(moves) > 1 else moves.pop()

    def _rounds(self) -> Course:
        """Rules 3.1."""
        seats = len(self.boards)
        for self.governor in cycle(range(seats)):
            for turn in range(seats * self.cards_each):
                yield from self._role((self.governor + turn) % seats)
            self.cards = {card: lying + (card not in self.taken) for card, lying in self.cards.items()}
            self.taken = {}
            if self.ends:
                return

    def _role(self, chooser: int) -> Course:
        """A choice of a role and its whole phase."""
        move = yield from self._ask(chooser, {f"role {card}" for card in self.cards if card not in self.taken})
        card = move.removeprefix("role ")
        self.taken[card] = chooser
        self.boards[chooser].doubloons += self.cards[card]
        self.cards[card] = 0
        phases = {
            "settler": self._settler, "mayor": self._mayor, "builder": self._builder,
            "craftsman": self._craftsman, "trader": self._trader, "captain": self._captain,
        }  # fmt: skip
        if card in phases:
            yield from phases[card]([(chooser + seat) % len(self.boards) for seat in range(len(self.boards))])
        else:
            self.boards[chooser].doubloons += 1  # rules 3.10

    def _settler(self, order: Sequence[int]) -> Course:
        """Rules 3.4."""
        for seat in order:
            board = self.boards[seat]
            obtainable = self.pile.total() + self.discards.total() > 0
            usable = board.runs("hacienda") and board.tiles.total() < 12 and obtainable
            if usable and (yield from self._ask(seat, {"draw", "pass"})) == "draw":
                board.tiles[self.turn_over()] += 1
            yield from self._take(seat, seat == order[0])
        self.discards, self.row = self.discards + self.row, Counter()
        self.deal()

    def _take(self, seat: int, settler: bool) -> Course:
        board = self.boards[seat]
        kinds = set(+self.row)
        if self.quarries and (settler or board.runs("construction_hut")):
            kinds.add("quarry")
        moves = {f"take {kind}" for kind in kinds if board.tiles.total() < 12}
        hospice = board.runs("hospice") and self.colonists + self.colonist_ship > 0
        move = yield from self._ask(seat, {"pass"} | moves | (without(moves, "hospice") if hospice else set()))
        if move == "pass":
            return
        kind = move.split()[1]
        board.tiles[kind] += 1
        self.quarries -= kind == "quarry"
        self.row[kind] -= kind != "quarry"
        board.land[kind] += self.colonist() if hospice and "-hospice" not in move else 0

    def _mayor(self, order: Sequence[int]) -> Course:
        """Rules 3.5."""
        self.boards[order[0]].san_juan += self.colonists > 0
        self.colonists -= self.colonists > 0
        for seat, _ in zip(cycle(order), range(self.colonist_ship), strict=False):
            self.boards[seat].san_juan += 1
        self.colonist_ship = 0
        for seat in order:
            yield from self._place(seat)
        empty = sum(BUILDINGS[name].circles - people for board in self.boards for name, people in board.city.items())
        need = max(len(self.boards), empty)
        if self.colonists < need:
            self.ends.add("colonists")
        self.colonist_ship = min(need, self.colonists)
        self.colonists -= self.colonist_ship

    def _place(self, seat: int) -> Course:
        board = self.boards[seat]
        circles, people = board.circles(), board.people()
        if people >= sum(circles.values()):
            board.stand(circles)
        elif len(circles) == 1 or not people:
            board.stand(dict.fromkeys(circles, people))
        else:
            places = amounts((yield seat, None))
            assert places.total() == people
            assert all(number <= circles.get(place, 0) for place, number in places.items())
            board.stand(places)

    def _builder(self, order: Sequence[int]) -> Course:
        """Rules 3.6."""
        for seat in order:
            board = self.boards[seat]
            prices = dict(self.prices(board, seat == order[0]))
            university = board.runs("university") and self.colonists + self.colonist_ship > 0
            moves = {f"build {name}" for name in prices}
            move = yield from self._ask(
                seat, {"pass"} | moves | (without(moves, "university") if university else set())
            )
            if move == "pass":
                continue
            name = move.split()[1]
            board.doubloons -= prices[name]
            self.display[name] -= 1
            board.city[name] = self.colonist() if university and "-university" not in move else 0
            if board.city_spaces() == 12:
                self.ends.add("city")

    def _craftsman(self, order: Sequence[int]) -> Course:
        """Rules 3.7; the chooser's privilege and payout come last."""
        chooser = self.boards[order[0]]
        made = [self.produce(self.boards[seat]) for seat in order]
        for seat, kinds in zip(order[1:], made[1:], strict=True):
            self.pay_out(self.boards[seat], kinds)
        moves = {f"bonus {good}" for good in made[0] if self.goods[good]}
        if moves:  # a single possible good is taken without asking
            move = yield from self._ask(order[0], moves | {"pass"} if len(moves) > 1 else moves)
            chooser.goods.update(move.split()[1:])
            self.goods.subtract(move.split()[1:])
        self.pay_out(chooser, made[0])

    def _trader(self, order: Sequence[int]) -> Course:
        """Rules 3.8."""
        for seat in order:
            board = self.boards[seat]
            wanted = {good for good in +board.goods if good not in self.house or board.runs("office")}
            move = yield from self._ask(seat, {"pass"} | {f"sell {good}" for good in wanted if len(self.house) < 4})
            if move != "pass":
                good = move.split()[1]
                board.goods[good] -= 1
                self.house.append(good)
                markets = board.runs("small_market") + 2 * board.runs("large_market")
                board.doubloons += PRICES[good] + markets + (seat == order[0])
        if len(self.house) == 4:
            self.goods.update(self.house)
            self.house = []

    def _captain(self, order: Sequence[int]) -> Course:
        """Rules 3.9."""
        idle, wharves, privilege = 0, {seat for seat in order if self.boards[seat].runs("wharf")}, 1
        for seat in cycle(order):
            board = self.boards[seat]
            moves = set(self.loadings(board)) or {"pass"}
            moves |= {f"wharf {good}" for good in +board.goods if seat in wharves}
            verb, *cargo = (yield from self._ask(seat, moves)).split()
            idle = idle + 1 if verb == "pass" else 0
            if idle == len(order):
                break
            if verb == "pass":
                continue
            wharves -= {seat} if verb == "wharf" else set()
            loaded = self.load(board, *cargo)
            self.award(board, loaded + board.runs("harbor") + (privilege if seat == order[0] else 0))
            privilege *= seat != order[0]
        for seat in order:
            yield from self._store(seat)
        for cargo_ship in [hold for capacity, hold in self.ships.items() if hold.total() == capacity]:
            self.goods += cargo_ship
            cargo_ship.clear()

    def _store(self, seat: int) -> Course:
        board = self.boards[seat]
        if board.can_store(board.goods):
            return
        kept = amounts((yield seat, None))
        assert kept <= board.goods
        assert board.can_store(kept)
        self.goods += board.goods - kept
        board.goods = kept


def without(moves: set[str], building: str) -> set[str]:
    """The same moves with the effect of a building declined."""
    return {f"{move} -{building}" for move in moves}


def amounts(move: str) -> Counter[str]:
    """The numbers in a move, as `store corn=2`."""
    pairs = (word.split("=") for word in move.split()[1:])
    return Counter({name: int(number) for name, number in pairs})
