"""Plans of each format before exchanges: order, levels, fixed tables."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from projections.tournaments.advancement import survivors
from projections.tournaments.errors import CannotPair
from projections.tournaments.pairing.designs import design
from projections.tournaments.pairing.history import MeetingHistory
from projections.tournaments.pairing.lottery import Lots
from projections.tournaments.pairing.sizes import Divided, divide, lay_out
from projections.tournaments.pairing.table_exchange import Slots
from projections.tournaments.standings.criteria import Facts
from projections.tournaments.standings.ranking import standings
from projections.tournaments.values import DrawMethod, Entrant, Format, PairingInput, Player, Reason, Sizes


class Known(NamedTuple):
    """The inputs of plans."""

    setting: PairingInput
    past: MeetingHistory
    facts: Facts
    entrants: Mapping[Player, Entrant]  # present entrants
    lots: Lots
    seed: bytes


class Plan(NamedTuple):
    """Players in slots, before exchanges avoid repeated meetings."""

    method: str
    slots: Slots
    order: tuple[Player, ...]  # slot by slot
    level: Mapping[Player, int]  # the score group or pot of each
    byes: tuple[Player, ...] = ()
    reasons: tuple[Reason, ...] = ()
    fixed: bool = False  # no exchanges


def heats(known: Known) -> Plan:
    """Returns a plan by lot, or with seeded players apart."""
    return _spread("heat", known, tuple(known.entrants))


def swiss(known: Known) -> Plan:
    """Returns a plan by score groups; the first round is a heat."""
    if not known.setting.history:
        return heats(known)
    players = tuple(known.entrants)
    divided = divide(len(players), known.setting.stage.sizes)
    byes = _sit_out(known, players, divided.byes, _lowest_score(known))
    playing = [player for player in players if player not in byes]
    scores = sorted({known.facts.points(player) for player in playing}, reverse=True)
    group = {score: number for number, score in enumerate(scores, 1)}
    level = {player: group[known.facts.points(player)] for player in playing}
    order = sorted(playing, key=lambda player: (level[player], known.lots.of(player)))
    sizes = lay_out(divided.sizes, [len(known.past.smaller[player]) ** 2 for player in order])
    slots = Slots(sizes, tuple(level[player] for player in order))
    return Plan("swiss", slots, tuple(order), level, byes, _why_byes(known, byes))


def round_robin(known: Known) -> Plan:
    """Returns the round of a known block design, otherwise a plan that minimises repeated meetings."""
    history, players = known.setting.history, tuple(known.entrants)
    first = history[0] if history else None
    roster = {player for table in first.tables for player in table.seats} if first else set(players)
    divided = divide(len(players), known.setting.stage.sizes)
    found = design(divided.sizes, known.setting.stage.rounds) if not divided.byes else None
    apart = any(pair <= roster for pair in known.setting.forbidden)
    if found is None or apart or roster != set(players):
        return _spread("least_met", known, players)
    drawn = Lots(first.seed if first else known.seed, "design").shuffled(players)
    tables = [[drawn[number] for number in table if number < len(drawn)] for table in found.tables(len(history))]
    return _fixed("design", sorted(tables, key=len, reverse=True))


def knock_out(known: Known) -> Plan:
    """Returns a plan of the survivors, with empty seats filled by the best losers."""
    history, stage = known.setting.history, known.setting.stage
    if not history:
        return _spread("knock_out", known, tuple(known.entrants))
    before = survivors(stage, history[-1], known.setting.entrants)
    through = [player for player in before if player in known.entrants]
    filling = _filling(known, through, len(before)) if stage.advance.fill else []
    reasons = [Reason("went_on", player, {}, _events_of_last(known, player)) for player in through]
    reasons += [Reason("filled_in", player, {}, _events_of_last(known, player)) for player in filling]
    plan = _spread("knock_out", known, (*through, *filling))
    return plan._replace(reasons=(*plan.reasons, *reasons))


def pods(known: Known) -> Plan:
    """Returns the same tables in every round, without players that left."""
    if not known.setting.history:
        return _spread("pods", known, tuple(known.entrants))
    left = [[player for player in table.seats if player in known.entrants] for table in known.setting.history[0].tables]
    alone = tuple(player for table in left if len(table) == 1 for player in table)
    newcomers = set(known.entrants) - {player for table in left for player in table}
    if newcomers:
        raise CannotPair("a pod cannot be joined after its start", sorted(newcomers))
    plan = _fixed("pods", sorted((table for table in left if len(table) > 1), key=len, reverse=True))
    return plan._replace(byes=alone, reasons=_why_byes(known, alone))


PLANS: Final[Mapping[Format, Callable[[Known], Plan]]] = {
    Format.HEATS: heats,
    Format.SWISS: swiss,
    Format.ROUND_ROBIN: round_robin,
    Format.KNOCK_OUT: knock_out,
    Format.PODS: pods,
}


def _fixed(method: str, tables: Sequence[Sequence[Player]]) -> Plan:
    if not tables:
        raise CannotPair("no players are left")
    order = tuple(player for table in tables for player in table)
    slots = Slots(tuple(len(table) for table in tables), (1,) * len(order))
    return Plan(method, slots, order, dict.fromkeys(order, 1), fixed=True)


def _spread(method: str, known: Known, players: Sequence[Player]) -> Plan:
    """Returns a plan by lot; with a balanced draw each table gets one player of each pot of the seeding."""
    divided = divide(len(players), known.setting.stage.sizes)
    byes = _sit_out(known, players, divided.byes, _seeding(known) if method == "knock_out" else _nothing)
    playing = [player for player in players if player not in byes]
    balanced = known.setting.stage.draw is DrawMethod.BALANCED
    order = sorted(playing, key=_seeding(known)) if balanced else known.lots.shuffled(playing)
    pots = _pots(divided.sizes)
    level = {player: pot if balanced else 1 for player, pot in zip(order, sorted(pots), strict=True)}
    waiting = {pot: [player for player in known.lots.shuffled(playing) if level[player] == pot] for pot in {*pots, 1}}
    placed = tuple(waiting[pot if balanced else 1].pop(0) for pot in pots)
    slots = Slots(divided.sizes, tuple(level[player] for player in placed))
    return Plan(method, slots, placed, level, byes, _why_byes(known, byes))


def _pots(sizes: Sequence[int]) -> list[int]:
    """Returns the pot of each slot: the first of every table from pot 1, the second from pot 2."""
    return [number for size in sizes for number in range(1, size + 1)]


def _sit_out(
    known: Known, players: Sequence[Player], number: int, then: Callable[[Player], object]
) -> tuple[Player, ...]:
    """Returns the players that sit out: those with the fewest byes, then by the format's rule, then by lot."""

    def key(player: Player) -> tuple[int, object, bytes]:
        return len(known.past.byes[player]), then(player), known.lots.of(player)

    return tuple(sorted(players, key=key)[:number])


