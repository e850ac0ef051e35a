"""Types of tournaments: entrants, tables, rounds, pairings and standings; all frozen.

Numbers called `event` are those of events in the tournament's stream; every reason refers to them. Numbers that may
be fractions are exact (`Fraction`), and stand in documents as text: "28/3", "1110".

    regulations.read_stage(document) -> Stage             raises BadRegulations
    regulations.stage_document(stage) -> JsonObject
    pairing.pair(Setting(stage, history, entrants, present, ...), seed) -> Pairing
    seating.by_choice(choosing, wishes) -> seats          when a stage lets players choose
    seating.by_bids(players, bids, seed) -> Sold          when it lets them bid
    standings.standings(stage, rounds, entrants) -> Standings
    advancement.advancing(stage, rounds, entrants) -> Advancing
"""

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import NamedTuple

from events.json_types import Json

Player = str  # the opaque id of a player or bot


class Format(StrEnum):
    """The pairing format of a stage."""

    HEATS = "heats"  # every player may sit out rounds; the best results count
    SWISS = "swiss"  # players with equal scores meet
    ROUND_ROBIN = "round_robin"  # all pairs meet as equally often as the sizes allow
    KNOCK_OUT = "knock_out"  # the first of each table advance
    PODS = "pods"  # the same players meet in all rounds of the stage; one pod is a final


class SeatMethod(StrEnum):
    """The method that assigns seats at a table."""

    RANDOM = "random"
    BALANCED = "balanced"  # each sits early and late as often as the others
    CHOICE = "choice"  # the best ranked chooses first
    BIDS = "bids"  # the highest bid in half points


class DrawMethod(StrEnum):
    """The method that spreads players over tables."""

    RANDOM = "random"
    BALANCED = "balanced"  # seeded players apart


class Sizes(NamedTuple):
    """Table sizes in order of preference: as many tables of the first size as possible, then of the next."""

    preferred: tuple[int, ...] = (4, 3)
    byes: bool = True  # whether players get byes when the numbers do not fit


class Scheme(NamedTuple):
    """The points for a place at a table."""

    name: str
    places: Mapping[int, tuple[Fraction, ...]]  # size of the table -> points of the first, the second ...
    share: bool = False  # instead: the player's score as a share of the winner's
    tied: str = "average"  # or "full": each gets the points of the best shared place
    bye: str = "win"  # or "average" (of the own results), "half" (of a win), "none"
    asked: str = "half"  # the same, for a bye that the player asked for, such as the rounds before a late entry
    forfeit: str = "none"  # or "last": the points of the last place


class Advance(NamedTuple):
    """The advancement to the next stage: the first of each table or pod, then the best others up to a total."""

    per_table: int = 0
    total: int | None = None
    fill: bool = True  # between rounds of a knock-out the best losers fill empty seats


class Stage(NamedTuple):
    """The regulations of one stage, declared and frozen before the start."""

    name: str
    format: Format
    rounds: int
    scheme: Scheme
    criteria: tuple[str, ...]  # the ranking criteria in order; the first is the score
    sizes: Sizes = Sizes()
    seats: SeatMethod = SeatMethod.BALANCED
    draw: DrawMethod = DrawMethod.RANDOM
    counting: int | None = None  # the number of best results that count; None: all
    again: str = "avoid"  # repeated meetings; or "allow": only levels count
    ties: str = "shared"  # games still tied after their own tie-break: or "later_seat", "seeding"
    advance: Advance = Advance()


class Entrant(NamedTuple):
    """A participant of a stage."""

    player: Player
    seeding: int  # 1 is the strongest; no number twice
    event: int  # of the admission
    rating: int | None = None  # at entry, for the criterion of this name
    gone: int | None = None  # the event of the withdrawal or disqualification
    disqualified: bool = False  # ranked behind all others; a withdrawn entrant keeps the rank


