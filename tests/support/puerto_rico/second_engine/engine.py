"""The course of a game: draft, rounds, role choices, the end (3.1, 3.10, 5.1, 6.1)."""

from collections.abc import Mapping, Sequence

from tests.support.puerto_rico.second_engine.asking import Course, ask, window
from tests.support.puerto_rico.second_engine.books import Books
from tests.support.puerto_rico.second_engine.choices import Question, read
from tests.support.puerto_rico.second_engine.city_phases import builder, craftsman
from tests.support.puerto_rico.second_engine.island_phases import mayor, settler
from tests.support.puerto_rico.second_engine.tables import BASE, BUILDINGS, NEW, NOBLES, PLACES
from tests.support.puerto_rico.second_engine.trade_phases import captain, trader

PHASES = {
    "settler": settler, "mayor": mayor, "builder": builder, "craftsman": craftsman, "trader": trader,
    "captain": captain,
}  # fmt: skip


class Engine(Books):
    """A game followed by moves and draws. `question` is the open decision; None when the game is over."""

    def __init__(self, seats: int, options: Mapping[str, object], drawn: Sequence[str]) -> None:
        super().__init__(seats, options, drawn)
        self.role: str | None = None
        self._course = self._game()
        self.question: Question | None = next(self._course)
        assert not self.drawn

    def enter(self, seat: int, text: str, drawn: Sequence[str]) -> None:
        """Make a move of a seat with the draws that the game recorded."""
        assert self.question is not None
        assert seat == self.question.seat
        assert self.question.allows(text), text
        self.drawn, self.automatic = list(drawn), []
        try:
            self.question = self._course.send(read(text))
        except StopIteration:
            self.question = None
        assert not self.drawn

    def _game(self) -> Course:
        yield from self._buildings()
        while not self.ends:
            self.governor = self.round % self.seats
            self.round += 1
            yield from self._round()
        self.staying.clear()
        self.role, self.over = None, True
        if self.options["final_guest_window"]:
            yield from window(self, "GW-10", self.order(self.governor))

    def _buildings(self) -> Course:
        """The violet buildings in play (6.1, 6.2, R-67, R-91)."""
        self.deal_row()
        drafted = self.nobles_play and self.options["nobles_setup"] == "draft"
        pool = BASE | (NEW if self.new_play else {}) | (NOBLES if drafted else {})
        selection = self.options["exp1_selection"]
        if not (self.new_play or drafted or selection == "fixed_list"):
            selection = "all"
        if selection == "random":
            self._draw_buildings(pool)
        elif selection == "fixed_list":
            listed = self.options["violet_buildings"]
            assert isinstance(listed, list)
            self.bring(*listed)
        elif selection == "all":
            self.bring(*pool)
        if self.nobles_play and not drafted:
            self.bring(*NOBLES)
        if selection == "draft":
            yield from self._draft(set(pool))

    def _draw_buildings(self, pool: Mapping[str, object]) -> None:
        """Drawn by the dealer within the places."""
        while candidates := self._candidates(set(pool)):
            name = self.drawn.pop(0)
            assert name in candidates
            self.bring(name)

    def _candidates(self, pool: set[str]) -> set[str]:
        """Kinds whose cost still has a free place."""
        filled = [BUILDINGS[name].cost for name in self.display if name in pool]
        left = {
            name
            for name in pool - self.display.keys()
            if filled.count(BUILDINGS[name].cost) < PLACES[BUILDINGS[name].cost]
        }
        pair = {"office", "trading_post"}
        return left - pair if self.options["exclude_office_and_trading_post"] and pair & self.display.keys() else left

    def _draft(self, pool: set[str]) -> Course:
        """D-DRAFT."""
        turn = 0
        while candidates := self._candidates(pool):
            move = yield from ask(self, turn % self.seats, "D-DRAFT", {("draft", name) for name in candidates})
            self.bring(move[1])
            turn += 1

    def _round(self) -> Course:
        for turn in range(self.seats * self.count.roles_each):
            yield from self._turn((self.governor + turn) % self.seats)
        for card in self.cards.keys() - self.taken.keys():
            self.cards[card] += 1
        self.taken.clear()

    def _turn(self, chooser: int) -> Course:
        """D-ROLE and the phase of the role."""
        self.role = None
        self.staying.clear()
        order = self.order(chooser)
        yield from window(self, "GW-1", order)

        _, card = yield from ask(
            self, chooser, "D-ROLE", {("role", card) for card in self.cards if card not in self.taken}
        )
        self.role = card if card in PHASES else "prospector"
        self.taken[card] = chooser
        self.players[chooser].doubloons += self.cards[card]
        self.cards[card] = 0
        if card != "mayor":
            yield from window(self, "GW-2", order)
        if card in PHASES:
            yield from PHASES[card](self, order)
        else:
            self.players[chooser].doubloons += self.privilege(chooser)
