"""Whatever is done to a tournament, in any order: its stream folds alike from any point, and is found right."""

import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final
from uuid import UUID

from hypothesis import given, settings
from hypothesis import strategies as st

from events.errors import CabildoError
from events.log.bundle import Bundle
from projections.tournaments.fold import record_of
from projections.tournaments.next_due import due
from projections.tournaments.record import CLOSED, DECLARED, TournamentRecord
from projections.verify.bundle import NOT_CHECKED, PASSED, verify
from service.tournaments import decide_rulings, declare, entries, rounds
from service.tournaments.decide_rulings import Counted
from service.tournaments.explanations import standings_of
from service.tournaments.schemas.commands import Regulations
from service.tournaments.tournament_repository import TournamentState, TournamentUnitOfWork
from tests.support.service.tournament_recount import Recount, check_going

TOURNAMENT: Final = UUID("01a1ef4d-e443-7966-b3e1-bd69a8320c62")
HOST: Final = "host"
KNOCK_OUT: Final = {"format": "knock_out", "rounds": 3, "sizes": [3, 4], "advance": {"per_table": 1}}
BYES: Final = {"name": "even", "bye": "average", "asked": "none", "tied": "full", "forfeit": "last"}
REGULATIONS: Final[Sequence[Mapping[str, Any]]] = (
    {
        "stages": [{"format": "swiss", "rounds": 2, "sizes": [4, 3], "advance": {"total": 4}}, KNOCK_OUT],
        "bots": "random",
    },
    {"stages": [{"format": "swiss", "rounds": 2, "sizes": [4], "scheme": BYES, "advance": {"total": 5}}, KNOCK_OUT]},
    {"stages": [{"format": "heats", "rounds": 2, "sizes": [4], "counting": 1, "advance": {"total": 6}}, KNOCK_OUT]},
    {
        "stages": [
            {"format": "pods", "rounds": 2, "byes": False, "scheme": "share", "advance": {"per_table": 1, "total": 4}},
            {"format": "round_robin", "rounds": 1, "sizes": [3, 2]},
        ]
    },
)
WORDS: Final = "Because"


class TournamentInMemory:
    """A tournament in memory."""

    def __init__(self, lots: random.Random) -> None:
        self.lots = lots
        self.held: TournamentState = TournamentState(TOURNAMENT)
        self.events: list[Any] = []
        self.seed = b""
        given = Regulations().load({"game": "spice_road", "late_join": 2, **lots.choice(REGULATIONS)})
        self.do(lambda act: declare.declare(act, "The open", given, "public"))
        self.do(declare.publish)
        for number in range(9):
            self.do(partial(entries.enter, player=f"player-{number}"), f"player-{number}")

    @property
    def record(self) -> TournamentRecord:
        return self.held.known

    def do(self, decide: Callable[[TournamentUnitOfWork], object], actor: str = HOST) -> bool:
        """Let something be decided; whether it was not refused."""
        act = TournamentUnitOfWork(self.held, 1_000_000 * (len(self.events) + 1), actor, lambda: self.seed)
        try:
            decide(act)
        except CabildoError:
            return False
        self.seed = self.seed or dict(act.new_seeds).get(TOURNAMENT, b"")
        self.events += act.events
        self.held = act.now
        return True

    def somebody(self) -> int:
        return self.lots.randint(1, len(self.record.entries))

    def somewhere(self) -> tuple[int, int]:
        """A round and a table that may be there."""
        number = self.lots.randint(1, max(len(self.record.rounds), 1))
        return number, self.lots.randint(1, 3)


def enter(desk: TournamentInMemory) -> None:
    player = f"player-{desk.lots.randint(0, 14)}"
    desk.do(lambda act: entries.enter(act, player), player)


def leave(desk: TournamentInMemory) -> None:
    number = desk.somebody()
    desk.do(lambda act: entries.withdraw(act, act.record.entry(number), WORDS))


def sit_out(desk: TournamentInMemory) -> None:
    number, upcoming = desk.somebody(), len(desk.record.rounds) + 1
    desk.do(lambda act: entries.sit_out(act, act.record.entry(number), upcoming))


def start(desk: TournamentInMemory) -> None:
    """Go on to a round that has started, as far as that is possible."""
    desk.do(rounds.publish)
    desk.do(rounds.declare)
    current = desk.record.round
    if current is not None and current.status == DECLARED:
        desk.do(lambda act: act.write("round_started", round=current.number, sit_by=None), "service")


