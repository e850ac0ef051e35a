"""Starts the games of a declared round: each once, whatever happens in between."""

from functools import partial
from typing import Any, NamedTuple
from uuid import UUID

from events.errors import StaleVersion
from events.failpoints import failpoint
from projections.chance import Level
from projections.clocks import read_setting
from projections.record import BOT, OPEN, RUNNING
from projections.tournaments.record import DECLARED, STARTED, Entry, Record, RoundRecord, Sitting
from service import act as games
from service import clerk, endings, leaving, tables
from service.act import SERVICE
from service.clerk import Clerk
from service.tables import Proposal
from service.tournaments.desk import Act, Desk, Wish
from service.tournaments.rounds import MINUTE

before_games = failpoint("tournament.before_games")
between_games = failpoint("tournament.between_games")
before_started = failpoint("tournament.before_started")


class Hands(NamedTuple):
    """What moves tournaments and their games."""

    desk: Desk
    clerk: Clerk


def start_games(hands: Hands, tournament: UUID) -> None:
    """Create every game of the declared round that is not there yet, and say that the round has started."""
    record = hands.desk.take(tournament).known
    current = record.round
    if current is None or current.status != DECLARED:
        return
    before_games()
    for table in current.tables:
        if table.void is None:
            start_game(hands, tournament, record, current, table)
            between_games()
    before_started()
    hands.desk.do(tournament, Wish(SERVICE, lambda act: _say_started(act, current.number), lambda _act: {}))


def start_game(hands: Hands, tournament: UUID, record: Record, current: RoundRecord, table: Sitting) -> None:
    """Create the game of a table; quietly when it is there."""
    proposal = proposed(tournament, record, current, table)
    seats_people = record.regulations["no_show"] is None
    people = [record.entry(number) for number in table.seats]

    def decide(act: games.Act) -> None:
        tables.create(act, proposal)
        if seats_people:
            seat_all(act, people)

    try:
        hands.clerk.open(UUID(table.game), None, clerk.Wish(SERVICE, decide, lambda _act: {}))
    except StaleVersion:
        return  # it was created before


def proposed(tournament: UUID, record: Record, current: RoundRecord, table: Sitting) -> Proposal:
    """The game of a table, as the regulations have it."""
    rules: dict[str, Any] = record.regulations
    return Proposal(
        game=rules["game"],
        options=rules["options"],
        seats=[_chair(record.entry(number)) for number in table.seats],
        clock=read_setting(rules["clock"]),
        rated=rules["rated"],
        visibility=record.visibility,
        level=Level(rules["chance"]),
        first_chair=0,
        leaver=rules["leaver"],
        spectator_delay=rules["spectator_delay"],
        tournament=str(tournament),
        deal=None if current.deal is None else UUID(current.deal),
    )


def seat_all(act: games.Act, people: list[Entry]) -> None:
    """Let everybody whom the chairs are kept for sit down; a table of bots alone has started already."""
    if act.record.status == OPEN:
        for chair, entry in enumerate(people):
            if act.record.chairs[chair].player is None:
                tables.sit_down(act, chair, entry.player, program=entry.program)
        tables.start_when_ready(act)


def close_arrivals(hands: Hands, tournament: UUID) -> None:
    """The time to sit down is over: who is absent is replaced or leaves their seat to what the regulations say."""
    record = hands.desk.take(tournament).known
    current = record.round
    if current is None or current.status != STARTED or current.sit_by is None:
        return
    for table in current.tables:
        if table.game is not None and not table.over:
            _close_table(hands, tournament, record, current.number, table)
    number = current.number
    hands.desk.do(tournament, Wish(SERVICE, lambda act: _say_closed(act, number), lambda _act: {}))


def _close_table(hands: Hands, tournament: UUID, record: Record, round: int, table: Sitting) -> None:
    game = UUID(table.game)
    chairs = hands.clerk.look(game).known.chairs
    absent = [number for chair, number in zip(chairs, table.seats, strict=True) if chair.player is None]
    for number in absent:
        about = {"round": round, "table": table.number, "entrant": number, "game": table.game}
        hands.desk.do(tournament, Wish(SERVICE, partial(_note, about=about), lambda _act: {}))
    people = [record.entry(number) for number in table.seats]

    def decide(act: games.Act) -> None:
        missing = [chair for chair, one in enumerate(act.record.chairs) if one.player is None]
        if act.record.status != OPEN:
            return
        seat_all(act, people)
        if act.record.status == RUNNING:
            for chair in missing:
                leaving.resign(act, act.record.order.index(chair))

    if absent or hands.clerk.look(game).known.status == OPEN:
        hands.clerk.do(game, clerk.Wish(SERVICE, decide, lambda _act: {}))


def _note(act: Act, about: dict[str, Any]) -> None:
    """Say who did not come, once."""
    table = act.record.rounds[about["round"] - 1].tables[about["table"] - 1]
    if about["entrant"] not in table.absent:
        act.write("no_show_noted", **about)


def _chair(entry: Entry) -> str:
    return BOT + entry.bot if entry.bot else entry.player


def _say_started(act: Act, round: int) -> None:
    current = act.record.round
    if current is None or current.number != round or current.status != DECLARED:
        return
    no_show = act.record.regulations["no_show"]
    act.write("round_started", round=round, sit_by=None if no_show is None else act.at + no_show["minutes"] * MINUTE)


def _say_closed(act: Act, round: int) -> None:
    if act.record.rounds[round - 1].sit_by is not None:
        act.write("arrivals_closed", round=round)


def show_deal(hands: Hands, current: RoundRecord) -> bytes | None:
    """Show the seed that all tables of a round shared, in each of its games that is over; None: they share none."""
    if current.deal is None:
        return None
    for table in current.tables:
        if table.game is not None:
            hands.clerk.do(UUID(table.game), clerk.Wish(SERVICE, _show, lambda _act: {}))
    return hands.desk.seed(UUID(current.tables[0].game))


def _show(act: games.Act) -> None:
    if act.record.deal is not None and act.record.seed is None and act.record.result is not None:
        endings.show_seed(act)
