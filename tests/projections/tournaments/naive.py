"""Standings computed a second time by other means: flat lists, one sort, nothing of the project but its values."""

import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from projections.tournaments.values import Entrant, Player, Round, Stage, Table

Tied = Collection[Player]
FEWEST = ("seeding", "draw")  # the smaller figure ranks first


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


def best(stage: Stage, rounds: Sequence[Round], player: Player, number: int) -> Fraction:
    return sum(sorted(results_of(stage, rounds, player), reverse=True)[:number], Fraction(0))


def progress(rounds: Sequence[Round], player: Player) -> Fraction:
    """The rounds somebody was in, drawn byes too."""
    return Fraction(sum(player in {p for t in r.tables for p in t.seats} | drawn_byes(r) for r in rounds))


def drawn_byes(round_: Round) -> set[Player]:
    return {bye.player for bye in round_.byes if not bye.asked}


def head_to_head(rounds: Sequence[Round], player: Player, tied: Tied) -> Fraction:
    """Players beaten less players who were better, among those still tied."""
    total = 0
    for _, table in finished(rounds):
        if player in table.seats and table.result is not None:
            place = dict(zip(table.seats, table.result.places, strict=True))
            met = [place[other] for other in table.seats if other in tied and other != player]
            total += sum(place[player] < other for other in met) - sum(place[player] > other for other in met)
    return Fraction(total)


def lot(seed: bytes, purpose: str, player: Player) -> bytes:
    key = hmac.digest(seed, b"cabildo/lots/v1" + purpose.encode(), "sha256")
    return hmac.digest(key, b"player" + player.encode(), "sha256")


def draw(rounds: Sequence[Round], player: Player, entrants: Sequence[Entrant]) -> Fraction:
    """The number of somebody's lot, from 1, drawn from the seed of the first round."""
    seed = rounds[0].seed
    return Fraction(sum(lot(seed, "standings", e.player) <= lot(seed, "standings", player) for e in entrants))


def measured(
    stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant], criterion: str, p: Player, tied: Tied
) -> Fraction:
    """What a player has by a criterion among those who are tied so far."""
    name, _, number = criterion.partition(":")
    measures: Mapping[str, Callable[[], Fraction]] = {
        "points": lambda: score(stage, rounds, p),
        "wins": lambda: wins(rounds, p),
        "best": lambda: best(stage, rounds, p, int(number)),
        "opponents": lambda: opponents(stage, rounds, p),
        "opponents_trimmed": lambda: opponents(stage, rounds, p, trimmed=True),
        "share": lambda: share(rounds, p),
        "last_round": lambda: last_round(stage, rounds, p),
        "progress": lambda: progress(rounds, p),
        "head_to_head": lambda: head_to_head(rounds, p, tied),
        "seeding": lambda: next(Fraction(e.seeding) for e in entrants if e.player == p),
        "draw": lambda: draw(rounds, p, entrants),
    }
    return measures[name]()


def figures(
    stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]
) -> dict[Player, tuple[int, list[Fraction]]]:
    """Everybody's rank and figures, criterion by criterion."""
    keys = {e.player: [Fraction(not e.disqualified)] for e in entrants}
    found: dict[Player, list[Fraction]] = {player: [] for player in keys}
    for criterion in stage.criteria:
        for player, key in keys.items():
            tied = [other for other, its in keys.items() if its == key]
            found[player].append(measured(stage, rounds, entrants, criterion, player, tied))
        sign = -1 if criterion in FEWEST else 1
        keys = {player: [*key, sign * found[player][-1]] for player, key in keys.items()}
    return {p: (1 + sum(other > key for other in keys.values()), found[p]) for p, key in keys.items()}


def ranks(stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> dict[Player, int]:
    """Everybody's rank."""
    return {player: rank for player, (rank, _) in figures(stage, rounds, entrants).items()}


def first_of(table: Table, number: int) -> list[Player]:
    """The first of a table, as many as go on."""
    assert table.result is not None
    order = sorted(zip(table.result.places, table.seats, strict=True))
    return [player for _, player in order[:number]]


def going(stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> tuple[list[Player], list[Player]]:
    """Who goes on from a stage that everybody stayed in to the end, and all others, in order."""
    rank, seed = ranks(stage, rounds, entrants), rounds[-1].seed
    order = sorted(rank, key=lambda player: (rank[player], lot(seed, "advancement", player)))
    groups = [sorted(table.seats, key=order.index) for table in rounds[0].tables]
    if stage.format == "knock_out":
        groups = [first_of(table, 9) for table in rounds[-1].tables]
    sent = {player for group in groups for player in group[: stage.advance.per_table]}
    if stage.format == "knock_out":
        sent |= drawn_byes(rounds[-1])
    line = [p for p in order if p in sent] + [p for p in order if p not in sent]
    most = max(len(sent), stage.advance.total or 0)
    return line[:most], line[most:]