def rule(desk: TournamentInMemory) -> None:
    """Say how a table ended."""
    number, table = desk.somewhere()
    if number <= len(desk.record.rounds) and table <= len(desk.record.rounds[number - 1].tables):
        seats = len(desk.record.rounds[number - 1].tables[table - 1].seats)
        points = desk.lots.choices(range(20), k=seats)
        places = [1 + sum(other > own for other in points) for own in points]
        forfeited = desk.lots.choices(range(4 * seats), k=1)
        counted = Counted(points, [0] * seats, places, [seat for seat in forfeited if seat < seats])
        desk.do(lambda act: decide_rulings.rule_result(act, number, table, counted, WORDS))


def rule_all(desk: TournamentInMemory) -> None:
    for _ in range(6):
        rule(desk)


def void(desk: TournamentInMemory) -> None:
    desk.do(lambda act: decide_rulings.void(act, *desk.somewhere(), WORDS))


def substitute(desk: TournamentInMemory) -> None:
    """Gives a seat of the newest round to an entrant without one."""
    number, table = len(desk.record.rounds), desk.lots.randint(1, 3)
    if number and table <= len(desk.record.rounds[-1].tables):
        seated = {one for table in desk.record.rounds[-1].tables for one in table.paired}
        free = [entry.number for entry in desk.record.entries if entry.gone is None and entry.number not in seated]
        old, new = desk.record.rounds[-1].tables[table - 1].paired[0], desk.lots.choice(free or [1])
        desk.do(lambda act: decide_rulings.substitute(act, number, table, old, new, WORDS))


def disqualify(desk: TournamentInMemory) -> None:
    number = desk.somebody()
    desk.do(lambda act: decide_rulings.disqualify(act, number, WORDS))


def close(desk: TournamentInMemory) -> None:
    """Close whatever can be closed."""
    desk.do(lambda act: rounds.close_round(act, None))
    if desk.record.stage is not None and rounds.is_played_out(desk.record, desk.record.stage):
        desk.do(rounds.close_stage)


DEEDS: Final[Mapping[str, Callable[[TournamentInMemory], object]]] = {
    "enter": enter,
    "leave": leave,
    "sit out": sit_out,
    "begin": lambda desk: desk.do(rounds.begin),
    "pair": lambda desk: desk.do(rounds.pair_round),
    "pair anew": lambda desk: desk.do(lambda act: rounds.pair_round(act, WORDS)),
    "start": start,
    "rule": rule,
    "rule all": rule_all,
    "void": void,
    "substitute": substitute,
    "disqualify": disqualify,
    "close": close,
    "finish": lambda desk: desk.do(lambda act: declare.close(act, declare.FINISHED)),
}
USUAL: Final = ("begin", "pair", "start", "rule all", "rule all", "close")


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(sorted(DEEDS.keys() - {"finish"})), max_size=12), st.integers(0, 2**32))
def test_whatever_is_done_the_stream_folds_alike_and_is_found_right(deeds: list[str], seed: int) -> None:
    desk = TournamentInMemory(random.Random(seed))
    steps = [deed for usual in (*USUAL, *USUAL[1:], *USUAL) for deed in (usual, *deeds[:1])]
    for deed in (*steps, *deeds, "finish"):
        DEEDS[deed](desk)
        due(desk.record)
    middle = len(desk.events) // 2
    assert record_of(desk.events) == desk.record
    assert record_of(desk.events[middle:], record_of(desk.events[:middle])) == desk.record
    check_seats(desk.record)
    check_recount(desk)
    report = verify(Bundle(TOURNAMENT, tuple(event.body for event in desk.events)).encode(), None)
    (v12,) = [answer for answer in report.answers if answer.code == "V12"]
    assert (report.failure, v12.status in (PASSED, NOT_CHECKED)) == (None, True)  # the games are in no archive with it
    assert {finding.reason for finding in v12.findings} <= {"games_apart", "seed_hidden"}


def check_seats(record: TournamentRecord) -> None:
    """No entrant sits at two tables of a round, and a closed round has no open table."""
    for one in record.rounds:
        seated = [number for table in one.tables for number in table.paired]
        assert len(seated) == len({*seated})
        assert one.status != CLOSED or one.is_over


def check_recount(desk: TournamentInMemory) -> None:
    """Independent code computes the same standings and the same advancing entrants."""
    told = [{"seq": event.seq, "kind": event.kind, "data": event.data} for event in desk.events]
    recount = Recount(told)
    for stage in desk.record.stages:
        lines = standings_of(desk.record, stage.number).lines
        own = {line.player: (line.rank, [figure.value for figure in line.figures]) for line in lines}
        assert own == recount.stage(stage.number).figures()
    for closed in recount.of("stage_closed"):
        check_going(recount, closed)
