"""The state of a tournament: regulations, entrants, stages, rounds, tables, results, rulings.

A Record is a pure fold of the stream (`chronology.py`): it is the same live, after a restart and in an audit.
"""

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from events.json_types import JsonObject
from projections.tournaments.values import Result

DRAFT, OPEN, RUNNING, FINISHED, CANCELLED = "draft", "open", "running", "finished", "cancelled"
PAIRED, PUBLISHED, DECLARED, STARTED, CLOSED = "paired", "published", "declared", "started", "closed"
ALIVE: Final = (OPEN, RUNNING)
RULES: Final = "tournaments/2"  # the version of these computations; a tournament keeps that of its first event
BYE_BESIDE_A_SEAT: Final = "tournaments/1"  # under it, a stand-in keeps the bye of the round as well
BOT_COUNTS_FOR_ABSENT: Final = "tournaments/1"  # under it, an absent entrant has a bot's result
KNOWN_RULES: Final = (BYE_BESIDE_A_SEAT, RULES)
AUTOMATIC: Final = "automatic"
BOT: Final = "bot:"


class Entry(NamedTuple):
    """An entrant; the numbers of events are those of this stream."""

    number: int
    player: str
    bot: str | None  # the level of a bot that fills in
    event: int
    reserve: bool
    joined: int | None = None  # the event that admitted the entrant to the field
    checked_in: int | None = None
    withdrawn: int | None = None
    disqualified: int | None = None
    absences: tuple[tuple[int, int], ...] = ()  # rounds the entrant sits out, with the events that say so
    program: bool = False  # the entrant is a program, not a bot of the service
    rating: int | None = None  # at entry; None: no rating
    rating_at: int | None = None  # the number of log entries behind that rating; None: not recorded

    @property
    def gone(self) -> int | None:
        """The event after which the entrant plays no more."""
        return self.disqualified or self.withdrawn

    def sits_out(self, round: int) -> int | None:
        """Returns the event by which the entrant sits out a round, or None."""
        return dict(self.absences).get(round)


class Sitting(NamedTuple):
    """A table of a round: its players, its game, and the result."""

    number: int
    paired: tuple[int, ...]  # entrants as they were paired: in the order of choice where seats are chosen
    seats: tuple[int, ...]  # in turn order, once the seats are given
    event: int
    game: str | None = None
    commitment: str | None = None
    result: Result | None = None
    lost: int | None = None  # the event that records an end without a result
    void: int | None = None
    wishes: tuple[tuple[int, str], ...] = ()  # entrants with a wish for seats, and its hash
    bids: tuple[int, ...] = ()
    proof: tuple[int, str] | None = None  # version and head of the game at its end
    absent: tuple[int, ...] = ()  # absent entrants

    @property
    def settled(self) -> bool:
        """Whether the seats are final."""
        return bool(self.seats)

    @property
    def is_over(self) -> bool:
        """Whether the table needs nothing more."""
        return self.result is not None or self.void is not None


class RoundRecord(NamedTuple):
    """A round: paired, published, declared, started, closed, in this order."""

    number: int
    stage: int
    attempt: int
    inputs: int
    seed: str
    present: tuple[int, ...]
    byes: tuple[int, ...]
    tables: tuple[Sitting, ...]
    event: int
    status: str = PAIRED
    choose_by: int | None = None
    sit_by: int | None = None
    deal: str | None = None
    deal_seed: str | None = None
    declared: int | None = None  # the event that named the games

    @property
    def is_over(self) -> bool:
        """Whether every table is over."""
        return all(table.is_over for table in self.tables)


class StageRecord(NamedTuple):
    """A stage that has begun: its field in seeding order, and the advancing players."""

    number: int
    field: tuple[int, ...]
    event: int
    closed: int | None = None
    advancing: tuple[int, ...] = ()
    alternates: tuple[int, ...] = ()


class Ruling(NamedTuple):
    """A ruling of a director."""

    kind: str
    event: int
    at: int
    actor: str
    reason: str  # the hash of a text
    data: JsonObject


class Edition(NamedTuple):
    """The state of the archive at the end of the tournament, and after each correction."""

    number: int
    event: int  # the last one of it
    at: int
    ruling: int | None = None  # the ruling that corrects the edition before


class TournamentRecord(NamedTuple):
    """The state of a tournament, folded from its events."""

    title: str  # the hash of a text
    regulations: dict[str, Any]
    visibility: str
    host: str
    created: int
    rules: str = RULES
    status: str = DRAFT
    directors: tuple[str, ...] = ()
    published: int | None = None
    hash: str | None = None  # of the regulations
    commitment: str | None = None  # to the seed of all pairings
    seed: str | None = None
    invited: tuple[str, ...] = ()
    entries: tuple[Entry, ...] = ()
    stages: tuple[StageRecord, ...] = ()
    editions: tuple[Edition, ...] = ()
    rounds: tuple[RoundRecord, ...] = ()
    rulings: tuple[Ruling, ...] = ()
    cause: str | None = None  # the cause of the end
    changed: int = 0

    @property
    def stage(self) -> StageRecord | None:
        """The stage in play."""
        return self.stages[-1] if self.stages and self.stages[-1].closed is None else None

    @property
    def round(self) -> RoundRecord | None:
        """The round that is not closed yet."""
        return self.rounds[-1] if self.rounds and self.rounds[-1].status != CLOSED else None

    @property
    def in_field(self) -> tuple[Entry, ...]:
        """The entrants that are neither in the reserve nor gone."""
        return tuple(entry for entry in self.entries if not entry.reserve and entry.gone is None)

    @property
    def waiting(self) -> tuple[Entry, ...]:
        """The reserve, in order of entry."""
        return tuple(entry for entry in self.entries if entry.reserve and entry.gone is None)

    @property
    def one_place_a_round(self) -> bool:
        """Whether an entrant with a seat in a round has no bye in it."""
        return self.rules != BYE_BESIDE_A_SEAT

    def entry(self, number: int) -> Entry:
        """Returns an entrant by number."""
        return self.entries[number - 1]

    def entry_of(self, player: str) -> Entry | None:
        """Returns the entrant of a player, or None when the player did not enter."""
        return next((entry for entry in self.entries if entry.player == player), None)

    def directs(self, player: str) -> bool:
        """Returns whether a player is a director."""
        return player == self.host or player in self.directors

    def rounds_of(self, stage: int) -> tuple[RoundRecord, ...]:
        """Returns the rounds of a stage, in order."""
        return tuple(one for one in self.rounds if one.stage == stage)

    def games(self) -> Iterator[tuple[RoundRecord, Sitting]]:
        """Yields every table with a game."""
        for one in self.rounds:
            for table in one.tables:
                if table.game is not None:
                    yield one, table
