"""Points of a table or a bye: places after bids and ties, points by the scheme, share of the best score."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from projections.tournaments.values import Bye, Entrant, PlayedTable, Player, Result, Round, Scheme, Stage

WHOLE = Fraction(100)  # the winner's share of the winner's score
BYE = {"win": Fraction(1), "half": Fraction(1, 2), "none": Fraction(0)}  # of a win; "average": the player's own


class Earned(NamedTuple):
    """A player's result of one round."""

    round: int
    table: int | None  # None: a bye
    points: Fraction  # by the scheme
    share: Fraction  # of the winner's score, in hundredths
    score: Fraction  # in the game, after bids
    place: int  # 0: a bye
    win: Fraction  # a shared one is a part of one
    forfeited: bool
    events: tuple[int, ...]


class TableStanding(NamedTuple):
    """The order at a finished table, seat by seat."""

    places: tuple[int, ...]
    scores: tuple[Fraction, ...]  # after bids


Ledger = Mapping[Player, Sequence[Earned]]


def ledger(stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> Ledger:
    """Returns every player's results, round by round; unfinished and void tables give none."""
    seeding = {entrant.player: entrant.seeding for entrant in entrants}
    book: dict[Player, list[Earned]] = defaultdict(list)
    for round_ in rounds:
        for table in round_.tables:
            if table.result is not None and table.void is None:
                for player, earned in zip(table.seats, _at_table(stage, round_, table, seeding), strict=True):
                    book[player].append(earned)
    for round_ in rounds:
        for bye in round_.byes:
            book[bye.player].append(_for_bye(stage, round_, bye, book[bye.player]))
    return {player: sorted(earned, key=lambda one: one.round) for player, earned in book.items()}


def order(stage: Stage, table: PlayedTable, seeding: Mapping[Player, int]) -> TableStanding:
    """Returns the places at a finished table: after bids, by the game or a ruling, ties broken by the stage's rule."""
    result = table.result
    assert result is not None, "only finished tables have an order"
    bids = table.bids or (0,) * len(table.seats)
    scores = tuple(points - Fraction(bid, 2) for points, bid in zip(result.points, bids, strict=True))
    places = result.places if result.ruling or not any(bids) else _after_bids(result, scores)
    breakers = {
        "shared": [0] * len(places),
        "later_seat": [-seat for seat in range(len(places))],
        "seeding": [seeding.get(player, len(seeding) + 1) for player in table.seats],
    }[stage.ties]
    ranks = list(zip(places, breakers, strict=True))
    placed = [1 + sum(other < own for other in ranks) for own in ranks]
    last = len(placed)  # the place of absent players
    return TableStanding(tuple(last if seat in result.absent else place for seat, place in enumerate(placed)), scores)


def _after_bids(result: Result, scores: Sequence[Fraction]) -> tuple[int, ...]:
    """Returns places by score after bids, with forfeited seats behind in their old order."""
    ranks = [
        (1, Fraction(place), 0) if seat in result.forfeited else (0, -score, -tie_break)
        for seat, (place, score, tie_break) in enumerate(zip(result.places, scores, result.tie_break, strict=True))
    ]
    return tuple(1 + sum(other < own for other in ranks) for own in ranks)


def place_points(scheme: Scheme, size: int, place: int, tied: int) -> Fraction:
    """Returns the points of a place at a table of a size when so many share it."""
    worth = scheme.places[size]
    return worth[place - 1] if scheme.tied == "full" else sum(worth[place - 1 : place - 1 + tied], Fraction(0)) / tied


def _at_table(stage: Stage, round_: Round, table: PlayedTable, seeding: Mapping[Player, int]) -> list[Earned]:
    result, standing = table.result, order(stage, table, seeding)
    assert result is not None, "only finished tables bring points"
    staying = (score for seat, score in enumerate(standing.scores) if seat not in result.forfeited)
    best = max(staying, default=Fraction(0))
    found = []
    for seat, place in enumerate(standing.places):
        tied, forfeited = standing.places.count(place), seat in result.forfeited
        share = Fraction(0) if forfeited else _share(standing.scores[seat], best)
        found.append(
            Earned(
                round=round_.number,
                table=table.number,
                points=_points(stage.scheme, table, seat, standing, share),
                share=share,
                score=standing.scores[seat],
                place=place,
                win=Fraction(1, tied) if place == 1 and not forfeited else Fraction(0),
                forfeited=forfeited,
                events=(table.event, result.event),
            )
        )
    return found


def _points(scheme: Scheme, table: PlayedTable, seat: int, standing: TableStanding, share: Fraction) -> Fraction:
    """Returns points by place or share; a forfeited seat has the scheme's points, an absent player none."""
    result, size, place = table.result, len(table.seats), standing.places[seat]
    assert result is not None, "only finished tables bring points"
    if seat in result.absent:
        return Fraction(0)
    if seat in result.forfeited:
        last = Fraction(0) if scheme.share else scheme.places[size][-1]
        return last if scheme.forfeit == "last" else Fraction(0)
    return share if scheme.share else place_points(scheme, size, place, standing.places.count(place))


def _share(own: Fraction, best: Fraction) -> Fraction:
    """In hundredths of the best; of a best that is nothing or less, all or nothing."""
    if best <= 0:
        return WHOLE if own == best else Fraction(0)
    return max(Fraction(0), WHOLE * own / best)


def _for_bye(stage: Stage, round_: Round, bye: Bye, played: Sequence[Earned]) -> Earned:
    rule = stage.scheme.asked if bye.asked else stage.scheme.bye
    if rule == "average":
        own = [earned for earned in played if earned.table is not None]
        number = max(1, len(own))
        points = sum((earned.points for earned in own), Fraction(0)) / number
        share = sum((earned.share for earned in own), Fraction(0)) / number
    else:
        points, share = BYE[rule] * _win(stage), BYE[rule] * WHOLE
    return Earned(round_.number, None, points, share, Fraction(0), 0, Fraction(0), False, (bye.event,))


def _win(stage: Stage) -> Fraction:
    """Returns the points of a win at a table of the preferred size."""
    return WHOLE if stage.scheme.share else stage.scheme.places[stage.sizes.preferred[0]][0]
