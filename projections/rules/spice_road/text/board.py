"""The table as plain text, for terminals and screen readers: one thing to a line, nothing told by colour."""

from collections.abc import Sequence

from projections.rules.spice_road.actions.claim import coin_above
from projections.rules.spice_road.cards import POINT
from projections.rules.spice_road.facts.coins import GoldTaken
from projections.rules.spice_road.scoring import outcome, score
from projections.rules.spice_road.state.position import Position
from projections.rules.spice_road.state.view import hides
from projections.rules.spice_road.text.labels import caravan_in, card_in, cubes_in, words_of
from projections.rules.spice_road.text.labels.words import LanguageTable


def board(position: Position, viewer: int | None, language: str = "en", *, whole: bool = False) -> str:
    """The table as a seat (None: a spectator) sees it, or with nothing hidden."""
    words = words_of(language)
    parts = [[_headline(words, position)], _point_row(words, position), _merchant_row(words, position)]
    hidden = [not whole and hides(position, viewer, seat) for seat in range(position.seats)]
    parts += [_seat(words, position, viewer, seat, hidden[seat]) for seat in range(position.seats)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _headline(words: LanguageTable, position: Position) -> str:
    parts = [words.title.format(round=position.round)]
    if position.over:
        return "; ".join([*parts, words.game_over])
    if position.final_round:
        parts.append(words.final_round)
    state = words.to_drop if position.excess else words.to_act
    return "; ".join([*parts, state.format(seat=position.turn, excess=position.excess)])


def _point_row(words: LanguageTable, position: Position) -> list[str]:
    lines = [words.point_cards.format(threshold=position.threshold, deck=len(position.point_deck))]
    for place, card in enumerate(position.point_row, start=1):
        lines.append(_line(place, *_worth(words, card), _pile(words, position, place)))
    return lines


def _worth(words: LanguageTable, card: str) -> tuple[str, str]:
    return words.points.format(points=POINT[card].points), cubes_in(words, POINT[card].cost)


def _pile(words: LanguageTable, position: Position, place: int) -> str:
    coin = coin_above(position, place)
    if coin is None:
        return ""
    if coin is GoldTaken:
        return words.gold.format(count=position.gold_supply)
    return words.silver.format(count=position.silver_supply)


def _merchant_row(words: LanguageTable, position: Position) -> list[str]:
    lines = [words.merchant_cards.format(deck=len(position.merchant_deck))]
    for place, (card, cubes) in enumerate(position.merchant_row, start=1):
        lying = words.lying.format(cubes=cubes_in(words, cubes)) if any(cubes) else ""
        lines.append(_line(place, card, card_in(words, card), lying))
    return lines


def _line(place: int, *parts: str) -> str:
    return f"  {place}  " + " | ".join(filter(None, parts))


def _seat(words: LanguageTable, position: Position, viewer: int | None, seat: int, hidden: bool) -> list[str]:
    name = words.seat.format(seat=seat) + (f" ({words.you})" if seat == viewer else "")
    result = outcome(position)
    if result is not None:
        name += ", " + words.place.format(place=result.places[seat])
    gold, silver = words.gold.format(count=position.gold[seat]), words.silver.format(count=position.silver[seat])
    rows = [
        (words.caravan, caravan_in(words, "{cubes} ({total}/{limit})", position.caravans[seat])),
        (words.hand, _cards(words, [card_in(words, card) for card in position.hands[seat]], hidden)),
        (words.played, _cards(words, [card_in(words, card) for card in position.played[seat]], hidden=False)),
        (words.claimed, _cards(words, [" - ".join(_worth(words, card)) for card in position.claimed[seat]], hidden)),
        (words.coins, f"{gold}, {silver}"),
    ]
    if not hidden:
        rows.append((words.score, str(score(position, seat).total)))
    return [name, *(f"  {title}: {text}" for title, text in rows)]


def _cards(words: LanguageTable, cards: Sequence[str], hidden: bool) -> str:
    return words.hidden.format(count=len(cards)) if hidden else "; ".join(cards) or words.nothing
