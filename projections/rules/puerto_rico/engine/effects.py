"""Lookup of the effects of buildings for the phases. Facts keep a mask of the working buildings; lookups read it."""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from projections.rules.dealer import Dealer
from projections.rules.fact_recorder import FactRecorder
from projections.rules.move_collection import Moves
from projections.rules.puerto_rico.moves import Move
from projections.rules.puerto_rico.state.position import Position

# Quantities that buildings add to.
SALE_PRICE: Final = 0
PRIVILEGE: Final = 1
SMALL_DISCOUNT: Final = 2  # on buildings of columns 1-3
LARGE_DISCOUNT: Final = 3  # on buildings of column 4
STORED_KINDS: Final = 4
STORED_SINGLES: Final = 5
QUANTITIES: Final = 6

# Permissions that buildings give.
TAKE_QUARRY: Final = 0
MAKE_FOREST: Final = 1
SELL_DUPLICATE: Final = 2
TRADE_TWICE: Final = 3  # a turn of the trader phase may hold more than a sale
PERMISSIONS: Final = 4

LISTENING: Final[dict[type, int]] = {}  # kind of fact -> bits of the buildings that react to it

NOTHING_WAIVED: Final = (0,)

ANYBODY: Final = 0
BY_COLONIST: Final = 1
BY_NOBLE: Final = 2

Offer: TypeAlias = Callable[[Position, int], "Moves[Move] | tuple[Move, ...]"]
Reaction: TypeAlias = Callable[[Position, Any, FactRecorder[Position]], None]
Possible: TypeAlias = Callable[[Position, int], bool]
Points: TypeAlias = Callable[[Position, int], int]

# The functions of a phase module: its choices, duties and deeds.
Choice: TypeAlias = Callable[[Position, int], "Moves[Move] | tuple[Move, ...]"]
Duty: TypeAlias = Callable[[Position, int, Dealer, FactRecorder[Position]], None]
Deed: TypeAlias = Callable[[Position, int, Any, Dealer, FactRecorder[Position]], None]
Gate: TypeAlias = Callable[[Position], bool]


class Adds(NamedTuple):
    """Raises a quantity."""

    quantity: int
    amount: int
    staff: int = ANYBODY


class Allows(NamedTuple):
    """Gives a permission."""

    permission: int
    staff: int = ANYBODY


class Offers(NamedTuple):
    """Adds moves to a step."""

    step: int
    moves: Offer
    staff: int = ANYBODY


class When(NamedTuple):
    """Reacts to its owner's facts of a kind; `optional` says when the owner could decline."""

    fact: type
    then: Reaction
    staff: int = ANYBODY
    optional: Possible | None = None


class Scores(NamedTuple):
    """Is worth more points at the end."""

    points: Points


Effect: TypeAlias = Adds | Allows | Offers | When | Scores


