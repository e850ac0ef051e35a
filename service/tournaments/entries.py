"""Entries: invitations, limits, check-in, late entries, absences, withdrawals."""

from typing import Final

from psycopg import Connection

from events.messages import Message
from projections.tournaments.record import ALIVE, BOT, OPEN, Entry, TournamentRecord
from projections.tournaments.values import Sizes
from service.core.errors import EntryRefused, NotAllowed, NotAtThisStage
from service.tournaments.declare import direct
from service.tournaments.tournament_repository import TournamentUnitOfWork

OVERLAPPING: Final = """
SELECT t.id FROM entries e JOIN tournaments t USING (id)
WHERE e.player = %s AND NOT e.gone AND t.id <> %s AND t.status IN ('open', 'running')
    AND t.starts IS NOT NULL AND t.ends IS NOT NULL AND t.starts < %s AND t.ends > %s
LIMIT 1
"""
MOST_FILLS: Final = 4


def invite(unit: TournamentUnitOfWork, player: str) -> None:
    """Invite a player."""
    direct(unit)
    _alive(unit.record)
    if player not in unit.record.invited:
        unit.write("player_invited", player=player)


def enter(
    unit: TournamentUnitOfWork, player: str, *, program: bool = False, rating: int | None = None, rating_at: int = 0
) -> None:
    """Enter a player with the current rating; when the field is full, into the reserve. Raises EntryRefused."""
    record = unit.record
    _check_open(record)
    if record.regulations["entry"] == "invited" and player not in record.invited and not record.directs(unit.actor):
        raise EntryRefused("not_invited", "this tournament is by invitation")
    if program and not record.regulations.get("programs", True):
        raise EntryRefused("program", "the regulations do not admit bots' accounts")
    known = record.entry_of(player)
    if known is not None:
        _return(unit, known)
        return
    most = record.regulations["most"]
    full = most is not None and len(record.in_field) >= most
    worth = {"rating_at": rating_at} if rating is None else {"rating": rating, "rating_at": rating_at}
    more = {**({"program": True} if program else {}), **worth}
    unit.write("entered", entrant=len(record.entries) + 1, player=player, bot=None, reserve=full, **more)


def check_bookings(connection: Connection, unit: TournamentUnitOfWork, player: str) -> None:
    """Raises EntryRefused when the player takes part in another tournament at the same time."""
    starts, ends = unit.record.regulations["starts"], unit.record.regulations["ends"]
    if starts is None or ends is None:
        return
    other = connection.execute(OVERLAPPING, (player, unit.id, ends, starts)).fetchone()
    if other is not None:
        raise EntryRefused("double_booked", "the player takes part in tournament {other} at that time", other=other[0])


def enter_bot(unit: TournamentUnitOfWork) -> None:
    """Enter a bot. Raises EntryRefused where the regulations allow none."""
    direct(unit)
    _check_open(unit.record)
    add_bot(unit)


def add_bot(unit: TournamentUnitOfWork) -> int:
    """Add a bot to the entrants. Returns its number."""
    level = unit.record.regulations["bots"]
    if level is None:
        raise EntryRefused("no_bots", "the regulations do not admit bots as substitutes")
    number = len(unit.record.entries) + 1
    unit.write("entered", entrant=number, player=f"{BOT}{level}:{number}", bot=level, reserve=False)
    return number


def check_in(unit: TournamentUnitOfWork, entry: Entry) -> None:
    """Check an entrant in. Raises EntryRefused."""
    if not unit.record.regulations["check_in"]:
        raise EntryRefused("no_check_in", "this tournament has no check-in")
    if unit.record.status != OPEN:
        _check_late(unit.record)
    _still_in(entry)
    if entry.checked_in is None:
        unit.write("checked_in", entrant=entry.number)


def withdraw(unit: TournamentUnitOfWork, entry: Entry, reason: str | None = None) -> None:
    """Withdraw an entrant without resigning a running game."""
    _alive(unit.record)
    _still_in(entry)
    was_in = not entry.reserve
    unit.write("withdrawn", entrant=entry.number, reason=unit.text(reason))
    if was_in and unit.record.status == OPEN:
        admit_next(unit)


def sit_out(unit: TournamentUnitOfWork, entry: Entry, round: int) -> None:
    """Note that an entrant sits out a round that is not paired yet. Raises EntryRefused."""
    _alive(unit.record)
    _still_in(entry)
    if round <= len(unit.record.rounds) or entry.sits_out(round) is not None:
        raise EntryRefused("too_late", "round {round} is already paired, or the absence is already noted", round=round)
    unit.write("absence_noted", entrant=entry.number, round=round)


def admit(unit: TournamentUnitOfWork, entry: Entry) -> None:
    """Admit an entrant from the reserve to the field."""
    direct(unit)
    _alive(unit.record)
    _still_in(entry)
    if not entry.reserve:
        raise EntryRefused("not_in_reserve", "only an entrant in the reserve can be admitted")
    unit.write("admitted", entrant=entry.number)


def admit_next(unit: TournamentUnitOfWork) -> None:
    """Admit the first entrant of the reserve when a place is free."""
    most = unit.record.regulations["most"]
    if unit.record.waiting and (most is None or len(unit.record.in_field) < most):
        unit.write("admitted", entrant=unit.record.waiting[0].number)


def own(unit: TournamentUnitOfWork) -> Entry:
    """Returns the actor's own entry. Raises NotAllowed."""
    entry = unit.record.entry_of(unit.actor)
    if entry is None:
        raise NotAllowed("not_entered", "you do not take part in this tournament")
    return entry


def numbered(record: TournamentRecord, number: int) -> Entry:
    """Returns an entrant by number. Raises EntryRefused."""
    if not 1 <= number <= len(record.entries):
        raise EntryRefused("no_such_entrant", "there is no entrant {number}", number=number)
    return record.entry(number)


def missing(present: int, sizes: Sizes) -> int:
    """Returns the number of bots that fill the tables; 0 when none are needed or none can fill them."""
    for fills in range(MOST_FILLS):
        if fits(present + fills, sizes.preferred):
            return fills
    return 0


def fits(players: int, sizes: tuple[int, ...]) -> bool:
    """Returns whether tables of these sizes seat exactly this number of players."""
    reached = {0}
    for number in range(1, players + 1):
        if any(number - size in reached for size in sizes):
            reached.add(number)
    return players in reached


def _return(unit: TournamentUnitOfWork, entry: Entry) -> None:
    """Enter a withdrawn player again under the old number. Raises EntryRefused."""
    if entry.disqualified is not None:
        raise EntryRefused("disqualified", "a disqualified player cannot enter again")
    if entry.withdrawn is None:
        raise EntryRefused("entered", "the player already takes part")
    unit.write("returned", entrant=entry.number)


def _check_open(record: TournamentRecord) -> None:
    _alive(record)
    if record.status != OPEN:
        _check_late(record)


def _check_late(record: TournamentRecord) -> None:
    """Raises EntryRefused when the regulations allow no more late entries."""
    if not admits_late(record):
        raise EntryRefused("too_late", "entries are closed")


def admits_late(record: TournamentRecord) -> bool:
    """Returns whether the regulations let a player enter before the next round of a running tournament."""
    return len(record.stages) <= 1 and len(record.rounds) < record.regulations["late_join"]


def _alive(record: TournamentRecord) -> None:
    if record.status not in ALIVE:
        raise NotAtThisStage(record.status, "the tournament is {status}", status=Message(record.status))


def _still_in(entry: Entry) -> None:
    if entry.gone is not None:
        raise EntryRefused("gone", "the entrant no longer takes part")
