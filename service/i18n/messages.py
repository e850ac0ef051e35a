"""Translates messages: the English pattern of the code is the key, its placeholders are filled in afterwards.

A pattern without a row stays English; so do messages that only operators read.
"""

from collections.abc import Mapping
from functools import cache

from events.errors import CabildoError
from events.messages import Message
from events.store.free_texts import HIDDEN_NOTICE
from projections.rules.errors import IllegalMove
from service.i18n import catalogue


def hidden_notice(language: str) -> str:
    """Returns what readers see in place of a text that an administrator has hidden."""
    return translate(HIDDEN_NOTICE, language)


@cache
def translations(language: str) -> Mapping[str, str]:
    """Returns all patterns of a language by the English ones."""
    return {
        english: text
        for subject in catalogue.subjects(catalogue.MESSAGES)
        for english, row in catalogue.rows(catalogue.MESSAGES, subject).items()
        if isinstance(text := row.get(language), str)
    }


def translate(text: str, language: str) -> str:
    """Returns a message in a language, together with the messages that fill its placeholders."""
    message = Message(text)
    pattern = translations(language).get(message.pattern)
    if pattern is None:
        return str(message)
    values = {name: _value(value, language) for name, value in message.values.items()}
    return pattern.format(**values) if values else pattern


def error_sentence(error: CabildoError, language: str) -> str:
    """Returns the sentence of an error; the rules of a game bring their own for a refused move."""
    return translate(error.sentence_in(language) if isinstance(error, IllegalMove) else error.words, language)


def translate_faults(errors: object, language: str) -> object:
    """Returns the faults of fields in a language, nested as marshmallow nests them."""
    if isinstance(errors, Mapping):
        return {name: translate_faults(inner, language) for name, inner in errors.items()}
    if isinstance(errors, list):
        return [translate_faults(inner, language) for inner in errors]
    return translate(errors, language) if isinstance(errors, str) else errors


def _value(value: object, language: str) -> object:
    if isinstance(value, CabildoError):
        return error_sentence(value, language)
    return translate(value, language) if isinstance(value, Message) else value
