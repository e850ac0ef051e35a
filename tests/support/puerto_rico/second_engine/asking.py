"""Decision points: a single option is taken without asking (0.3), guests are asked about in their windows (4.5)."""

from collections.abc import Callable, Generator, Iterable, Set
from itertools import combinations, combinations_with_replacement, permutations

from tests.support.puerto_rico.second_engine.books import Books
from tests.support.puerto_rico.second_engine.choices import Choices, Move, Question
from tests.support.puerto_rico.second_engine.tables import WINDOWS

Course = Generator[Question, Move, None]
Asking = Generator[Question, Move, Move]
Listing = Callable[[], Set[Move]]
Between = Callable[[], Generator[Question, Move, str]]

AGAIN: Move = ("ask_guests",)
PASS: Move = ("pass",)


def ask(books: Books, seat: int, point: str, listed: Set[Move], others: Choices = frozenset()) -> Asking:
    """Ask a seat, unless it has one option alone."""
    question = Question(seat, point, frozenset(listed), others)
    if len(question) > 1:
        return (yield question)
    (move,) = question.moves()
    books.automatic.append((seat, move))
    return move


def ask_in_turn(
    books: Books,
    seat: int,
    point: str,
    listing: Listing,
    others: Callable[[], Choices] | None = None,
    *,
    after: str = "GW-3",
    between: Between | None = None,
) -> Asking:
    """Ask at an own turn, where a seat that said `stay phase` may take that back first.

    That opens the window `after` which this decision comes; "" when another decision stood between. What lies `between`
    the start of the turn and this decision is then gone through again, and returns the window to open next time.
    """
    while True:
        listed, rest = set(listing()), others() if others else frozenset()
        if seat in books.staying and len(listed) + len(rest) > 1 and guest_moves(books, seat):
            listed.add(AGAIN)
        move = yield from ask(books, seat, point, listed, rest)
        if move != AGAIN:
            return move
        books.staying.discard(seat)
        yield from window(books, after, [seat])
        if between is not None and after == "GW-3":
            after = yield from between()


def window(books: Books, name: str, seats: Iterable[int]) -> Course:
    """A guest window for the owners among these seats."""
    if name in WINDOWS[str(books.options["guest_windows"])]:
        for seat in seats:
            yield from guests(books, seat)


def guests(books: Books, seat: int) -> Course:
    """D-GUEST of a seat, if a guest of his can move."""
    moves = guest_moves(books, seat)
    if not moves or seat in books.staying:
        return
    staying: set[Move] = {("stay",)} if books.over else {("stay",), ("stay", "phase")}
    move = yield from ask(books, seat, "D-GUEST", moves | staying)
    if move == ("stay", "phase"):
        books.staying.add(seat)
    elif move != ("stay",):
        for word in move[1:]:
            who, place = ("noble", word.removeprefix("noble@")) if word.startswith("noble@") else ("colonist", word)
            books.players[seat].remove(who, "guesthouse")
            books.players[seat].add(who, place)


def guest_moves(books: Books, seat: int) -> set[Move]:
    """Every set of one or two guests on different empty circles of other places."""
    player = books.players[seat]
    if not player.runs("guesthouse"):
        return set()
    staff = sorted(player.city["guesthouse"].elements())
    empty = player.empty_circles()
    del empty["guesthouse"]
    moves: set[Move] = {("guest", _told(who, place)) for who in staff for place in empty}
    if len(staff) == 2:
        pairs = combinations_with_replacement(sorted(empty), 2)
        for pair in (pair for pair in pairs if pair[0] != pair[1] or empty[pair[0]] > 1):
            for people in set(permutations(staff)):
                moves.add(("guest", *sorted(map(_told, people, pair))))
    return moves


def _told(who: str, place: str) -> str:
    return place if who == "colonist" else f"noble@{place}"


def subsets(items: Iterable[str], most: int) -> set[tuple[str, ...]]:
    """Sets of at most so many of these, each in order."""
    pool = sorted(items)
    return {chosen for size in range(min(most, len(pool)) + 1) for chosen in combinations(pool, size)}
