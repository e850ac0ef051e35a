"""Reasons of a table: for each player the level, the exchange, earlier meetings, the seat."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

from events.json_types import JsonObject
from projections.tournaments.pairing.plans import Known, Plan
from projections.tournaments.values import DrawMethod, Format, Player, Reason, SeatMethod


class ReasonFinder:
    """Finds the reasons of tables by comparing them with the plan before exchanges."""

    def __init__(self, known: Known, plan: Plan) -> None:
        self._known, self._plan = known, plan
        self._table = [number for number, size in enumerate(plan.slots.sizes, 1) for _ in range(size)]
        self._began = dict(zip(plan.order, self._table, strict=True))
        self._meant: dict[int, set[int]] = defaultdict(set)
        for table, level in zip(self._table, plan.slots.levels, strict=True):
            self._meant[table].add(level)
        self._by_score = known.setting.stage.format is Format.SWISS and bool(known.setting.history)

    def of(self, number: int, table: Sequence[Player]) -> tuple[Reason, ...]:
        """Returns the reasons of a table."""
        return (*self._size(table), *(reason for player in table for reason in self._about(player, number, table)))

    def _about(self, player: Player, number: int, table: Sequence[Player]) -> Iterator[Reason]:
        yield from self._level(player, number)
        yield from self._moved(player, number)
        yield from self._met_before(player, table)
        yield from self._seat(player, table)

    def _size(self, table: Sequence[Player]) -> Iterator[Reason]:
        sizes = self._plan.slots.sizes
        if len(table) < max(sizes):
            before: dict[str, int] = {player: len(self._known.past.smaller[player]) for player in sorted(table)}
            events = [event for player in table for event in self._known.past.smaller[player]]
            says: JsonObject = {"sizes": list(sizes), "times_before": before}
            yield Reason("smaller_table", None, says, _tidy(events) or self._entries(table))

    def _level(self, player: Player, number: int) -> Iterator[Reason]:
        level = self._plan.level[player]
        if self._by_score:
            earned = self._known.facts.of(player)
            events = [event for one in earned for event in one.events]
            meant = self._meant[number]
            away = 0 if level in meant else min(meant, key=lambda other: abs(other - level)) - level
            points = str(self._known.facts.points(player))
            says: JsonObject = {"group": level, "points": points, "groups_down": away}
            yield Reason("score_group", player, says, _tidy(events) or (self._known.entrants[player].event,))
        elif self._known.setting.stage.draw is DrawMethod.BALANCED and not self._plan.fixed:
            entrant = self._known.entrants[player]
            yield Reason("pot", player, {"pot": level, "seeding": entrant.seeding}, (entrant.event,))
        else:
            code = self._plan.method if self._plan.fixed else "lot"
            yield Reason(code, player, {}, (self._known.entrants[player].event,))

    def _moved(self, player: Player, number: int) -> Iterator[Reason]:
        """Yields the reason of a player's exchange to another table, with the meetings that it avoided."""
        began = self._began[player]
        if began == number:
            return
        company = [other for other, table in self._began.items() if table == began and other != player]
        avoided = {other: self._known.past.times(player, other) for other in company}
        met = {other: times for other, times in avoided.items() if times}
        apart = sorted(other for other in company if {player, other} in self._known.setting.forbidden)
        events = [event for other in met for event in self._known.past.met[player][other]]
        says: JsonObject = {"from": began, "to": number, "avoids": met, "forbidden": apart}
        yield Reason("moved", player, says, _tidy(events) or self._entries((player, *apart)))

    def _met_before(self, player: Player, table: Sequence[Player]) -> Iterator[Reason]:
        for other in table:
            if player < other and (events := self._known.past.met[player].get(other)):
                yield Reason("met_before", player, {"other": other, "times": len(events)}, tuple(events))

    def _seat(self, player: Player, table: Sequence[Player]) -> Iterator[Reason]:
        if self._known.setting.stage.seats is SeatMethod.BALANCED:
            sat = self._known.past.seats(player, len(table))
            events = [event for _, event in self._known.past.sat[player]]
            says: JsonObject = {"seat": table.index(player), "sat_before": sat}
            yield Reason("seat", player, says, _tidy(events) or self._entries((player,)))

    def _entries(self, players: Sequence[Player]) -> tuple[int, ...]:
        """Returns the events of entry, for reasons before the first round."""
        return _tidy([self._known.entrants[player].event for player in players])


def _tidy(events: Sequence[int]) -> tuple[int, ...]:
    return tuple(sorted(set(events)))
