"""A tournament read from its public events alone, and counted once more by code of its own to check the answers."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any, NamedTuple

from projections.tournaments.values import (
    Advance,
    Bye,
    DrawMethod,
    Entrant,
    Format,
    PlayedTable,
    Result,
    Round,
    Scheme,
    SeatMethod,
    Sizes,
    Stage,
)
from tests.support.service.tournament_fixture import Hall
from tests.support.tournaments import reference_standings

HALF_A_HUNDREDTH = Fraction(1, 200)
Event = Mapping[str, Any]
Figures = Mapping[str, tuple[int, list[Fraction]]]


class Counted(NamedTuple):
    """A stage as its events have it."""

    stage: Stage
    rounds: Sequence[Round]
    entrants: Sequence[Entrant]

    def figures(self) -> Figures:
        """Returns the rank and figures of each entrant."""
        return reference_standings.figures(self.stage, self.rounds, self.entrants)

    def going(self) -> tuple[list[str], list[str]]:
        """Returns the advancing entrants and all others, in order."""
        return reference_standings.going(self.stage, self.rounds, self.entrants)


class Recount:
    """The tournament by its events: late entries, byes, withdrawals, substitutes and disqualifications."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.events = events
        self._by_kind: dict[str, list[Event]] = defaultdict(list)
        for event in events:
            self._by_kind[event["kind"]].append(event)
        (*_, declared) = self.of("tournament_declared", "tournament_amended")
        self.regulations = declared["data"]["regulations"]
        self.entries = {event["data"]["entrant"]: event for event in self.of("entered")}
        self.people = {number: event["data"]["player"] for number, event in self.entries.items()}

    def of(self, *kinds: str, after: int = 0, **having: Any) -> list[Event]:
        """The events of these kinds after one of them whose data have these values."""
        found = (event for kind in kinds for event in self._by_kind[kind] if event["seq"] > after)
        fitting = [e for e in found if all(e["data"].get(name) == value for name, value in having.items())]
        return sorted(fitting, key=itemgetter("seq"))

    def before(self, event: int) -> "Recount":
        """The same as it stood before an event."""
        return Recount([one for one in self.events if one["seq"] < event])

    def stage(self, number: int) -> Counted:
        """A stage that has begun."""
        stage = stage_told(self.regulations["stages"][number - 1])
        (begun,) = self.of("stage_begun", stage=number)
        paired = {event["data"]["round"]: event for event in self.of("round_paired", stage=number)}  # the last attempt
        seats = {name: list(self.seats(event)) for name, event in paired.items()}
        field = self.field(number, begun, [one for tables in seats.values() for table in tables for one in table])
        rounds = [self.round(stage, field, paired[name], seats[name]) for name in sorted(paired)]
        rounds = [one._replace(number=order) for order, one in enumerate(rounds, 1)]
        return Counted(stage, rounds, [self.entrant(one, seeding) for seeding, one in enumerate(field, 1)])

    def field(self, stage: int, begun: Event, seated: Sequence[int]) -> list[int]:
        """Returns the entrants of a stage in seeding order: its field, late entries, substitutes."""
        late = [one for one in sorted(self.entries) if stage == 1 and (self.joined(one) or 0) > begun["seq"]]
        return list(dict.fromkeys((*begun["data"]["field"], *late, *seated)))

    def joined(self, entrant: int) -> int | None:
        """Returns the event that admitted an entrant; None: in the reserve."""
        entered = self.entries[entrant]
        let_in = self.of("admitted", entrant=entrant)
        start = self.of("stage_begun")[:1]
        since = let_in[-1]["seq"] if let_in else None if entered["data"]["reserve"] else entered["seq"]
        came = [e["seq"] for e in self.of("checked_in", entrant=entrant) if start and e["seq"] > start[0]["seq"]]
        return came[-1] if came and since is not None and came[-1] > since else since

    def entrant(self, number: int, seeding: int) -> Entrant:
        """An entrant as they stand."""
        out = self.of("disqualified", entrant=number)
        steps = self.of("withdrawn", "returned", entrant=number)
        left = bool(steps) and steps[-1]["kind"] == "withdrawn"
        gone = (out or steps)[-1]["seq"] if out or left else None
        return Entrant(self.people[number], seeding, 0, gone=gone, disqualified=bool(out))

    def seats(self, paired: Event) -> Iterator[list[int]]:
        """Returns the entrants at each table of a pairing, after choices, bids and substitutions."""
        number, seq = paired["data"]["round"], paired["seq"]
        for table, seats in enumerate(paired["data"]["tables"], 1):
            order = list(seats)
            for event in self.of("seats_given", "substituted", after=seq, round=number, table=table):
                if event["kind"] == "seats_given":
                    order = list(event["data"]["order"])
                else:
                    order = [event["data"]["by"] if one == event["data"]["entrant"] else one for one in order]
            yield order

    def round(self, stage: Stage, field: Sequence[int], paired: Event, seats: Sequence[list[int]]) -> Round:
        """A round with its results."""
        tables = [self.table(stage, field, paired, table, order) for table, order in enumerate(seats, 1)]
        seated = {entrant for order in seats for entrant in order}  # a stand-in has no bye beside the seat
        byes = [Bye(self.people[one], 0) for one in paired["data"]["byes"] if one not in seated]
        late = [one for one in field if one not in seated and self.asked(stage, paired, one)]
        asked = [Bye(self.people[one], 0, asked=True) for one in late]
        seed = bytes.fromhex(paired["data"]["seed"])
        return Round(0, tuple(tables), paired["seq"], seed, (*byes, *asked))

    def asked(self, stage: Stage, paired: Event, entrant: int) -> bool:
        """Returns whether an entrant asked for a bye or entered after the round; heats need no request."""
        if stage.format is Format.HEATS:
            return False
        late = paired["data"]["stage"] == 1 and (self.joined(entrant) or 0) > paired["seq"]
        return late or bool(self.of("absence_noted", entrant=entrant, round=paired["data"]["round"]))

    def table(
        self, stage: Stage, field: Sequence[int], paired: Event, number: int, seats: Sequence[int]
    ) -> PlayedTable:
        """Returns a table with its result; a ruling overrides later results."""
        at = {"after": paired["seq"], "round": paired["data"]["round"], "table": number}
        ended = self.of("result_ruled", **at) or self.of("result_recorded", **at)
        void = 1 if self.of("table_voided", **at) else None
        paid = [event["data"]["paid"] for event in self.of("seats_given", **at)]
        people = tuple(self.people[one] for one in seats)
        if not ended:
            return PlayedTable(number, people, 0, "game", None, void)
        data, ruled = ended[-1]["data"], ended[-1]["kind"] == "result_ruled"
        bids = tuple(paid[-1]) if paid else (0,) * len(seats)
        places = data["places"] if ruled or not any(bids) else after_bids(data, bids)
        parted = part(places, stage.ties, [field.index(one) for one in seats])
        result = Result(tuple(data["points"]), (), parted, 0, forfeited=frozenset(data["forfeited"]))
        return PlayedTable(number, people, 0, "game", result, void, bids)


