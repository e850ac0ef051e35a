"""The words of tournaments: entrants, tables, rounds, what a pairing and a standing say; all frozen.

Numbers called `event` are those of events in the tournament's stream; every explanation ends in them. Numbers that may
be fractions are exact (`Fraction`), and stand in documents as text: "28/3", "1110".

    regulations.read_stage(document) -> Stage             refuses with BadRegulations
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

Player = str  # the opaque id of whoever sits down


class Format(StrEnum):
    """How a stage brings people together."""

    HEATS = "heats"  # rounds that everybody may sit out; the best results count
    SWISS = "swiss"  # equals meet equals
    ROUND_ROBIN = "round_robin"  # everybody meets as equally often as the sizes allow
    KNOCK_OUT = "knock_out"  # the first of each table go on
    PODS = "pods"  # the same people meet in all rounds of the stage; one pod is a final


class SeatMethod(StrEnum):
    """How players come to their seats at a table."""

    RANDOM = "random"
    BALANCED = "balanced"  # each sits early and late as often as the others
    CHOICE = "choice"  # the best ranked chooses first
    BIDS = "bids"  # who gives most half points


class DrawMethod(StrEnum):
    """How players of equal right are spread over tables."""

    RANDOM = "random"
    BALANCED = "balanced"  # the seeded apart


class Sizes(NamedTuple):
    """How many sit at a table: as many tables of the first number as possible, filled up with the others in order."""

    preferred: tuple[int, ...] = (4, 3)
    byes: bool = True  # whether somebody sits out when the numbers do not go in


class Scheme(NamedTuple):
    """What a place at a table is worth."""

    name: str
    places: Mapping[int, tuple[Fraction, ...]]  # size of the table -> points of the first, the second ...
    share: bool = False  # instead: the own score as a share of the winner's
    tied: str = "average"  # or "full": each gets what the best of the shared places is worth
    bye: str = "win"  # or "average" (of the own results), "half" (of a win), "none"
    asked: str = "half"  # the same, for a bye that the player asked for, such as the rounds before a late entry
    forfeit: str = "none"  # or "last": the points of the last place


class Advance(NamedTuple):
    """Who goes on to the next stage: the first of each table or pod, then the best others up to a total."""

    per_table: int = 0
    total: int | None = None
    fill: bool = True  # between rounds of a knock-out the best who lost take seats left empty


class Stage(NamedTuple):
    """The regulations of one stage, declared and frozen before the start."""

    name: str
    format: Format
    rounds: int
    scheme: Scheme
    criteria: tuple[str, ...]  # what ranks, in order; the first is the score
    sizes: Sizes = Sizes()
    seats: SeatMethod = SeatMethod.BALANCED
    draw: DrawMethod = DrawMethod.RANDOM
    counting: int | None = None  # so many best results count; None: all
    again: str = "avoid"  # meeting the same people; or "allow": only levels count
    ties: str = "shared"  # games still tied after their own tie-break: or "later_seat", "seeding"
    advance: Advance = Advance()


class Entrant(NamedTuple):
    """Somebody who takes part."""

    player: Player
    seeding: int  # 1 is the strongest; no number twice
    event: int  # that let them in
    rating: int | None = None  # when they entered, for the criterion of this name
    gone: int | None = None  # the event of the withdrawal or disqualification
    disqualified: bool = False  # ranked behind all others; who withdrew keeps the rank


class Result(NamedTuple):
    """What came of a table, seat by seat."""

    points: tuple[int, ...]
    tie_break: tuple[int, ...]
    places: tuple[int, ...]  # as the rules of the game or a ruling say; shared when tied
    event: int  # that brought it
    ruling: str | None = None  # "adjudicated" or "corrected"; None: as it was played
    forfeited: frozenset[int] = frozenset()  # seats
    ends: tuple[str, ...] = ()  # what ended the game
    absent: frozenset[int] = frozenset()  # seats among the forfeited whose players never came


class PlayedTable(NamedTuple):
    """Who sat where, and what came of it."""

    number: int  # 1 is the top table
    seats: tuple[Player, ...]  # in turn order, the start player first
    event: int  # that announced it
    game: str | None = None
    result: Result | None = None
    void: int | None = None  # the ruling that made it count for nothing
    bids: tuple[int, ...] = ()  # half points paid, seat by seat


class Bye(NamedTuple):
    """Somebody who sat a round out with the points that the scheme gives for it."""

    player: Player
    event: int
    asked: bool = False  # by the player; otherwise it was drawn


class Round(NamedTuple):
    """A round that was paired."""

    number: int  # 1 is the first of the stage
    tables: tuple[PlayedTable, ...]
    event: int  # that announced it
    seed: bytes  # that its pairing was drawn from
    byes: tuple[Bye, ...] = ()


class PairingInput(NamedTuple):
    """All that a pairing depends on besides its seed."""

    stage: Stage
    history: tuple[Round, ...]  # of this stage, in order, without the round to be paired
    entrants: tuple[Entrant, ...]  # all of the stage, those gone too, in any order
    present: frozenset[Player]  # who is to be paired
    forbidden: frozenset[frozenset[Player]] = frozenset()  # pairs that never sit together
    earlier: tuple[Round, ...] = ()  # of earlier stages: seats and meetings count, points do not


class Reason(NamedTuple):
    """Why something is as it is: a code, who it is about, what it says, and the events it rests on."""

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
    """How good a pairing is, and how good it promises to be."""

    sizes: tuple[int, ...]
    repeats: int  # pairs that met before, counted as often as they did
    repeats_bound: int  # what the method promises not to exceed
    most_meetings: int  # of two who meet, this round included
    floats: int  # steps that players sit away from their score group
    seat_spread: int  # the largest difference between how often somebody sat in two seats
    seat_squares: int  # over all players and seats, how often somebody sat there, squared
    seat_squares_bound: int  # what balanced seats promise not to exceed: the average of all ways to sit


class Pairing(NamedTuple):
    """Who meets whom in a round."""

    round: int
    method: str
    tables: tuple[Paired, ...]
    byes: tuple[Player, ...]
    reasons: tuple[Reason, ...]  # of the byes and of the whole
    measures: Measures


class FigurePart(NamedTuple):
    """One summand of a number: what it is, and the events it rests on."""

    what: str
    value: Fraction
    events: tuple[int, ...]
    round: int | None = None
    table: int | None = None
    counts: bool = True  # False: shown, but left out by the regulations
    other: Player | None = None  # whom it is about besides


class Figure(NamedTuple):
    """What somebody has by one criterion, and what it is made of."""

    criterion: str
    value: Fraction
    parts: tuple[FigurePart, ...]


class StandingsLine(NamedTuple):
    """Somebody's place in the standings."""

    rank: int  # shared when no criterion separates
    player: Player
    figures: tuple[Figure, ...]  # by the criteria of the stage, in their order
    decided_by: str | None  # the criterion that put this line below the one before; None: the first, or tied
    gone: int | None  # the event of the withdrawal or disqualification


class Standings(NamedTuple):
    """A stage's standings."""

    criteria: tuple[str, ...]
    lines: tuple[StandingsLine, ...]


class Advancing(NamedTuple):
    """Who goes on, in the order that seeds the next stage, and who would take the place of somebody absent."""

    players: tuple[Player, ...]
    alternates: tuple[Player, ...]
    reasons: tuple[Reason, ...]
