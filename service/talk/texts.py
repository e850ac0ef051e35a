"""The text of a message: normalised for all readers, and which of its words are rough for a reader."""

import json
import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from events.messages import Message
from service.core.errors import InvalidRequest
from service.players.lookalikes import plain_letters

LONGEST: Final = 500  # characters
ROUGH_WORDS: Final = Path(__file__).with_name("rough_words.json")  # by language
WORD: Final = re.compile(r"[^\W_]+")
BLANK: Final = str.maketrans(dict.fromkeys("\u115f\u1160\u2800\u3164\uffa0", " "))  # letters without a picture
DROPPED: Final = ("Cc", "Cf", "Cn", "Co", "Cs")  # invisible, without meaning, or turning the direction of others
JOINER: Final = "\u200d"  # makes one picture of two
MARKS: Final = ("Mn", "Me")
MOST_MARKS: Final = 3  # on one letter


def normalize_text(text: str) -> str:
    """Returns a message as it is stored: one line, without characters that hide or turn others.

    Raises InvalidRequest when nothing is left, or too much.
    """
    spaced = " ".join(text.translate(BLANK).split())
    cleaned = " ".join("".join(_kept(unicodedata.normalize("NFC", spaced))).split())
    if not any(unicodedata.category(one)[0] not in "MZ" for one in cleaned):
        raise InvalidRequest({"json": {"text": [Message("Shorter than minimum length {min}.", min=1)]}})
    return cleaned


def _kept(text: str) -> Iterator[str]:
    marks = 0
    for at, one in enumerate(text):
        kind = unicodedata.category(one)
        marks = marks + 1 if kind in MARKS else 0
        if one == JOINER:
            if _is_picture(text, at - 1) and _is_picture(text, at + 1):
                yield one
        elif kind not in DROPPED and marks <= MOST_MARKS:
            yield one


def _is_picture(text: str, at: int) -> bool:
    """Returns whether a character is a picture, or chooses how the one before it looks."""
    return 0 <= at < len(text) and unicodedata.category(text[at]) in ("So", "Sk", "Mn")


def rough_spans(text: str, language: str) -> list[tuple[int, int]]:
    """Returns the places of the rough words of a text, in characters: whole words alone, of any language.

    A word that is an ordinary one in the reader's language counts for that reader as such.
    """
    return [found.span() for found in WORD.finditer(text) if plain_letters(found[0]) in _rough(language)]


@cache
def _rough(language: str) -> frozenset[str]:
    lists: dict[str, dict[str, list[str]]] = json.loads(ROUGH_WORDS.read_text())
    rough = {plain_letters(word) for words in lists.values() for word in words["rough"]}
    return frozenset(rough - {plain_letters(word) for word in lists[language]["ordinary"]})
