"""Moves in words: orders, reports and effects."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from projections.rules.catalogue import ORDERS, REPORTS, MoveSentences
from projections.rules.fact_recorder import FactRecorder
from projections.rules.spice_road.actions import claim
from projections.rules.spice_road.apply import apply
from projections.rules.spice_road.cards import CREATE, MERCHANT, POINT
from projections.rules.spice_road.cubes import INDEX, RAISED, SPICES, Cubes, times
from projections.rules.spice_road.deeds import DEEDS
from projections.rules.spice_road.facts.coins import GoldTaken
from projections.rules.spice_road.moves import Buy, Claim, Drop, Move, PlaySpice, PlayTrade, PlayUpgrade, Rest
from projections.rules.spice_road.scoring import score
from projections.rules.spice_road.state.position import CARAVAN_LIMIT, Position
from projections.rules.spice_road.text.labels import card_in, cubes_in, labels


def order(position: Position, move: Move, language: str = "en") -> str:
    """Returns a move as an order: `Rest: take all played cards (3) back into the hand`."""
    return _SENTENCES[type(move)](MoveSentences(labels(language), ORDERS), position, move)


def report(position: Position, move: Move, language: str = "en") -> str:
    """Returns a move played from a position in the past tense, without its player."""
    return _SENTENCES[type(move)](MoveSentences(labels(language), REPORTS), position, move)


def effect(position: Position, move: Move, language: str = "en") -> str:
    """Returns the gains and costs of the move: points, cubes found, the caravan or the hand that follows."""
    words, seat = labels(language), position.turn
    after = position.copy()
    DEEDS[type(move)](after, move, _FirstCard(), FactRecorder(apply))
    if isinstance(move, Rest):
        return words.say("effects", "hand_then", cards=len(after.held[seat]))
    gained = _points_of(after, seat) - _points_of(position, seat)
    lying = position.merchant_row[move.position - 1].cubes if isinstance(move, Buy) else (0, 0, 0, 0)
    caravan = after.caravans[seat]
    parts = (
        words.say("effects", "points_gained", points=gained) if gained else "",
        words.say("effects", "found", cubes=cubes_in(words, lying)) if any(lying) else "",
        words.say("effects", "caravan_then", cubes=cubes_in(words, caravan), total=sum(caravan), limit=CARAVAN_LIMIT),
        words.say("effects", "to_return", excess=after.excess) if after.excess else "",
    )
    return "; ".join(filter(None, parts))


class _FirstCard:
    """Deals any card: the effect of a move does not depend on it."""

    def draw(self, counts: Mapping[str, int]) -> str:
        return next(iter(counts))


def _points_of(position: Position, seat: int) -> int:
    now = score(position, seat)
    return now.point_cards + now.gold + now.silver


# --- one sentence for each kind of move ------------------------------------------------------------------------------


def _spices(form: MoveSentences) -> str:
    """Returns the section with the names of cubes in the case that the sentences take."""
    return f"spices_in_{form.section}"


def _cubes(form: MoveSentences, cubes: Cubes) -> str:
    return cubes_in(form.labels, cubes, _spices(form))


def _one(form: MoveSentences, letter: str) -> str:
    return form.labels.say(_spices(form), SPICES[INDEX[letter]], n=1)


def _step(form: MoveSentences, letter: str) -> str:
    higher = form.labels.say("raised", SPICES[INDEX[RAISED[letter]]])
    return form.labels.say("parts", "step", lower=_one(form, letter), higher=higher)


def _play_spice(form: MoveSentences, _: Position, move: PlaySpice) -> str:
    name = "play_create" if move.card == CREATE else "play_spice"
    return form.say(name, card=card_in(form.labels, move.card), receive=_cubes(form, MERCHANT[move.card].receive))


def _play_upgrade(form: MoveSentences, _: Position, move: PlayUpgrade) -> str:
    card = card_in(form.labels, move.card)
    if not move.steps:
        return form.say("play_without_upgrade", card=card)
    return form.say("play_upgrade", card=card, steps=", ".join(_step(form, letter) for letter in move.steps))


def _play_trade(form: MoveSentences, _: Position, move: PlayTrade) -> str:
    card, number = MERCHANT[move.card], move.times
    return form.say(
        "play_trade_once" if number == 1 else "play_trade",
        card=card_in(form.labels, move.card),
        times=number,
        give=_cubes(form, times(card.give, number)),
        receive=_cubes(form, times(card.receive, number)),
    )


def _buy(form: MoveSentences, position: Position, move: Buy) -> str:
    card = card_in(form.labels, position.merchant_row[move.position - 1].card)
    cubes = ", ".join(_one(form, cube) for cube in move.cubes)
    return form.say("buy" if cubes else "buy_free", card=card, position=move.position, cubes=cubes)


def _rest(form: MoveSentences, position: Position, _: Rest) -> str:
    return form.say("rest", cards=len(position.spent[position.turn]))


def _claim(form: MoveSentences, position: Position, move: Claim) -> str:
    card = POINT[position.point_row[move.position - 1]]
    text = form.say("claim", points=card.points, position=move.position, cost=_cubes(form, card.cost))
    coin = claim.coin_above(position, move.position)
    if coin is None:
        return text
    if not move.coin:
        return form.say("claim_without_coin", claim=text)
    return form.say("claim_gold" if coin is GoldTaken else "claim_silver", claim=text)


def _drop(form: MoveSentences, _: Position, move: Drop) -> str:
    return form.say("drop", cubes=_cubes(form, move.cubes))


_SENTENCES: Final[Mapping[type, Callable[[MoveSentences, Position, Any], str]]] = {
    PlaySpice: _play_spice,
    PlayUpgrade: _play_upgrade,
    PlayTrade: _play_trade,
    Buy: _buy,
    Rest: _rest,
    Claim: _claim,
    Drop: _drop,
}
