"""Names and ids of players: their formats, and the unique form of a name."""

import re
import unicodedata
from typing import Final

from events.messages import Message
from service.core.errors import BadName

LONGEST_NAME: Final = 40
FORGOTTEN: Final = Message("erased player")  # replaces the name of a forgotten player
IDS: Final = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def normalize_name(name: str) -> tuple[str, str]:
    """Returns a name as displayed, and its unique form; raises BadName."""
    displayed = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(displayed) <= LONGEST_NAME:
        raise BadName(name, "use 1 to {longest} characters", longest=LONGEST_NAME)
    if not displayed.isprintable():
        raise BadName(name, "a character is invisible")
    return displayed, unicodedata.normalize("NFKC", displayed).casefold()


def is_id(text: str) -> bool:
    """Returns whether a text has the format of a player's id."""
    return IDS.fullmatch(text) is not None
