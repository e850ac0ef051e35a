"""Standings computed a second time by other means: flat lists, one sort, nothing of the project but its values."""

from collections.abc import Sequence
from fractions import Fraction

from projections.tournaments.values import Entrant, Player, Round, Stage, Table

Row = tuple[int, str, int, list[Fraction], Fraction, Fraction]


def finished(rounds: Sequence[Round]) -> list[tuple[int, Table]]:
    return [(r.number, t) for r in rounds for t in r.tables if t.result is not None and t.void is None]


def points_at(stage: Stage, table: Table, seat: int) -> Fraction:
    """What a seat's place is worth, by spreading the sorted table over the worth of its places."""
    assert table.result is not None
    result, worth = table.result, list(stage.scheme.places.get(len(table.seats), ()))
    if seat in result.forfeited:
        return Fraction(0)
    if stage.scheme.share:
        return Fraction(100 * result.points[seat], winning(table))
    shared = [index for index, place in enumerate(sorted(result.places)) if place == result.places[seat]]
    return sum((worth[index] for index in shared), Fraction(0)) / len(shared)


def winning(table: Table) -> int:
    """The best score of those who played to the end."""
    assert table.result is not None
    return max(own for seat, own in enumerate(table.result.points) if seat not in table.result.forfeited)


def bye_worth(stage: Stage, asked: bool) -> Fraction:
    win = Fraction(100) if stage.scheme.share else max(stage.scheme.places[stage.sizes.preferred[0]])
    return win / 2 if asked else win


def results_of(stage: Stage, rounds: Sequence[Round], player: Player) -> list[Fraction]:
    """A player's points, one for each table and bye."""
    found = [points_at(stage, t, t.seats.index(player)) for _, t in finished(rounds) if player in t.seats]
    return found + [bye_worth(stage, bye.asked) for r in rounds for bye in r.byes if bye.player == player]


def score(stage: Stage, rounds: Sequence[Round], player: Player) -> Fraction:
    results = sorted(results_of(stage, rounds, player), reverse=True)
    return sum(results if stage.counting is None else results[: stage.counting], Fraction(0))


def wins(rounds: Sequence[Round], player: Player) -> Fraction:
    total = Fraction(0)
    for _, table in finished(rounds):
        assert table.result is not None
        winners = [p for p, place in zip(table.seats, table.result.places, strict=True) if place == 1]
        if player in winners and table.seats.index(player) not in table.result.forfeited:
            total += Fraction(1) / len(winners)
    return total


def opponents(stage: Stage, rounds: Sequence[Round], player: Player, trimmed: bool = False) -> Fraction:
    met = [other for _, t in finished(rounds) if player in t.seats for other in t.seats if other != player]
    scores = sorted(score(stage, rounds, other) for other in met)
    if trimmed and len(scores) > 2:
        scores = scores[1:-1]
    return sum(scores, Fraction(0)) / len(scores) if scores else Fraction(0)


def share(rounds: Sequence[Round], player: Player) -> Fraction:
    shares = []
    for _, table in finished(rounds):
        assert table.result is not None
        if player in table.seats:
            seat = table.seats.index(player)
            own = 0 if seat in table.result.forfeited else table.result.points[seat]
            shares.append(Fraction(100 * own, winning(table)))
    shares += [Fraction(50 if bye.asked else 100) for r in rounds for bye in r.byes if bye.player == player]
    return sum(shares, Fraction(0)) / len(shares) if shares else Fraction(0)


def last_round(stage: Stage, rounds: Sequence[Round], player: Player) -> Fraction:
    return sum(results_of(stage, rounds[-1:], player), Fraction(0))


def ranks(stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> dict[Player, int]:
    """Everybody's rank by the criteria that need no company: those of `CHECKED`."""
    measures = {
        "points": lambda p: score(stage, rounds, p),
        "wins": lambda p: wins(rounds, p),
        "opponents": lambda p: opponents(stage, rounds, p),
        "opponents_trimmed": lambda p: opponents(stage, rounds, p, trimmed=True),
        "share": lambda p: share(rounds, p),
        "last_round": lambda p: last_round(stage, rounds, p),
        "seeding": lambda p: -next(Fraction(e.seeding) for e in entrants if e.player == p),
    }
    keys = {e.player: [Fraction(not e.disqualified)] for e in entrants}
    for criterion in stage.criteria:
        for entrant in entrants:
            keys[entrant.player].append(measures[criterion](entrant.player))
    return {player: 1 + sum(other > key for other in keys.values()) for player, key in keys.items()}
