"""The refusal of a move: its reason, the number of the rule, and a sentence for the player in every language."""

from typing import Any, Final

from projections.rules.catalogue import LANGUAGES, Labels
from projections.rules.errors import GameIsOver, IllegalMove
from projections.rules.puerto_rico import moves as m
from projections.rules.puerto_rico.kinds import OVER
from projections.rules.puerto_rico.plan import DECISIONS
from projections.rules.puerto_rico.state.position import Position
from projections.rules.puerto_rico.text.labels import labels
from projections.rules.puerto_rico.text.notation import write
from projections.rules.puerto_rico.text.refusal_reasons import GAME_IS_OVER, Why, reason_of
from projections.rules.puerto_rico.text.wording import place_in

SECTIONS: Final = {"building": "buildings", "role": "roles", "tile": "tiles", "good": "goods", "other": "goods"}


def refusal(position: Position, move: m.Move) -> IllegalMove:
    """The refusal of a move that is not legal now, in every language."""
    over = position.phase == OVER
    why = GAME_IS_OVER if over else reason_of(position, move)
    sentences = {language: _sentence(position, why, labels(language)) for language in LANGUAGES}
    kind = GameIsOver if over else IllegalMove
    return kind(write(move), why.reason, why.rule, sentences["en"], sentences)


def _sentence(position: Position, why: Why, words: Labels) -> str:
    values = {name: _word(words, name, value) for name, value in why.values.items()}
    if position.phase != OVER:
        values["decision"] = words.say("decisions", DECISIONS[position.step])
    return words.say("problems", why.reason, **values)


def _word(words: Labels, name: str, value: Any) -> Any:
    """A value as a sentence says it: a number as it is, a name in the words of the language."""
    if name == "place":
        return place_in(words, value)
    section = SECTIONS.get(name)
    return words.say(section, value) if section else value
