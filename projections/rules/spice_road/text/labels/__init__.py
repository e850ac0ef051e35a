"""Moves in words: labels and effects; languages without a table of words get English."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from projections.rules.fact_recorder import FactRecorder
from projections.rules.spice_road.actions import DEEDS, claim
from projections.rules.spice_road.apply import apply
from projections.rules.spice_road.cards import CREATE, MERCHANT, POINT
from projections.rules.spice_road.cubes import INDEX, RAISED, Cubes, times
from projections.rules.spice_road.facts.coins import GoldTaken
from projections.rules.spice_road.moves import Buy, Claim, Drop, Move, PlaySpice, PlayTrade, PlayUpgrade, Rest
from projections.rules.spice_road.scoring import score
from projections.rules.spice_road.state.position import CARAVAN_LIMIT, Position
from projections.rules.spice_road.text.labels.czech import CZECH
from projections.rules.spice_road.text.labels.english import ENGLISH
from projections.rules.spice_road.text.labels.hungarian import HUNGARIAN
from projections.rules.spice_road.text.labels.icelandic import ICELANDIC
from projections.rules.spice_road.text.labels.swedish import SWEDISH
from projections.rules.spice_road.text.labels.words import LanguageTable

LANGUAGES: Final = {"en": ENGLISH, "is": ICELANDIC, "sv": SWEDISH, "cs": CZECH, "hu": HUNGARIAN}


def words_of(language: str) -> LanguageTable:
    """The words of a language, else the English ones."""
    return LANGUAGES.get(language, ENGLISH)


def label(position: Position, move: Move, language: str = "en") -> str:
    """The move in words."""
    return _LABELS[type(move)](words_of(language), position, move)


def effect(position: Position, move: Move, language: str = "en") -> str:
    """Returns the gains and costs of the move: points, cubes found, the caravan or the hand that follows."""
    words, seat = words_of(language), position.turn
    after = position.copy()
    DEEDS[type(move)](after, move, _FirstCard(), FactRecorder(apply))
    if isinstance(move, Rest):
        return words.hand_then.format(cards=len(after.hands[seat]))
    gained = _points_of(after, seat) - _points_of(position, seat)
    lying = position.merchant_row[move.position - 1].cubes if isinstance(move, Buy) else (0, 0, 0, 0)
    parts = (
        words.points_gained.format(points=gained) if gained else "",
        words.found.format(cubes=cubes_in(words, lying)) if any(lying) else "",
        caravan_in(words, words.caravan_then, after.caravans[seat]),
        words.to_return.format(excess=after.excess) if after.excess else "",
    )
    return "; ".join(filter(None, parts))


def cubes_in(words: LanguageTable, cubes: Cubes) -> str:
    """Cubes that lie somewhere, such as `2 turmeric and 1 saffron`."""
    return _amount(words, cubes, words.spices)


def cubes_given(words: LanguageTable, cubes: Cubes) -> str:
    """Cubes that are given, taken or paid."""
    return _amount(words, cubes, words.spices_given)


def _amount(words: LanguageTable, cubes: Cubes, names: tuple[tuple[str, str], ...]) -> str:
    kinds = [
        words.amount.format(count=count, spice=several if count > 1 else one)
        for count, (one, several) in zip(cubes, names, strict=True)
        if count
    ]
    if len(kinds) < 2:
        return "".join(kinds) or words.nothing
    return f"{', '.join(kinds[:-1])} {words.conjunction} {kinds[-1]}"


def caravan_in(words: LanguageTable, form: str, caravan: Cubes) -> str:
    """A caravan with its total."""
    return form.format(cubes=cubes_in(words, caravan), total=sum(caravan), limit=CARAVAN_LIMIT)


def card_in(words: LanguageTable, card: str) -> str:
    """Returns a merchant card with its effect."""
    merchant = MERCHANT[card]
    if card == CREATE:
        return words.create_card
    if merchant.kind == "upgrade":
        return words.upgrade_card.format(steps=merchant.steps)
    form = words.trade_card if merchant.kind == "trade" else words.spice_card
    return form.format(give=cubes_given(words, merchant.give), receive=cubes_given(words, merchant.receive))


def _play_spice(words: LanguageTable, _: Position, move: PlaySpice) -> str:
    form = words.play_create if move.card == CREATE else words.play_spice
    return form.format(card=card_in(words, move.card), receive=cubes_given(words, MERCHANT[move.card].receive))


def _play_upgrade(words: LanguageTable, _: Position, move: PlayUpgrade) -> str:
    card = card_in(words, move.card)
    if not move.steps:
        return words.play_without_upgrade.format(card=card)
    one = [name for name, _ in words.spices_given]
    steps = (
        words.step.format(lower=one[INDEX[spice]], higher=words.raised[INDEX[RAISED[spice]]]) for spice in move.steps
    )
    return words.play_upgrade.format(card=card, steps=", ".join(steps))


def _play_trade(words: LanguageTable, _: Position, move: PlayTrade) -> str:
    card, number = MERCHANT[move.card], move.times
    return (words.play_trade_once if number == 1 else words.play_trade).format(
        card=card_in(words, move.card),
        times=number,
        give=cubes_given(words, times(card.give, number)),
        receive=cubes_given(words, times(card.receive, number)),
    )


def _buy(words: LanguageTable, position: Position, move: Buy) -> str:
    card = card_in(words, position.merchant_row[move.position - 1].card)
    cubes = ", ".join(words.spices_given[INDEX[cube]][0] for cube in move.cubes)
    return (words.buy if cubes else words.buy_free).format(card=card, position=move.position, cubes=cubes)


def _rest(words: LanguageTable, position: Position, _: Rest) -> str:
    return words.rest.format(cards=len(position.played[position.turn]))


def _claim(words: LanguageTable, position: Position, move: Claim) -> str:
    card = POINT[position.point_row[move.position - 1]]
    text = words.claim.format(points=card.points, position=move.position, cost=cubes_given(words, card.cost))
    coin = claim.coin_above(position, move.position)
    if coin is None:
        return text
    if not move.coin:
        return words.claim_without_coin.format(claim=text)
    return (words.claim_gold if coin is GoldTaken else words.claim_silver).format(claim=text)


def _drop(words: LanguageTable, _: Position, move: Drop) -> str:
    return words.drop.format(cubes=cubes_given(words, move.cubes))


_LABELS: Final[Mapping[type, Callable[[LanguageTable, Position, Any], str]]] = {
    PlaySpice: _play_spice,
    PlayUpgrade: _play_upgrade,
    PlayTrade: _play_trade,
    Buy: _buy,
    Rest: _rest,
    Claim: _claim,
    Drop: _drop,
}


class _FirstCard:
    """Deals any card: the effect of a move does not depend on it."""

    def draw(self, counts: Mapping[str, int]) -> str:
        return next(iter(counts))


def _points_of(position: Position, seat: int) -> int:
    now = score(position, seat)
    return now.point_cards + now.gold + now.silver