class Answers:
    """Index of the effects: the posts (bits of the mask of working buildings) by kind of effect."""

    def __init__(self) -> None:
        self.totals: list[dict[int, int]] = [{0: 0} for _ in range(QUANTITIES)]
        self.adding: list[int] = [0] * QUANTITIES
        self.permits: list[int] = [0] * PERMISSIONS
        self.offering: dict[int, int] = {}
        self.offers: dict[int, list[tuple[int, Offer]]] = {}
        self.listening: dict[type, int] = LISTENING
        self.reactions: dict[type, list[tuple[int, int, Reaction]]] = {}
        self.optional: dict[type, list[tuple[int, int, Possible]]] = {}
        self.declinable: dict[type, int] = {}  # kind of fact -> bits of the buildings with an optional reaction
        self.scores: list[tuple[int, int, Points]] = []

    def learn(self, building: int, posts: Sequence[int], effects: Sequence[Effect]) -> None:
        """Adds the effects of a building; `posts` are its bits by staff."""
        for effect in effects:
            if isinstance(effect, Scores):
                self.scores.append((posts[ANYBODY], building, effect.points))
                continue
            post = posts[effect.staff]
            if isinstance(effect, Adds):
                self._learn_sum(post, effect)
            elif isinstance(effect, Allows):
                self.permits[effect.permission] |= post
            elif isinstance(effect, Offers):
                self.offering[effect.step] = self.offering.get(effect.step, 0) | post
                self.offers.setdefault(effect.step, []).append((post, effect.moves))
            else:
                self._learn_reaction(building, post, effect)

    def _learn_sum(self, post: int, effect: Adds) -> None:
        """Sums of every combination, so that the answer is a look into a table."""
        sums = self.totals[effect.quantity]
        sums.update({mask | post: total + effect.amount for mask, total in list(sums.items())})
        self.adding[effect.quantity] |= post

    def _learn_reaction(self, building: int, post: int, effect: When) -> None:
        self.listening[effect.fact] = self.listening.get(effect.fact, 0) | post
        self.reactions.setdefault(effect.fact, []).append((post, 1 << building, effect.then))
        if effect.optional is not None:
            self.optional.setdefault(effect.fact, []).append((post, 1 << building, effect.optional))
            self.declinable[effect.fact] = self.declinable.get(effect.fact, 0) | post


ANSWERS: Final = Answers()
_totals: Final = ANSWERS.totals
_adding: Final = ANSWERS.adding
_permits: Final = ANSWERS.permits


def total(position: Position, seat: int, quantity: int) -> int:
    """Returns the amount that the seat's buildings add to a quantity."""
    return _totals[quantity][position.working[seat] & _adding[quantity]]


def allowed(position: Position, seat: int, permission: int) -> bool:
    """Whether one of the seat's buildings permits it."""
    return bool(position.working[seat] & _permits[permission])


def privilege(position: Position, seat: int) -> int:
    """The privilege of the running phase: 1 and the additions of buildings for the chooser, 0 for the others."""
    if seat != position.chooser:
        return 0
    return 1 + _totals[PRIVILEGE][position.working[seat] & _adding[PRIVILEGE]]


def offers(position: Position, seat: int, step: int) -> tuple[tuple[Move, ...], Moves[Move] | None]:
    """The moves that the seat's buildings add to a step: listed ones, and a long collection if there is one."""
    working = position.working[seat]
    listed: tuple[Move, ...] = ()
    long: Moves[Move] | None = None
    for post, moves in ANSWERS.offers[step]:
        if working & post:
            added = moves(position, seat)
            if isinstance(added, tuple):
                listed += added
            else:
                long = added
    return listed, long


def listens(position: Position, seat: int, fact: type) -> bool:
    """Whether one of the seat's buildings would react to such a fact."""
    return bool(position.working[seat] & ANSWERS.listening.get(fact, 0))


def waivers(position: Position, seat: int, fact: type) -> tuple[int, ...]:
    """The sets of optional effects the seat may decline when such a fact happens; the empty set first."""
    if not position.working[seat] & ANSWERS.declinable.get(fact, 0):
        return NOTHING_WAIVED
    chosen = [0]
    for post, building, possible in ANSWERS.optional[fact]:
        if position.working[seat] & post and possible(position, seat):
            chosen += [waived | building for waived in chosen]
    return tuple(chosen)


def scores(position: Position, seat: int) -> list[tuple[int, int]]:
    """The bonus of each of the seat's occupied large buildings: (building, points)."""
    working = position.working[seat]
    return [(building, points(position, seat)) for post, building, points in ANSWERS.scores if working & post]


def react(position: Position, fact: Any, recorder: FactRecorder[Position]) -> None:
    """Let the buildings that listen react: those of the fact's seat, of every seat when it has none."""
    kind = type(fact)
    working = position.working[fact.seat]  # as it is right after the fact
    if not working & LISTENING.get(kind, 0):
        return
    for post, building, then in ANSWERS.reactions[kind]:
        if working & post and not recorder.waived & building:
            then(position, fact, recorder)
