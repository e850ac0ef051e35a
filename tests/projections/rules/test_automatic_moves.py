"""No voluntary action is taken by itself (R-2): what is recorded as automatic was the only choice, declining included.

The rules reference names two exceptions, both in its columns of what is decided by itself: the craftsman's good where a
single set of goods is possible (D-CRA-PRIV, "declining not counted"), and goods that all fit into the stores
(D-CAP-STORE, "keep everything, if it fits").
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import pytest

from projections.rules.dealer import RandomDealer
from projections.rules.protocol import Game
from projections.rules.registry import GAMES, rules_of
from tests.projections.rules.test_contract import OPTIONS

SEEDS: Final = 2  # games for every set of options and number of seats
DECLINES: Final = 0.5  # how often a seat that may pass in a trader phase does
ONCE: Final = (  # actions of a seat that a phase allows once (rules 3.4-3.9, 4.2-4.4)
    {"tile_taken"}, {"second_tile_taken"}, {"tile_removed"},
    {"building_bought"}, {"goods_produced"}, {"people_placed"},
    {"good_sold", "good_traded"}, {"draw_paid", "tile_bought", "tile_sold"}, {"trade_ended"},
    {"wharf_used"}, {"small_wharf_used"}, {"first_turn_begun"}, {"goods_supplied"}, {"goods_discarded"},
)  # fmt: skip
TRADE: Final = frozenset(("good_sold", "good_traded", "draw_paid", "tile_bought", "tile_sold", "guest_moved"))


class Forced(NamedTuple):
    """A move that was recorded as automatic: the table right before it, whose it was, and its text."""

    table: Mapping[str, Any]
    seat: int
    verb: str
    words: list[str]


class Played(NamedTuple):
    """The moves after a decision."""

    forced: list[Forced]
    facts: list[Any]


def games(game: Game[Any, Any]) -> Iterator[tuple[int, Mapping[str, Any], random.Random]]:
    for number, given in enumerate(OPTIONS[game.name]):
        for seats in game.seats:
            for seed in range(SEEDS):
                yield seats, game.read_options(given, seats), random.Random(f"{number} {seats} {seed}")


def play(
    game: Game[Any, Any], seats: int, options: Mapping[str, Any], source: random.Random, declines: float = DECLINES
) -> Iterator[Played]:
    """A random game, decision by decision, with many a `pass` in the trader phase."""
    dealer, begun = RandomDealer(source), Watched(game)
    position = game.set_up(options, seats, dealer, begun.recorder)
    while game.actor(position) is not None:
        watched, move = Watched(game, position), game.legal(position).sample(source)
        if game.decision(position) == "D-TRD" and source.random() < declines:
            move = next((move for move in game.legal(position) if game.notation(move) == "pass"), move)
        game.play(position, move, dealer, watched.recorder)
        yield Played(watched.forced, [game.encode(fact) for fact in watched.recorder.facts])


class Watched:
    """A recorder with the table before each forced move."""

    def __init__(self, game: Game[Any, Any], position: Any = None) -> None:
        self.forced: list[Forced] = []
        self.recorder = game.recorder(recording=True)
        remember = self.recorder.forced

        def forced(seat: int, move: Any) -> None:
            verb, *words = game.notation(move).split()
            assert game.parse(" ".join((verb, *words))) == move
            self.forced.append(Forced(between(game, position), seat, verb, words))
            remember(seat, move)

        self.recorder.forced = forced  # type: ignore[method-assign]


def between(game: Game[Any, Any], position: Any) -> Mapping[str, Any]:
    """The document of a position on the way to the next decision."""
    standing = game.copy(position)
    standing.step = max(0, standing.step)  # a document names a decision
    return game.document(standing)


def test_no_automatic_move_is_a_voluntary_one() -> None:
    for game in GAMES.values():
        for seats, options, source in games(game):
            for played in play(game, seats, options, source):
                for forced in played.forced:
                    assert ONLY[forced.verb](forced), forced


def only_ship(forced: Forced) -> bool:
    """Rules 3.9: loading is the one obligatory action; a wharf in working order would be another choice."""
    table, player = forced.table, forced.table["players"][forced.seat]
    ships = {ship["capacity"]: ship for ship in table["ships"]}
    possible = set()
    for good, owned in player["goods"].items():
        carriers = [size for size, ship in ships.items() if ship["good"] == good]
        empty = [size for size, ship in ships.items() if ship["good"] is None]
        most = max((min(owned, size) for size in empty), default=0)
        open_ = carriers or [size for size in empty if min(owned, size) == most]
        possible |= {(good, size) for size in open_ if ships[size]["loaded"] < size}
    done = table["phase"]["done"][forced.seat]
    wharves = {f"{name}_used" for name in ("wharf", "small_wharf") if works(player, name)}
    good, size = forced.words
    return possible == {(good, int(size))} and wharves <= {*done}


def only_place(forced: Forced) -> bool:
    """Rules 3.5: the people fill all circles, or there is one place for them, and they are of one sort."""
    player = forced.table["players"][forced.seat]
    circles: Counter[str] = Counter(tile["tile"] for tile in player["island"] if tile["tile"] != "forest")
    circles.update({building["building"]: building["circles"] for building in player["city"]})
    circles = +circles
    everybody = [*player["island"], *player["city"], player["san_juan"]]
    colonists, nobles = (sum(place[sort] for place in everybody) for sort in ("colonists", "nobles"))
    people, room = colonists + nobles, sum(circles.values())
    said = {word.split("=")[0] for word in forced.words}
    if not people or not room:
        return not said
    one_sort = not (colonists and nobles)
    return said <= {*circles} and (
        (one_sort and (people >= room or len(circles) == 1)) or (len(circles) == 1 and people <= room)
    )


def only_bonus(forced: Forced) -> bool:
    """D-CRA-PRIV: one set of goods is possible, so that one kind is left, and one good of it or a single privilege."""
    table, seat = forced.table, forced.seat
    produced, supply = table["phase"]["produced"][seat], table["supply"]["goods"]
    kinds = [good for good in produced if supply.get(good)]
    privilege = 2 if works(table["players"][seat], "library") else 1
    return len(kinds) == 1 and min(privilege, supply[kinds[0]]) == 1 and forced.words == kinds


def only_store(forced: Forced) -> bool:
    """D-CAP-STORE: everything fits and is kept."""
    player = forced.table["players"][forced.seat]
    heaps = sorted(player["goods"].values(), reverse=True)
    kinds = works(player, "small_warehouse") + 2 * works(player, "large_warehouse")
    kept = {good: int(number) for good, number in (word.split("=") for word in forced.words)}
    fits: bool = sum(heaps[kinds:]) <= 1 + 3 * works(player, "storehouse")
    return fits and kept == {**player["goods"]}


def works(player: Mapping[str, Any], building: str) -> bool:
    """Whether a building is occupied."""
    return any(one["building"] == building and one["colonists"] + one["nobles"] for one in player["city"])


ONLY: Final[Mapping[str, Callable[[Forced], bool]]] = {
    "pass": lambda forced: not forced.words,  # declining; the other engines confirm that nothing else was legal
    "draft": lambda _: True,  # a seat must fill the last place
    "ship": only_ship,
    "place": only_place,
    "bonus": only_bonus,
    "store": only_store,
}


def test_nothing_is_done_twice_in_a_phase() -> None:
    game, once = GAMES["puerto_rico"], {name: number for number, names in enumerate(ONCE) for name in names}
    seen = set[str]()
    for seats, options, source in games(game):
        done = set[tuple[int, int]]()
        for played in play(game, seats, options, source, declines=0):
            for name, *about in played.facts:
                if name in ("role_taken", "phase_begun"):
                    done.clear()
                elif name in once:
                    assert (once[name], about[0]) not in done, (name, about)
                    done.add((once[name], about[0]))
                    seen.add(name)
    assert seen == {*once}


@pytest.mark.parametrize("expansions", [["nobles"], ["new_buildings"], ["new_buildings", "nobles"]])
def test_nothing_is_done_for_a_seat_that_has_passed(expansions: list[str]) -> None:
    assert list(traded_after_passing(rules_of("puerto_rico", GAMES["puerto_rico"].rules), expansions)) == []


def test_the_first_rules_go_on_trading_for_a_seat_that_has_passed() -> None:
    assert list(traded_after_passing(rules_of("puerto_rico", "1"), ["new_buildings", "nobles"]))


def traded_after_passing(game: Game[Any, Any], expansions: list[str]) -> Iterator[Any]:
    """Returns the trades, purchases and moves of seats that had passed in the trader phase."""
    for seats in game.seats:
        options = game.read_options({"expansions": [*expansions], "exp1_selection": "all"}, seats)
        for seed in range(4 * SEEDS):
            finished: set[int] = set()
            for played in play(game, seats, options, random.Random(f"passed {seats} {seed}")):
                for name, *about in played.facts:
                    if name in ("role_taken", "phase_begun"):
                        finished = set()
                    elif name == "trade_ended":
                        finished.add(about[0])
                    elif name in TRADE and about[0] in finished:
                        yield name, about