class Result(NamedTuple):
    """The result of a table, seat by seat."""

    points: tuple[int, ...]
    tie_break: tuple[int, ...]
    places: tuple[int, ...]  # by the rules of the game or a ruling; shared when tied
    event: int  # of the result
    ruling: str | None = None  # "adjudicated" or "corrected"; None: as played
    forfeited: frozenset[int] = frozenset()  # seats
    ends: tuple[str, ...] = ()  # reasons of the end of the game
    absent: frozenset[int] = frozenset()  # forfeited seats with absent players


class PlayedTable(NamedTuple):
    """A table with its seats and its result."""

    number: int  # 1 is the top table
    seats: tuple[Player, ...]  # in turn order, the start player first
    event: int  # of the announcement
    game: str | None = None
    result: Result | None = None
    void: int | None = None  # the ruling that voided it
    bids: tuple[int, ...] = ()  # half points paid, seat by seat


class Bye(NamedTuple):
    """A round that a player sat out, with the points of the scheme."""

    player: Player
    event: int
    asked: bool = False  # requested by the player; otherwise drawn


class Round(NamedTuple):
    """A paired round."""

    number: int  # 1 is the first of the stage
    tables: tuple[PlayedTable, ...]
    event: int  # of the announcement
    seed: bytes  # of the pairing
    byes: tuple[Bye, ...] = ()


class PairingInput(NamedTuple):
    """All inputs of a pairing except its seed."""

    stage: Stage
    history: tuple[Round, ...]  # of this stage, in order, without the round to be paired
    entrants: tuple[Entrant, ...]  # all of the stage, also those gone, in any order
    present: frozenset[Player]  # the players to pair
    forbidden: frozenset[frozenset[Player]] = frozenset()  # pairs that never sit together
    earlier: tuple[Round, ...] = ()  # of earlier stages: seats and meetings count, points do not


class Reason(NamedTuple):
    """The reason of a decision: a code, its players, its values, and the events behind it."""

    code: str
    player: Player | None
    says: Mapping[str, Json]
    events: tuple[int, ...]


class Paired(NamedTuple):
    """A table of a pairing."""

    number: int
    seats: tuple[Player, ...]  # in turn order; in order of choice while seats are to be chosen or bid for
    settled: bool  # whether the seats are final
    reasons: tuple[Reason, ...]


class Measures(NamedTuple):
    """The quality of a pairing, and the bounds that its method guarantees."""

    sizes: tuple[int, ...]
    repeats: int  # pairs that met before, counted as often as they did
    repeats_bound: int  # the method's bound
    most_meetings: int  # of one pair, this round included
    floats: int  # distances of players from their score groups, summed
    seat_spread: int  # the largest difference between a player's counts in two seats
    seat_squares: int  # the squared counts of seats, summed over all players
    seat_squares_bound: int  # the bound of balanced seats: the average of all seatings


class Pairing(NamedTuple):
    """The tables and byes of a round, with reasons."""

    round: int
    method: str
    tables: tuple[Paired, ...]
    byes: tuple[Player, ...]
    reasons: tuple[Reason, ...]  # of the byes and of the round
    measures: Measures


class FigurePart(NamedTuple):
    """One summand of a figure, with the events behind it."""

    what: str
    value: Fraction
    events: tuple[int, ...]
    round: int | None = None
    table: int | None = None
    counts: bool = True  # False: shown, but left out by the regulations
    other: Player | None = None  # the other player, if any


class Figure(NamedTuple):
    """A player's value by one criterion, with its parts."""

    criterion: str
    value: Fraction
    parts: tuple[FigurePart, ...]


class StandingsLine(NamedTuple):
    """A player's line in the standings."""

    rank: int  # shared when no criterion separates
    player: Player
    figures: tuple[Figure, ...]  # by the criteria of the stage, in their order
    decided_by: str | None  # the criterion that separates this line from the one before; None: the first, or tied
    gone: int | None  # the event of the withdrawal or disqualification


class Standings(NamedTuple):
    """A stage's standings."""

    criteria: tuple[str, ...]
    lines: tuple[StandingsLine, ...]


class Advancing(NamedTuple):
    """The advancing players in seeding order, and the alternates."""

    players: tuple[Player, ...]
    alternates: tuple[Player, ...]
    reasons: tuple[Reason, ...]
