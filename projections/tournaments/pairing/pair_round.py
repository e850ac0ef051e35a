"""Pairs a round: a pure function of the regulations, earlier rounds, present players and a recorded seed."""

from collections.abc import Sequence
from itertools import combinations, islice
from typing import Final

from projections.tournaments.errors import CannotPair
from projections.tournaments.pairing import seating
from projections.tournaments.pairing.history import MeetingHistory
from projections.tournaments.pairing.lottery import Lots
from projections.tournaments.pairing.pairing_reasons import ReasonFinder
from projections.tournaments.pairing.plans import PLANS, Known, Plan
from projections.tournaments.pairing.table_exchange import Arrangement, Costs, arrange, bound
from projections.tournaments.standings.criteria import Facts
from projections.tournaments.values import Measures, Paired, Pairing, PairingInput, Player

SEED: Final = 32  # bytes


def pair(setting: PairingInput, seed: bytes) -> Pairing:
    """Returns the next round; raises CannotPair when the present players cannot be seated."""
    known = _known(setting, seed)
    plan = PLANS[setting.stage.format](known)
    costs = Costs.after(known.past, plan.level, setting.forbidden, 0 if setting.stage.again == "allow" else 1)
    tables = _settled(known, plan, costs)
    seats = [_seats(known, table) for table in tables]
    because = ReasonFinder(known, plan)
    settled = setting.stage.seats in seating.SETTLED
    paired = tuple(Paired(number, own, settled, because.of(number, own)) for number, own in enumerate(seats, 1))
    measures = _measures(known, plan, costs, seats)
    return Pairing(len(setting.history) + 1, plan.method, paired, plan.byes, plan.reasons, measures)


def _known(setting: PairingInput, seed: bytes) -> Known:
    """Returns the inputs of plans; raises CannotPair for invalid input."""
    if len(seed) != SEED:
        raise CannotPair("a seed has {size} bytes", size=SEED)
    entrants = {entrant.player: entrant for entrant in sorted(setting.entrants, key=lambda one: one.seeding)}
    strangers = sorted(setting.present - set(entrants))
    if strangers:
        raise CannotPair("not an entrant", strangers)
    return Known(
        setting,
        MeetingHistory((*setting.earlier, *setting.history)),
        Facts(setting.stage, setting.history, tuple(entrants.values())),
        {player: entrant for player, entrant in entrants.items() if player in setting.present},
        Lots(seed, "tables"),
        seed,
    )


def _settled(known: Known, plan: Plan, costs: Costs) -> list[list[Player]]:
    """Returns the tables after exchanges, or as fixed; raises CannotPair for a forbidden pair."""
    arrangement = Arrangement(plan.slots, plan.order, costs)
    if not plan.fixed:
        arrangement = arrange(arrangement, known.lots)
    together = arrangement.forbidden()
    if together:
        raise CannotPair("forbidden pairs cannot be seated apart", together)
    return arrangement.tables


def _seats(known: Known, table: Sequence[Player]) -> tuple[Player, ...]:
    """Returns a table in turn order, or with the best ranked first while seats are to be chosen or bid for."""
    ranked = sorted(table, key=lambda player: (-known.facts.points(player), known.entrants[player].seeding))
    return seating.seated(known.setting.stage.seats, ranked, known.past, Lots(known.seed, "seats"))


def _measures(known: Known, plan: Plan, costs: Costs, tables: Sequence[Sequence[Player]]) -> Measures:
    past, settled = known.past, known.setting.stage.seats in seating.SETTLED
    pairs = [past.times(one, other) for table in tables for one, other in combinations(table, 2)]
    squares = sum(times**2 for times in pairs)
    promised = squares if plan.fixed or known.setting.stage.again == "allow" else bound(plan.slots, costs)
    at = {player: number for number, table in enumerate(tables) for player in table}
    levels = _levels_of_tables(plan)
    return Measures(
        sizes=tuple(len(table) for table in tables),
        repeats=sum(pairs),
        repeats_bound=promised,
        most_meetings=1 + max(pairs, default=0),
        floats=sum(min(abs(plan.level[player] - level) for level in levels[at[player]]) for player in plan.order),
        seat_spread=seating.spread(tables, past) if settled else 0,
        seat_squares=seating.squares(tables, past) if settled else 0,
        seat_squares_bound=seating.squares_bound(tables, past) if settled else 0,
    )


def _levels_of_tables(plan: Plan) -> list[tuple[int, ...]]:
    """Returns the levels of the slots of each table."""
    slots = iter(plan.slots.levels)
    return [tuple(islice(slots, size)) for size in plan.slots.sizes]
