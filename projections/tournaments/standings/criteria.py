"""Ranking criteria: the score and every tie-break, each a figure made of parts that name events.

A criterion is a name, or a name with a number: `best:3`. Byes count for points and shares, not as games.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final, NamedTuple

from projections.tournaments.pairing.lottery import Lots
from projections.tournaments.standings.scoring import Earned, Ledger, ledger, order
from projections.tournaments.values import Entrant, Figure, FigurePart, Player, Round, Stage

MOST: Final = 99  # the largest number after a colon


class Facts:
    """The inputs of criteria: a stage's rounds, and the points earned in them."""

    def __init__(self, stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> None:
        self.stage, self.rounds = stage, rounds
        self.entrants: Mapping[Player, Entrant] = {entrant.player: entrant for entrant in entrants}
        self.earned: Ledger = ledger(stage, rounds, entrants)
        self._points: dict[Player, Fraction] = {}

    def of(self, player: Player) -> Sequence[Earned]:
        """Returns a player's results, round by round."""
        return self.earned.get(player, ())

    def points(self, player: Player) -> Fraction:
        """Returns a player's total points."""
        if player not in self._points:
            self._points[player] = best(self, player, self.stage.counting).value
        return self._points[player]

    @cached_property
    def meetings(self) -> Mapping[Player, Sequence["Meeting"]]:
        """Each player's opponents at finished tables, in order."""
        seeding = {player: entrant.seeding for player, entrant in self.entrants.items()}
        found: dict[Player, list[Meeting]] = defaultdict(list)
        for round_ in self.rounds:
            for table in round_.tables:
                if table.result is not None and table.void is None:
                    places = order(self.stage, table, seeding).places
                    at = (round_.number, table.number, (table.event, table.result.event))
                    pairs = list(zip(table.seats, places, strict=True))
                    for player, place in pairs:
                        found[player] += [
                            Meeting(other, Fraction((place < its) - (place > its)), *at)
                            for other, its in pairs
                            if other != player
                        ]
        return found

    @cached_property
    def drawn(self) -> Mapping[Player, int]:
        """The order of lots drawn from the seed of the first round, from 1."""
        seed = self.rounds[0].seed if self.rounds else b""
        drawn = Lots(seed, "standings").shuffled(self.entrants)
        return {player: number for number, player in enumerate(drawn, 1)}


class Meeting(NamedTuple):
    """An opponent at a table, and the outcome: 1 beaten, 0 tied, -1 lost."""

    other: Player
    beaten: Fraction
    round: int
    table: int
    events: tuple[int, ...]


Tied = Collection[Player]  # players tied by all earlier criteria
Measure = Callable[[Facts, Player, Tied, int | None], Iterable[FigurePart]]


class Criterion(NamedTuple):
    """The computation of a figure, and its ranking order."""

    parts: Measure
    numbered: bool = False  # takes a number after a colon
    average: bool = False  # of the parts that count; otherwise their sum
    fewest: bool = False  # the smaller figure ranks first
    separates: bool = False  # values are unique


def known(name: str) -> bool:
    """Returns whether a criterion has this name, with a number if it takes one."""
    word, colon, number = name.partition(":")
    row = CRITERIA.get(word)
    if row is None or row.numbered != bool(colon):
        return False
    return not colon or (number.isascii() and number.isdigit() and len(number) < 3 and 1 <= int(number) <= MOST)


def figure(facts: Facts, name: str, player: Player, tied: Tied) -> Figure:
    """Returns a player's figure by a criterion, among the players tied so far."""
    word, _, number = name.partition(":")
    row = CRITERIA[word]
    return _figure(name, row.parts(facts, player, tied, int(number) if number else None), row.average)


def ranking(name: str, value: Fraction) -> Fraction:
    """Returns a number that is larger for better figures."""
    return -value if CRITERIA[name.partition(":")[0]].fewest else value


def best(facts: Facts, player: Player, number: int | None) -> Figure:
    """Returns the sum of the best results, of all when the number is None."""
    return _figure("points", _best(facts, player, (), number))


def _figure(name: str, parts: Iterable[FigurePart], average: bool = False) -> Figure:
    all_parts = tuple(parts)
    counting = [part.value for part in all_parts if part.counts]
    total = sum(counting, Fraction(0))
    return Figure(name, total / len(counting) if average and counting else total, all_parts)


def _part(what: str, earned: Earned, value: Fraction, counts: bool = True) -> FigurePart:
    return FigurePart(what, value, earned.events, earned.round, earned.table, counts)


def _points(facts: Facts, player: Player, tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    """Place points: of the results that count, or of all."""
    return _best(facts, player, tied, facts.stage.counting)


def _best(facts: Facts, player: Player, _tied: Tied, number: int | None) -> Iterable[FigurePart]:
    earned = facts.of(player)
    by_worth = sorted(range(len(earned)), key=lambda index: (-earned[index].points, index))
    counting = set(by_worth[:number])
    for index, one in enumerate(earned):
        yield _part(_what(one), one, one.points, index in counting)


def _what(earned: Earned) -> str:
    if earned.table is None:
        return "bye"
    return "forfeited" if earned.forfeited else f"place {earned.place}"


def _games(facts: Facts, player: Player) -> Iterable[Earned]:
    return (earned for earned in facts.of(player) if earned.table is not None)


def _wins(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    return (_part("win", earned, earned.win) for earned in _games(facts, player) if earned.win)


def _places(facts: Facts, player: Player, _tied: Tied, number: int | None) -> Iterable[FigurePart]:
    return (
        _part(f"place {number}", earned, Fraction(1))
        for earned in _games(facts, player)
        if earned.place == number and not earned.forfeited
    )


def _share(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    return (_part("share of the winner's score", earned, earned.share) for earned in facts.of(player))


def _score(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    return (_part("score", earned, earned.score) for earned in _games(facts, player))


def _last_round(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    last = len(facts.rounds)
    return (_part(_what(earned), earned, earned.points) for earned in facts.of(player) if earned.round == last)


def _last_table(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    """Yields the number of the table in the last round; players without one come last."""
    last = facts.rounds[-1:]
    at = [table for round_ in last for table in round_.tables if player in table.seats]
    for round_ in last:
        number = at[0].number if at else len(round_.tables) + 1
        events = (at[0].event,) if at else (round_.event,)
        yield FigurePart("table", Fraction(number), events, round_.number, number if at else None)


def _progress(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    """Yields the rounds of a player, including drawn byes."""
    for round_ in facts.rounds:
        events = [table.event for table in round_.tables if player in table.seats]
        events += [bye.event for bye in round_.byes if bye.player == player and not bye.asked]
        if events:
            yield FigurePart("round", Fraction(1), tuple(events), round_.number)


def _head_to_head(facts: Facts, player: Player, tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    """Yields wins less losses against players still tied."""
    return (
        FigurePart("met", meeting.beaten, meeting.events, meeting.round, meeting.table, other=meeting.other)
        for meeting in facts.meetings.get(player, ())
        if meeting.other in tied
    )


def _opponents(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    for meeting in facts.meetings.get(player, ()):
        events = [event for earned in facts.of(meeting.other) for event in earned.events]
        yield FigurePart(
            "points of an opponent",
            facts.points(meeting.other),
            tuple(sorted({*meeting.events, *events})),
            meeting.round,
            meeting.table,
            other=meeting.other,
        )


def _trimmed(facts: Facts, player: Player, tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    """Opponents' points without the best and the worst of them."""
    parts = list(_opponents(facts, player, tied, None))
    by_worth = sorted(range(len(parts)), key=lambda index: (parts[index].value, index))
    kept = set(by_worth[1:-1] if len(parts) > 2 else by_worth)
    return (part._replace(counts=index in kept) for index, part in enumerate(parts))


def _rating(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    entrant = facts.entrants[player]
    return () if entrant.rating is None else (FigurePart("rating", Fraction(entrant.rating), (entrant.event,)),)


def _seeding(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    entrant = facts.entrants[player]
    return (FigurePart("seeding", Fraction(entrant.seeding), (entrant.event,)),)


def _draw(facts: Facts, player: Player, _tied: Tied, _number: int | None) -> Iterable[FigurePart]:
    events = tuple(round_.event for round_ in facts.rounds[:1])
    return (FigurePart("lot", Fraction(facts.drawn[player]), events),)


CRITERIA: Final[Mapping[str, Criterion]] = {
    "points": Criterion(_points),
    "wins": Criterion(_wins),
    "best": Criterion(_best, numbered=True),
    "place": Criterion(_places, numbered=True),
    "share": Criterion(_share, average=True),
    "score": Criterion(_score),
    "head_to_head": Criterion(_head_to_head),
    "opponents": Criterion(_opponents, average=True),
    "opponents_sum": Criterion(_opponents),
    "opponents_trimmed": Criterion(_trimmed, average=True),
    "progress": Criterion(_progress),
    "last_round": Criterion(_last_round),
    "last_table": Criterion(_last_table, fewest=True),
    "rating": Criterion(_rating),
    "seeding": Criterion(_seeding, fewest=True, separates=True),
    "draw": Criterion(_draw, fewest=True, separates=True),
}
SEPARATING: Final = frozenset(name for name, row in CRITERIA.items() if row.separates)
