"""Plays rounds of made-up tournaments: pairs them, invents results, numbers the events."""

import hashlib
import random
from collections.abc import Mapping, Sequence

from events.json_types import Json
from projections.tournaments.advancement import is_over
from projections.tournaments.pairing.pair_round import pair
from projections.tournaments.regulations import read_stage
from projections.tournaments.values import (
    Bye,
    Entrant,
    Pairing,
    PairingInput,
    PlayedTable,
    Player,
    Result,
    Round,
    Stage,
)


def a_stage(**fields: Json) -> Stage:
    return read_stage({"format": "swiss", "rounds": 5, **fields})


def field(players: int) -> tuple[Entrant, ...]:
    """Entrants a000, a001 ... seeded in this order, let in by events 1, 2 ..."""
    return tuple(Entrant(f"a{number:03}", number + 1, number + 1, rating=2000 - number) for number in range(players))


def names(entrants: Sequence[Entrant]) -> frozenset[Player]:
    return frozenset(entrant.player for entrant in entrants)


def a_seed(number: int) -> bytes:
    return hashlib.sha256(f"seed {number}".encode()).digest()


def a_result(points: Sequence[int], event: int, ties: Sequence[int] = (), forfeited: Sequence[int] = ()) -> Result:
    """Returns the result of points by the rules: forfeited seats come last."""
    breakers = tuple(ties) or (0,) * len(points)
    ranks = [(seat in forfeited, -own, -breakers[seat]) for seat, own in enumerate(points)]
    places = tuple(1 + sum(other < rank for other in ranks) for rank in ranks)
    return Result(tuple(points), breakers, places, event, forfeited=frozenset(forfeited))


class Play:
    """A stage played round by round with results from a plain random source."""

    def __init__(self, stage: Stage, entrants: Sequence[Entrant], source: int = 0) -> None:
        self.stage, self.entrants = stage, tuple(entrants)
        self.rounds: tuple[Round, ...] = ()
        self.pairings: list[Pairing] = []
        self.settings: list[PairingInput] = []
        self._event = max(entrant.event for entrant in entrants)
        self._source = random.Random(source)

    def round(
        self, present: frozenset[Player] | None = None, forbidden: frozenset[frozenset[Player]] = frozenset()
    ) -> Pairing:
        """Pair a round and play it."""
        here = names(self.entrants) if present is None else present
        setting = PairingInput(self.stage, self.rounds, self.entrants, here, forbidden)
        seed = a_seed(len(self.rounds))
        pairing = pair(setting, seed)
        self.settings.append(setting)
        self.pairings.append(pairing)
        event = self._next()
        tables = tuple(
            PlayedTable(t.number, t.seats, event, "game", self._result(len(t.seats))) for t in pairing.tables
        )
        byes = tuple(Bye(player, event) for player in pairing.byes)
        self.rounds += (Round(pairing.round, tables, event, seed, byes),)
        return pairing

    def all_rounds(self, most: int = 99) -> "Play":
        while not is_over(self.stage, self.rounds) and len(self.rounds) < most:
            self.round()
        return self

    def _next(self) -> int:
        self._event += 1
        return self._event

    def _result(self, size: int) -> Result:
        points = [self._source.randint(30, 45) for _ in range(size)]
        ties = [self._source.randint(0, 3) for _ in range(size)]
        forfeited = [seat for seat in range(size) if self._source.random() < 0.02]
        return a_result(points, self._next(), ties, forfeited if len(forfeited) < size else ())


def meetings(rounds: Sequence[Round] | Sequence[Pairing]) -> Mapping[frozenset[Player], int]:
    """How often each pair sat together."""
    counts: dict[frozenset[Player], int] = {}
    for round_ in rounds:
        for table in round_.tables:
            for one in table.seats:
                for other in table.seats:
                    if one < other:
                        counts[frozenset((one, other))] = counts.get(frozenset((one, other)), 0) + 1
    return counts
