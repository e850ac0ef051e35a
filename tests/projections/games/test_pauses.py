"""Clocks that stop: each seat uses exactly the time in which its clock ran, over random pauses, days away and moves."""

from collections.abc import Sequence
from functools import partial

from hypothesis import given, settings
from hypothesis import strategies as st

from events.event import Event
from projections.games.away_budget import DAY, Span, used_by_year
from projections.games.chance import ChanceLevel
from projections.games.clocks import SECOND, TimeControl
from projections.games.record import RUNNING
from projections.verify.checks.case import Case
from projections.verify.checks.game_clocks import check_clocks
from projections.verify.checks.log import follow_chain, read_file
from service.games.decisions import clocks, end_early, pauses
from tests.support.projections.played_games import SEATED, Evening, seated
from tests.support.projections.rewritten_history import bundle

HOUR = 3600 * SECOND
BANK = TimeControl("bank", 300 * 86_400, 3600)  # so long that no flag falls
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("move", "pause", "resume", "leave", "return", "settle")),
        st.integers(1, 60) | st.integers(1, 72).map(lambda hours: hours * 3600),
        st.integers(0, 1),
    ),
    min_size=5,
    max_size=25,
)  # fmt: skip


class Table:
    """A game of two whose players move, pause and leave; the days away are those that the account would have."""

    def __init__(self) -> None:
        self.evening: Evening = seated(ChanceLevel.OPEN, BANK)
        self.away: dict[str, Span] = {}

    def settle(self, after: int) -> None:
        now = self.evening.now + after
        self.away = {player: span for player, span in self.away.items() if span.until > now}
        self.evening.let("service", partial(clocks.settle, outages=[], away=dict(self.away)), after)

    def step(self, what: str, seconds: int, chair: int) -> None:
        self.settle(seconds * SECOND)  # as before every command
        player, seat = SEATED[chair], self.evening.table.known.order.index(chair)
        if what == "move":
            self.evening.move()
        elif what == "pause" and not self.evening.table.known.clocks.paused_until:
            self.evening.let(player, partial(pauses.propose, seat=seat, seconds=seconds + 60))
            answer = partial(end_early.answer, seat=1 - seat, agrees=True)
            self.evening.let(SEATED[1 - chair], answer)
        elif what == "resume" and self.evening.table.known.clocks.paused_until:
            self.evening.let(player, partial(pauses.resume, seat=seat))
        elif what == "leave" and player not in self.away:
            self.away[player] = Span(self.evening.now, self.evening.now + 60 * SECOND + seconds * SECOND // 2)
        elif what == "return":
            self.away.pop(player, None)


def stands(events: Sequence[Event], seat: int) -> list[Span]:
    """The times in which the clock of a seat could not run, by the events alone."""
    found, pause, away = list[Span](), Span(0, 0), Span(0, 0)
    for event in events:
        data = event.data
        if event.kind == "clock_paused":
            pause = Span(event.at, int(str(data["until"])))
        elif event.kind == "clock_resumed":
            found.append(pause._replace(until=min(pause.until, event.at)))
            pause = Span(0, 0)
        elif event.kind == "away_began" and data["seat"] == seat:
            away = Span(int(str(data["since"])), int(str(data["until"])))
        elif event.kind == "away_ended" and data["seat"] == seat:
            found.append(away._replace(until=min(away.until, event.at)))
            away = Span(0, 0)
    return [*found, pause, away]


def covered(spans: Sequence[Span], since: int, until: int) -> int:
    """How much of a time the spans cover together."""
    total, reached = 0, since
    for span in sorted(spans):
        begin, end = max(span.since, reached), min(span.until, until)
        total += max(0, end - begin)
        reached = max(reached, end)
    return total


def expected_bank(events: Sequence[Event], seat: int) -> int:
    """The bank of a seat at the newest change of the turn: what it had, less the time that its clock ran."""
    bank, begun = BANK.seconds * SECOND, 0
    on_turn: object = None
    spans = stands(events, seat)
    for event in events:
        if event.kind not in ("game_started", "moved"):
            continue
        turn = event.data["turn"]
        following = turn["seat"] if isinstance(turn, dict) else None
        if on_turn == seat:
            bank -= event.at - begun - covered(spans, begun, event.at)
            if following != seat and not any(span.since <= event.at < span.until for span in spans):
                bank += BANK.increment * SECOND
        on_turn, begun = following, event.at
    return bank


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_each_seat_uses_the_time_in_which_its_clock_ran(steps: list[tuple[str, int, int]]) -> None:
    table = Table()
    for step in steps:
        if table.evening.table.known.status == RUNNING:
            table.step(*step)
    if table.evening.table.known.status == RUNNING:
        table.step("move", 1, 0)
    events, record = table.evening.events, table.evening.table.known
    assert record.clocks.banks == tuple(expected_bank(events, seat) for seat in range(2))
    case = Case(bundle(events).encode(), None)
    found = [one for check in (read_file, follow_chain, check_clocks) for one in check(case)]
    assert {one.reason for one in found} <= {"players_away"}


def test_days_of_a_vacation_over_new_year_count_in_both_years() -> None:
    new_year = 1_798_761_600 * SECOND  # 2027-01-01T00:00Z
    assert used_by_year([Span(new_year - DAY, new_year + 3 * DAY)]) == {2026: DAY, 2027: 3 * DAY}
    assert used_by_year([Span(new_year, new_year + 60), Span(new_year, new_year)], least=DAY) == {2027: 2 * DAY}