def _lowest_score(known: Known) -> Callable[[Player], object]:
    return lambda player: known.facts.points(player)


def _seeding(known: Known) -> Callable[[Player], int]:
    return lambda player: known.entrants[player].seeding


def _nothing(_player: Player) -> int:
    return 0


def _why_byes(known: Known, byes: Sequence[Player]) -> tuple[Reason, ...]:
    sizes = list(known.setting.stage.sizes.preferred)
    return tuple(
        Reason(
            "bye",
            player,
            {"present": len(known.entrants), "sizes": sizes, "byes_before": len(known.past.byes[player])},
            tuple(known.past.byes[player]),
        )
        for player in byes
    )


def _filling(known: Known, through: Sequence[Player], wanted: int) -> list[Player]:
    """Returns the best losers of the round before: one for each absent player, and to make tables without byes."""
    stage, history = known.setting.stage, known.setting.history
    last = {player for table in history[-1].tables for player in table.seats} - set(through)
    lines = standings(stage, history, known.setting.entrants).lines
    others = [line.player for line in lines if line.player in last and line.player in known.entrants]
    for number in range(max(0, wanted - len(through)), len(others) + 1):
        if _goes_in(len(through) + number, stage.sizes):
            return others[:number]
    return others[: max(0, wanted - len(through))]


def _goes_in(players: int, sizes: Sizes) -> bool:
    try:
        return divide(players, sizes) == Divided(divide(players, sizes).sizes, 0)
    except CannotPair:
        return False


def _events_of_last(known: Known, player: Player) -> tuple[int, ...]:
    last = len(known.setting.history)
    return tuple(event for earned in known.facts.of(player) if earned.round == last for event in earned.events)
