"""Why a move is refused, in sentences a player understands; other languages get the English ones."""

from collections.abc import Mapping
from typing import Final

SENTENCES: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "merchant_row_ends": "The merchant row has {row} cards.",
        "wrong_payment": "One cube lies on each card to the left: {cubes} in all.",
        "cubes_missing": "The caravan does not hold these cubes.",
        "point_row_ends": "The point row has {row} cards.",
        "cost_not_met": "The caravan does not hold the cost of this card.",
        "coin_is_automatic": "A coin above a claimed card is always taken.",
        "wrong_number_returned": "Exactly {excess} cubes have to be returned.",
        "no_played_cards": "There are no played cards to take back.",
        "too_many_steps": "This card raises at most {steps} times.",
        "too_few_steps": "At least one cube has to be raised.",
        "cannot_raise": "Cinnamon is the top of the track and cannot be raised.",
        "cube_missing": "There is no {spice} in the caravan at that step.",
        "no_trade": "A trade card is played by trading at least once.",
        "trades_missing": "The caravan can pay for this trade {most} times only.",
        "other_kind_of_card": "This is a {card} card, not a {kind} card.",
        "card_already_played": "This card lies played; it comes back with a rest.",
        "card_not_in_hand": "This card is not in the hand.",
        "not_as_listed": "The same move is listed in another form.",
        "caravan_too_full": "First {excess} cubes have to be returned from the caravan.",
        "caravan_not_full": "The caravan holds no more than ten cubes; none are returned.",
        "unknown_move": "There is no such move in this game.",
        "game_over": "The game is over.",
    },
    "is": {
        "merchant_row_ends": "Kaupmannsröðin hefur {row} spil.",
        "wrong_payment": "Einn kubbur fer á hvert spil til vinstri: {cubes} alls.",
        "cubes_missing": "Þessir kubbar eru ekki í vagnlestinni.",
        "point_row_ends": "Stigaröðin hefur {row} spil.",
        "cost_not_met": "Vagnlestin á ekki fyrir þessu spili.",
        "coin_is_automatic": "Peningur fyrir ofan spilið er alltaf tekinn.",
        "wrong_number_returned": "Skila þarf nákvæmlega þessum fjölda kubba: {excess}.",
        "no_played_cards": "Engin útlögð spil eru til að taka aftur upp.",
        "too_many_steps": "Þetta spil uppfærir mest svo oft: {steps}.",
        "too_few_steps": "Uppfæra þarf að minnsta kosti einn kubb.",
        "cannot_raise": "Kanill er efstur og verður ekki uppfærður.",
        "cube_missing": "Í vagnlestinni vantar á því þrepi: {spice}.",
        "no_trade": "Versla þarf að minnsta kosti einu sinni þegar verslunarspil er sett út.",
        "trades_missing": "Vagnlestin á aðeins fyrir svo mörgum viðskiptum: {most}.",
        "other_kind_of_card": "Spilið er af annarri tegund ({card}, ekki {kind}).",
        "card_already_played": "Spilið liggur úti; það kemur aftur á hönd við hvíld.",
        "card_not_in_hand": "Spilið er ekki á hendi.",
        "not_as_listed": "Sami leikur er skráður á öðru formi.",
        "caravan_too_full": "Fyrst þarf að skila kubbum úr vagnlestinni: {excess}.",
        "caravan_not_full": "Í vagnlestinni eru ekki fleiri en tíu kubbar; engum er skilað.",
        "unknown_move": "Slíkur leikur er ekki til í þessu spili.",
        "game_over": "Spilinu er lokið.",
    },
}


def sentences(key: str, **values: object) -> dict[str, str]:
    """A sentence in every language there are words in."""
    return {language: words[key].format(**values) for language, words in SENTENCES.items()}
