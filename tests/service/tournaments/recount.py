"""A tournament read from its public events alone, and counted once more by code of its own to check the answers."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from projections.tournaments.regulations import read_stage
from projections.tournaments.values import Bye, Entrant, Result, Round, Stage, Table
from tests.projections.tournaments import naive
from tests.service.tournaments.hall import Hall

HALF_A_HUNDREDTH = Fraction(1, 200)
Event = Mapping[str, Any]


class Counted(NamedTuple):
    """A stage as its events have it."""

    stage: Stage
    field: Sequence[int]
    rounds: Sequence[Round]
    entrants: Sequence[Entrant]
    closing: Event


class Recount:
    """What the events of a tournament say, in which everybody stays to the end."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.events: list[Event] = []
        while page := hall.read("events", after=len(self.events))["events"]:
            self.events += page
        self.people = {e["data"]["entrant"]: e["data"]["player"] for e in self.of("entered")}
        self.regulations = hall.read()["regulations"]

    def of(self, *kinds: str, **having: Any) -> list[Event]:
        """The events of these kinds whose data have these values."""
        return [e for e in self.events if e["kind"] in kinds and having.items() <= e["data"].items()]

    def stage(self, number: int) -> Counted:
        """A stage that is closed."""
        stage = read_stage(self.regulations["stages"][number - 1])
        (begun,), (closing,) = self.of("stage_begun", stage=number), self.of("stage_closed", stage=number)
        field = begun["data"]["field"]
        entrants = [Entrant(self.people[one], seeding, 0) for seeding, one in enumerate(field, 1)]
        paired = self.of("round_paired", stage=number)
        rounds = [self.round(stage, field, n, event) for n, event in enumerate(paired, 1)]
        return Counted(stage, field, rounds, entrants, closing)

    def round(self, stage: Stage, field: Sequence[int], number: int, paired: Event) -> Round:
        """A round with its results."""
        data, seq = paired["data"], paired["seq"]
        tables = []
        for table, seats in enumerate(data["tables"], 1):
            ended = self.of("result_recorded", "result_ruled", round=data["round"], table=table)[-1]["data"]
            places = ended["places"]
            if stage.ties == "seeding":
                ranks = [(place, field.index(one)) for place, one in zip(places, seats, strict=True)]
                places = [1 + sum(other < own for other in ranks) for own in ranks]
            result = Result(tuple(ended["points"]), (), tuple(places), 0, forfeited=frozenset(ended["forfeited"]))
            tables.append(Table(table, tuple(self.people[one] for one in seats), seq, "game", result))
        byes = tuple(Bye(self.people[one], seq) for one in data["byes"])
        return Round(number, tuple(tables), seq, bytes.fromhex(data["seed"]), byes)

    def check(self) -> None:
        """Hold every stage against the answers."""
        going: Sequence[int] | None = None
        for number in range(1, len(self.regulations["stages"]) + 1):
            counted = self.stage(number)
            assert going is None or list(counted.field) == going
            self.check_standings(number, counted)
            going = self.check_going(number, counted)

    def check_standings(self, number: int, counted: Counted) -> None:
        """Everybody has the rank and the figures that they should have, and they stand in this order."""
        answer = self.hall.read("standings", stage=number)
        figures = naive.figures(counted.stage, counted.rounds, counted.entrants)
        assert {line["player"]: line["rank"] for line in answer["lines"]} == {p: r for p, (r, _) in figures.items()}
        assert [line["rank"] for line in answer["lines"]] == sorted(rank for rank, _ in figures.values())
        for line in answer["lines"]:
            for criterion, own in zip(counted.stage.criteria, figures[line["player"]][1], strict=True):
                assert abs(Fraction(line["values"][criterion]) - own) <= HALF_A_HUNDREDTH, (criterion, line)

    def check_going(self, number: int, counted: Counted) -> list[int]:
        """Those go on who should, from round to round of a knock-out and from the stage; who they are, in order."""
        if counted.stage.format == "knock_out":
            for before, after in zip(counted.rounds, counted.rounds[1:], strict=False):
                sent = [p for t in before.tables for p in naive.first_of(t, counted.stage.advance.per_table)]
                assert {*sent} <= {p for t in after.tables for p in t.seats} | naive.drawn_byes(after)
        going, others = naive.going(counted.stage, counted.rounds, counted.entrants)
        said = counted.closing["data"]
        assert [self.people[one] for one in said["advancing"]] == going
        assert [self.people[one] for one in said["alternates"]] == others
        answer = self.hall.read(f"stages/{number}/advancing")
        assert (answer["players"], answer["alternates"]) == (going, others)
        return list(said["advancing"])
