"""The table as plain text, for terminals and screen readers: one thing to a line, nothing told by colour."""

from collections.abc import Sequence

from projections.rules.catalogue import Labels
from projections.rules.spice_road.actions.claim import coin_above
from projections.rules.spice_road.cards import POINT
from projections.rules.spice_road.facts.coins import GoldTaken
from projections.rules.spice_road.scoring import outcome, score
from projections.rules.spice_road.state.position import Position
from projections.rules.spice_road.state.view import hides
from projections.rules.spice_road.text.labels import caravan_in, card_in, cubes_in, labels


def board(position: Position, viewer: int | None, language: str = "en", *, whole: bool = False) -> str:
    """The table as a seat (None: a spectator) sees it, or with nothing hidden."""
    words = labels(language)
    parts = [[_headline(words, position)], _point_row(words, position), _merchant_row(words, position)]
    hidden = [not whole and hides(position, viewer, seat) for seat in range(position.seats)]
    parts += [_seat(words, position, viewer, seat, hidden[seat]) for seat in range(position.seats)]
    return "\n\n".join("\n".join(part) for part in parts) + "\n"


def _headline(words: Labels, position: Position) -> str:
    parts = [words.say("board", "title", round=position.round)]
    if position.over:
        return "; ".join([*parts, words.say("board", "game_over")])
    if position.final_round:
        parts.append(words.say("board", "final_round"))
    state = "to_drop" if position.excess else "to_act"
    return "; ".join([*parts, words.say("board", state, seat=position.turn + 1, excess=position.excess)])


def _point_row(words: Labels, position: Position) -> list[str]:
    lines = [words.say("board", "point_cards", threshold=position.threshold, deck=len(position.point_deck))]
    for place, card in enumerate(position.point_row, start=1):
        lines.append(_line(place, *_worth(words, card), _pile(words, position, place)))
    return lines


def _worth(words: Labels, card: str) -> tuple[str, str]:
    return words.say("board", "points", points=POINT[card].points), cubes_in(words, POINT[card].cost)


def _pile(words: Labels, position: Position, place: int) -> str:
    coin = coin_above(position, place)
    if coin is None:
        return ""
    if coin is GoldTaken:
        return words.say("board", "gold", count=position.gold_supply)
    return words.say("board", "silver", count=position.silver_supply)


def _merchant_row(words: Labels, position: Position) -> list[str]:
    lines = [words.say("board", "merchant_cards", deck=len(position.merchant_deck))]
    for place, (card, cubes) in enumerate(position.merchant_row, start=1):
        lying = words.say("board", "lying", cubes=cubes_in(words, cubes)) if any(cubes) else ""
        lines.append(_line(place, card, card_in(words, card), lying))
    return lines


def _line(place: int, *parts: str) -> str:
    return f"  {place}  " + " | ".join(filter(None, parts))


def _seat(words: Labels, position: Position, viewer: int | None, seat: int, hidden: bool) -> list[str]:
    you = f" ({words.say('board', 'you')})" if seat == viewer else ""
    name = words.say("board", "seat", seat=seat + 1) + you
    result = outcome(position)
    if result is not None:
        name += ", " + words.say("board", "place", place=result.places[seat])
    coins = {"gold": position.gold[seat], "silver": position.silver[seat]}
    hand, played = ([card_in(words, card) for card in cards] for cards in (position.hands[seat], position.played[seat]))
    claimed = [" - ".join(_worth(words, card)) for card in position.claimed[seat]]
    rows = [
        (words.say("board", "caravan"), caravan_in(words, position.caravans[seat])),
        (words.say("board", "hand"), _cards(words, hand, hidden)),
        (words.say("board", "played"), _cards(words, played, hidden=False)),
        (words.say("board", "claimed"), _cards(words, claimed, hidden)),
        (
            words.say("board", "coins"),
            ", ".join(words.say("board", coin, count=count) for coin, count in coins.items()),
        ),
    ]
    if not hidden:
        rows.append((words.say("board", "score"), str(score(position, seat).total)))
    return [name, *(f"  {title}: {text}" for title, text in rows)]


def _cards(words: Labels, cards: Sequence[str], hidden: bool) -> str:
    return (
        words.say("board", "hidden", count=len(cards)) if hidden else "; ".join(cards) or words.say("parts", "nothing")
    )
