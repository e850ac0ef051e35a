"""The order of everything that can happen in a phase (rules 3.3), as a table that can be read against the rules."""

from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from projections.rules.puerto_rico.kinds import (
    BUILDER,
    CAPTAIN,
    CRAFTSMAN,
    DRAFT,
    FINAL_GUESTS,
    MAYOR,
    PROSPECTOR,
    ROLE_CHOICE,
    SETTLER,
    TRADER,
)

STEPS: Final = (
    "gw_1", "gw_2", "gw_3", "gw_4", "gw_5", "gw_6", "gw_7", "gw_8", "gw_9", "gw_10",
    "drafting", "draft_building", "choose_role",
    "draw", "keep", "take", "second_take", "settling_over", "lodge", "clear_row",
    "mayor_privilege", "mayor_turn", "mixed_ship", "pick", "land", "place", "reveal", "refill",
    "build",
    "crafting", "produce", "payout", "bonus", "own_payout",
    "trade", "keep_bought", "trade_again", "keep_bought_again", "empty_house",
    "loading", "first_turn", "supply", "load", "loading_over", "store", "unload",
    "prospect", "finish",
)  # fmt: skip
(
    GW_1, GW_2, GW_3, GW_4, GW_5, GW_6, GW_7, GW_8, GW_9, GW_10,
    DRAFTING, DRAFT_BUILDING, CHOOSE_ROLE,
    DRAW, KEEP, TAKE, SECOND_TAKE, SETTLING_OVER, LODGE, CLEAR_ROW,
    MAYOR_PRIVILEGE, MAYOR_TURN, MIXED_SHIP, PICK, LAND, PLACE, REVEAL, REFILL,
    BUILD,
    CRAFTING, PRODUCE, PAYOUT, BONUS, OWN_PAYOUT,
    TRADE, KEEP_BOUGHT, TRADE_AGAIN, KEEP_BOUGHT_AGAIN, EMPTY_HOUSE,
    LOADING, FIRST_TURN, SUPPLY, LOAD, LOADING_OVER, STORE, UNLOAD,
    PROSPECT, FINISH,
) = range(len(STEPS))  # fmt: skip
KEEPS: Final = (KEEP, KEEP_BOUGHT, KEEP_BOUGHT_AGAIN)
RECALLS: Final = frozenset(
    (DRAW, TAKE, SECOND_TAKE, BUILD, BONUS, TRADE, TRADE_AGAIN, LOAD)
)  # where guests are recalled
START: Final = -1  # a phase has begun, nothing of it has happened

WINDOWS: Final = range(GW_1, GW_10 + 1)
COARSE_WINDOWS: Final = (GW_1, GW_2, GW_3, GW_8, GW_10)

DECISIONS: Final = {  # step -> decision point of the rules
    **dict.fromkeys(WINDOWS, "D-GUEST"),
    DRAFT_BUILDING: "D-DRAFT", CHOOSE_ROLE: "D-ROLE",
    DRAW: "D-SET-HAC", KEEP: "D-SET-HAC-F", TAKE: "D-SET-TAKE", SECOND_TAKE: "D-SET-LIB", LODGE: "D-SET-LODGE",
    PICK: "D-MAY-PICK", PLACE: "D-MAY-PLACE", BUILD: "D-BLD", BONUS: "D-CRA-PRIV",
    TRADE: "D-TRD", TRADE_AGAIN: "D-TRD", KEEP_BOUGHT: "D-TRD-F", KEEP_BOUGHT_AGAIN: "D-TRD-F",
    SUPPLY: "D-CAP-RS", LOAD: "D-CAP-LOAD", STORE: "D-CAP-STORE",
}  # fmt: skip


class Once(NamedTuple):
    """Steps of the chooser alone."""

    steps: tuple[int, ...]


class Each(NamedTuple):
    """Steps of every seat, in phase order."""

    steps: tuple[int, ...]


class Around(NamedTuple):
    """Steps of the seats in phase order, round and round while the gate is open."""

    gate: int
    steps: tuple[int, ...]


Row: TypeAlias = Once | Each | Around


def once(*steps: int) -> Once:
    """The chooser does these."""
    return Once(steps)


def each(*steps: int) -> Each:
    """Every seat does these, one seat after the other."""
    return Each(steps)


def around(gate: int, *steps: int) -> Around:
    """The seats do these in turn while the gate is open."""
    return Around(gate, steps)


PLAN: Final[dict[int, tuple[Row, ...]]] = {
    DRAFT: (around(DRAFTING, DRAFT_BUILDING),),
    ROLE_CHOICE: (each(GW_1), once(CHOOSE_ROLE)),
    SETTLER: (
        each(GW_2),
        each(GW_3, DRAW, KEEP, GW_4, TAKE),
        once(GW_5, SECOND_TAKE),
        each(GW_6),
        each(SETTLING_OVER, LODGE),
        once(CLEAR_ROW),
    ),
    MAYOR: (
        once(MAYOR_PRIVILEGE),
        each(MAYOR_TURN),
        around(MIXED_SHIP, PICK),
        once(LAND),
        each(PLACE),
        once(REVEAL, REFILL),
    ),
    BUILDER: (each(GW_2), each(GW_3, BUILD)),
    CRAFTSMAN: (each(GW_2), each(CRAFTING), each(GW_3, PRODUCE, PAYOUT), once(GW_7, BONUS, OWN_PAYOUT)),
    TRADER: (each(GW_2), each(GW_3, TRADE, KEEP_BOUGHT, GW_9, TRADE_AGAIN, KEEP_BOUGHT_AGAIN), once(EMPTY_HOUSE)),
    CAPTAIN: (
        each(GW_2),
        around(LOADING, GW_3, FIRST_TURN, SUPPLY, LOAD),
        each(GW_8),
        once(LOADING_OVER),
        each(STORE),
        once(UNLOAD),
    ),
    PROSPECTOR: (each(GW_2), once(PROSPECT)),
    FINAL_GUESTS: (each(GW_10), once(FINISH)),
}


class Op:
    """One thing to do: a step of a seat; a gate says where to go when closed."""

    __slots__ = ("closed", "jump", "seat", "step")

    def __init__(self, step: int, seat: int, closed: int = -1, jump: int = -1) -> None:
        self.step = step
        self.seat = seat
        self.closed = closed
        self.jump = jump


class PhaseProgram(NamedTuple):
    """A phase laid out for the seats after its chooser, without the steps that nothing in play could fill."""

    ops: list[Op]
    places: dict[tuple[int, int], int]  # (step, seat) -> where it stands


@lru_cache(maxsize=1 << 12)
def program(phase: int, chooser: int, seats: int, live: frozenset[int]) -> PhaseProgram:
    """Lay a phase out."""
    order = [(chooser + turn) % seats for turn in range(seats)]
    ops: list[Op] = []
    for row in PLAN[phase]:
        steps = tuple(step for step in row.steps if step in live)
        if not steps:
            continue
        if isinstance(row, Around):
            ops += _loop(row.gate, steps, order, len(ops))
        else:
            ops += [Op(step, seat) for seat in (order if isinstance(row, Each) else order[:1]) for step in steps]
    return PhaseProgram(ops, {(op.step, op.seat): at for at, op in enumerate(ops)})


def _loop(gate: int, steps: tuple[int, ...], order: list[int], start: int) -> list[Op]:
    end = start + len(order) * (len(steps) + 1) + 1
    ops: list[Op] = []
    for seat in order:
        ops.append(Op(gate, seat, closed=end))
        ops += [Op(step, seat) for step in steps]
    return [*ops, Op(gate, order[0], closed=end, jump=start)]
