"""Standings computed a second time by other means: flat lists, one sort, nothing of the project but its values."""

import hmac
from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction

from projections.tournaments.values import Entrant, PlayedTable, Player, Round, Stage

Tied = Collection[Player]
FEWEST = ("seeding", "draw")  # the smaller figure ranks first


def finished(rounds: Sequence[Round]) -> list[tuple[int, PlayedTable]]:
    return [(r.number, t) for r in rounds for t in r.tables if t.result is not None and t.void is None]


def scored(table: PlayedTable) -> list[Fraction]:
    """The score of each seat, less the half points paid for it."""
    assert table.result is not None
    paid = table.bids or (0,) * len(table.seats)
    return [Fraction(own) - Fraction(halves, 2) for own, halves in zip(table.result.points, paid, strict=True)]


def points_at(stage: Stage, table: PlayedTable, seat: int) -> Fraction:
    """Returns the place points of a seat; ties share the points of their places."""
    assert table.result is not None
    result, worth = table.result, list(stage.scheme.places.get(len(table.seats), ()))
    if seat in result.forfeited:
        return worth[-1] if worth and stage.scheme.forfeit == "last" else Fraction(0)
    if stage.scheme.share:
        return part_of_best(table, seat)
    shared = [index for index, place in enumerate(sorted(result.places)) if place == result.places[seat]]
    if stage.scheme.tied == "full":
        return worth[shared[0]]
    return sum((worth[index] for index in shared), Fraction(0)) / len(shared)


def part_of_best(table: PlayedTable, seat: int) -> Fraction:
    """Returns the score in hundredths of the best seat that played to the end; 100 or 0 when the best has none."""
    assert table.result is not None
    scores, gone = scored(table), table.result.forfeited
    best = max((own for seat, own in enumerate(scores) if seat not in gone), default=Fraction(0))
    if seat in gone:
        return Fraction(0)
    if best <= 0:
        return Fraction(100 if scores[seat] == best else 0)
    return max(Fraction(0), 100 * scores[seat] / best)


def bye_worth(rule: str, win: Fraction, played: Sequence[Fraction]) -> Fraction:
    """Returns the worth of a bye: a part of a win, or the average of the own games."""
    if rule == "average":
        return sum(played, Fraction(0)) / max(1, len(played))
    return {"win": win, "half": win / 2, "none": Fraction(0)}[rule]


def by_round(
    stage: Stage, rounds: Sequence[Round], player: Player, win: Fraction, worth: Callable[[PlayedTable, int], Fraction]
) -> list[tuple[int, Fraction]]:
    """Returns a player's points of each table and bye, with the round."""
    games = [(n, worth(t, t.seats.index(player))) for n, t in finished(rounds) if player in t.seats]
    played = [own for _, own in games]
    rules = [
        (r.number, stage.scheme.asked if b.asked else stage.scheme.bye)
        for r in rounds
        for b in r.byes
        if b.player == player
    ]
    return games + [(number, bye_worth(rule, win, played)) for number, rule in rules]


def results_of(stage: Stage, rounds: Sequence[Round], player: Player) -> list[tuple[int, Fraction]]:
    """A player's points, one for each table and bye, with the round."""
    win = Fraction(100) if stage.scheme.share else max(stage.scheme.places[stage.sizes.preferred[0]])
    return by_round(stage, rounds, player, win, lambda table, seat: points_at(stage, table, seat))


def score(stage: Stage, rounds: Sequence[Round], player: Player) -> Fraction:
    return best(stage, rounds, player, stage.counting)


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


def share(stage: Stage, rounds: Sequence[Round], player: Player) -> Fraction:
    shares = [own for _, own in by_round(stage, rounds, player, Fraction(100), part_of_best)]
    return sum(shares, Fraction(0)) / len(shares) if shares else Fraction(0)


def last_round(stage: Stage, rounds: Sequence[Round], player: Player) -> Fraction:
    return sum((own for number, own in results_of(stage, rounds, player) if number == len(rounds)), Fraction(0))


def best(stage: Stage, rounds: Sequence[Round], player: Player, number: int | None) -> Fraction:
    return sum(sorted((own for _, own in results_of(stage, rounds, player)), reverse=True)[:number], Fraction(0))


def progress(rounds: Sequence[Round], player: Player) -> Fraction:
    """Returns the rounds of a player, drawn byes too."""
    return Fraction(sum(player in {p for t in r.tables for p in t.seats} | drawn_byes(r) for r in rounds))


def drawn_byes(round_: Round) -> set[Player]:
    return {bye.player for bye in round_.byes if not bye.asked}


def head_to_head(rounds: Sequence[Round], player: Player, tied: Tied) -> Fraction:
    """Returns the beaten players less the better ones, among those still tied."""
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
    """Returns the lot of a player, from 1, drawn from the seed of the first round."""
    seed = rounds[0].seed if rounds else b""
    return Fraction(sum(lot(seed, "standings", e.player) <= lot(seed, "standings", player) for e in entrants))


def measured(
    stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant], criterion: str, p: Player, tied: Tied
) -> Fraction:
    """Returns a player's value of a criterion among those tied so far."""
    name, _, number = criterion.partition(":")
    measures: Mapping[str, Callable[[], Fraction]] = {
        "points": lambda: score(stage, rounds, p),
        "wins": lambda: wins(rounds, p),
        "best": lambda: best(stage, rounds, p, int(number)),
        "opponents": lambda: opponents(stage, rounds, p),
        "opponents_trimmed": lambda: opponents(stage, rounds, p, trimmed=True),
        "share": lambda: share(stage, rounds, p),
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
    """Returns the rank and figures of all players, criterion by criterion."""
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
    """Returns the rank of all players."""
    return {player: rank for player, (rank, _) in figures(stage, rounds, entrants).items()}


def first_of(table: PlayedTable, number: int) -> list[Player]:
    """Returns the best of a table that stayed to its end, as many as advance; none of a void table."""
    if table.result is None or table.void is not None:
        return []
    order = sorted(zip(table.result.places, table.seats, range(len(table.seats)), strict=True))
    return [player for _, player, seat in order if seat not in table.result.forfeited][:number]


def sent_on(stage: Stage, rounds: Sequence[Round], order: Sequence[Player]) -> set[Player]:
    """Returns the entrants who advance from a table or a pod, in order."""
    if not rounds or not stage.advance.per_table:
        return set()
    if stage.format == "knock_out":
        first = [player for table in rounds[-1].tables for player in first_of(table, stage.advance.per_table)]
        return {*order} & ({*first} | drawn_byes(rounds[-1]))
    pods = [[player for player in order if player in table.seats] for table in rounds[0].tables]
    return {player for pod in pods for player in pod[: stage.advance.per_table]}


def going(stage: Stage, rounds: Sequence[Round], entrants: Sequence[Entrant]) -> tuple[list[Player], list[Player]]:
    """Returns the entrants who advance from a stage, and all other present ones, in order."""
    rank, seed = ranks(stage, rounds, entrants), rounds[-1].seed if rounds else b""
    there = [entrant.player for entrant in entrants if entrant.gone is None]
    order = sorted(there, key=lambda player: (rank[player], lot(seed, "advancement", player)))
    sent = sent_on(stage, rounds, order)
    line = [p for p in order if p in sent] + [p for p in order if p not in sent]
    most = max(len(sent), stage.advance.total or 0)
    return line[:most], line[most:]
