"""What the bots know about Century: Spice Road: every action is judged by what it leaves its seat with."""

import random
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from events.json_types import JsonObject
from projections.protocol import Moves
from projections.spice_road.actions.claim import coin_above, payable_with
from projections.spice_road.cards import MERCHANT, POINT
from projections.spice_road.cubes import INDEX, RAISED, Cubes, counted, minus, plus, times
from projections.spice_road.facts import GoldTaken
from projections.spice_road.moves import Buy, Claim, Drop, Move, PlaySpice, PlayTrade, PlayUpgrade, Rest
from projections.spice_road.position import Cards, Position
from projections.spice_road.scoring import score
from workers.bots.expert import Ranked
from workers.bots.spice_road import weights as w
from workers.bots.spice_road.caravan import held, prospects
from workers.bots.spice_road.hand import engine
from workers.bots.spice_road.supposing import suppose


class Belongings(NamedTuple):
    """What a seat has after a move."""

    caravan: Cubes
    hand: Cards
    played: Cards
    points: int = 0  # won with the move
    claimed: int = 0


class Table(NamedTuple):
    """What every seat sees: the claims there are, who else can make them, and how long the game lasts."""

    row: Cards
    coins: tuple[int, ...]
    contested: frozenset[str]
    rounds: float
    late: float


def rounds_left(position: Position) -> float:
    """Rounds until somebody has enough point cards, about."""
    if position.final_round:
        return 0.0
    most = max(map(len, position.claimed))
    by_claims = (position.threshold - most) * w.ROUNDS_FOR_A_CLAIM - 1.5
    return max(1.0, by_claims) if position.round < w.LONG_GAME else 0.0  # who waits for ever is not waited for


def table(position: Position, seat: int) -> Table:
    """The table as a seat sees it."""
    row = position.point_row
    coins = tuple(_coin(position, place) for place in range(1, len(row) + 1))
    others = (caravan for other, caravan in enumerate(position.caravans) if other != seat)
    contested = frozenset(row) & frozenset().union(*map(payable_with, map(held, others)))
    rounds = rounds_left(position)
    return Table(row, coins, contested, rounds, max(0.0, 1.0 - rounds / w.ROUNDS_TO_CHOOSE))


def _coin(position: Position, place: int) -> int:
    """The points of the coin above a place of the point row."""
    coin, fixed = coin_above(position, place), position.rulings.fixed
    if coin is None:
        return 0
    return fixed.points_of_gold if coin is GoldTaken else fixed.points_of_silver


def worth(seen: Table, own: Belongings) -> float:
    """What a seat may expect from what it has, besides the points it won before."""
    ahead = prospects(held(own.caravan), seen.row, seen.coins, seen.contested, seen.late)
    return own.points + ahead + engine(own.hand, own.played, seen.rounds)


class SpiceRoadExpert:
    """Judges moves and positions of Spice Road."""

    beyond = 2
    counted: Sequence[str] = ("hand", "point_cards")

    def suppose(self, view: JsonObject, source: random.Random) -> JsonObject:
        """A document that the view could be of."""
        return suppose(view, source)

    def steers(self, position: Position, seat: int) -> bool:
        """Only a seat's own actions do; others are in the way now and then, and are taken to play as ranked."""
        return position.turn == seat and not position.excess

    def answers(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Move]:
        """The moves that rank first."""
        return [one.move for one in self.rank(position, legal, source)[: w.ANSWERS]]

    def standing(self, worth: Sequence[float], seat: int) -> float:
        """What a seat has, less a part of what the best of the others has."""
        return worth[seat] - w.ENVY * max(points for other, points in enumerate(worth) if other != seat)

    def worth(self, position: Position) -> list[float]:
        """By seat, the points each may expect at the end."""
        seats = range(position.seats)
        if position.over:
            return [float(score(position, seat).total) for seat in seats]
        return [_won(position, seat) + worth(table(position, seat), belongings(position, seat)) for seat in seats]

    def rank(self, position: Position, legal: Moves[Move], source: random.Random) -> list[Ranked]:
        """Moves worth a thought, the best first."""
        del source
        seat = position.turn
        seen, own = table(position, seat), belongings(position, seat)
        moves = legal if position.excess else legal.suggested()
        ranked = [Ranked(_worth_of(position, seen, own, move), move) for move in moves]
        return sorted(ranked, key=lambda one: -one.worth)


def _won(position: Position, seat: int) -> int:
    won = score(position, seat)
    return won.total - won.cubes


def belongings(position: Position, seat: int) -> Belongings:
    """What a seat has now."""
    return Belongings(position.caravans[seat], position.hands[seat], position.played[seat])


def _worth_of(position: Position, seen: Table, own: Belongings, move: Move) -> float:
    if isinstance(move, Claim):
        at = move.position - 1
        won = POINT[seen.row[at]].points + (seen.coins[at] if move.coin else 0)
        seen = seen._replace(row=_without(seen.row, at), coins=_without(seen.coins, at))
        own = own._replace(caravan=minus(own.caravan, POINT[position.point_row[at]].cost), points=won)
    elif isinstance(move, Buy):
        own = _bought(position, own, move)
    elif isinstance(move, Rest):
        own = own._replace(hand=own.hand + own.played, played=())
    elif isinstance(move, Drop):
        own = own._replace(caravan=minus(own.caravan, move.cubes))
    else:
        own = _played(own, move)
    return worth(seen, own)


def _without(row: tuple[Any, ...], at: int) -> tuple[Any, ...]:
    return row[:at] + row[at + 1 :]


def _bought(position: Position, own: Belongings, move: Buy) -> Belongings:
    card, cubes = position.merchant_row[move.position - 1]
    caravan = plus(minus(own.caravan, counted(move.cubes)), cubes)
    return own._replace(caravan=caravan, hand=(*own.hand, card))


def _played(own: Belongings, move: PlaySpice | PlayUpgrade | PlayTrade) -> Belongings:
    card, caravan = MERCHANT[move.card], own.caravan
    if isinstance(move, PlaySpice):
        caravan = plus(caravan, card.receive)
    elif isinstance(move, PlayTrade):
        caravan = plus(minus(caravan, times(card.give, move.times)), times(card.receive, move.times))
    else:
        caravan = _raised(caravan, move.steps)
    hand = list(own.hand)
    hand.remove(move.card)
    return own._replace(caravan=caravan, hand=tuple(hand), played=(*own.played, move.card))


def _raised(caravan: Cubes, raised: Iterable[str]) -> Cubes:
    cubes = list(caravan)
    for letter in raised:
        cubes[INDEX[letter]] -= 1
        cubes[INDEX[RAISED[letter]]] += 1
    return cubes[0], cubes[1], cubes[2], cubes[3]