def after_bids(data: Mapping[str, Any], bids: Sequence[int]) -> list[int]:
    """Returns places by the remaining points; forfeited seats come last."""
    gone = data["forfeited"]
    ranks: list[tuple[Any, ...]] = [
        (1, data["places"][seat], 0) if seat in gone else (0, paid - 2 * own, -broken)
        for seat, (own, broken, paid) in enumerate(zip(data["points"], data["tie_break"], bids, strict=True))
    ]
    return [1 + sum(other < own for other in ranks) for own in ranks]


def part(places: Sequence[int], ties: str, seeding: Sequence[int]) -> tuple[int, ...]:
    """Places with ties parted as a stage says."""
    second = {"shared": [0] * len(places), "later_seat": range(0, -len(places), -1), "seeding": seeding}[ties]
    ranks = list(zip(places, second, strict=True))
    return tuple(1 + sum(other < own for other in ranks) for own in ranks)


def stage_told(said: Mapping[str, Any]) -> Stage:
    """The regulations of a stage as they were published, in full."""
    scheme, advance = said["scheme"], said["advance"]
    places = {int(size): tuple(map(Fraction, row)) for size, row in scheme["places"].items()}
    return Stage(
        name=said["name"],
        format=Format(said["format"]),
        rounds=said["rounds"],
        scheme=Scheme(**{**scheme, "places": places}),
        criteria=tuple(said["criteria"]),
        sizes=Sizes(tuple(said["sizes"]), said["byes"]),
        seats=SeatMethod(said["seats"]),
        draw=DrawMethod(said["draw"]),
        counting=said["counting"],
        again=said["again"],
        ties=said["ties"],
        advance=Advance(**advance),
    )


def check(hall: Hall) -> None:
    """Hold every stage of an event that is over against the answers."""
    events: list[Event] = []
    while page := hall.read("events", after=len(events))["events"]:
        events += page
    recount = Recount(events)
    for closed in recount.of("stage_closed"):
        number = closed["data"]["stage"]
        check_standings(hall, number, recount.stage(number))
        check_going(recount, closed)
        answer = hall.read(f"stages/{number}/advancing")
        assert (answer["players"], answer["alternates"]) == recount.before(closed["seq"]).stage(number).going()


def check_standings(hall: Hall, number: int, counted: Counted) -> None:
    """Asserts the rank, the figures and the order of all entrants."""
    lines, figures = hall.read("standings", stage=number)["lines"], counted.figures()
    assert {line["player"]: line["rank"] for line in lines} == {player: rank for player, (rank, _) in figures.items()}
    assert [line["rank"] for line in lines] == sorted(rank for rank, _ in figures.values())
    for line in lines:
        for criterion, own in zip(counted.stage.criteria, figures[line["player"]][1], strict=True):
            assert abs(Fraction(line["values"][criterion]) - own) <= HALF_A_HUNDREDTH, (criterion, line)


def check_going(recount: Recount, closed: Event) -> None:
    """Asserts which entrants advance in a knock-out and from the stage. Returns them in order."""
    said, number = closed["data"], closed["data"]["stage"]
    counted = recount.before(closed["seq"]).stage(number)
    going, others = counted.going()
    assert [recount.people[one] for one in said["advancing"]] == going
    assert [recount.people[one] for one in said["alternates"]] == others
    if counted.stage.format is Format.KNOCK_OUT:
        for before, after in zip(counted.rounds, counted.rounds[1:], strict=False):
            then = recount.before(after.event).stage(number)
            there = {entrant.player for entrant in then.entrants if entrant.gone is None}
            sent = {
                p
                for t in then.rounds[before.number - 1].tables
                for p in reference_standings.first_of(t, then.stage.advance.per_table)
            }
            assert sent & there <= {p for t in after.tables for p in t.seats} | {bye.player for bye in after.byes}
