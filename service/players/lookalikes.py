"""What names look like: refuses a name that can be taken for another player's, or for one of the service itself.

By UTS #39: two texts look alike when their characters, replaced by what they look like, are equal. Upper and lower
case are compared both as they are written and folded, for names that differ in case alone are one name.
"""

import json
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import Final
from uuid import UUID

from psycopg import Connection

from projections.rules.catalogue import LANGUAGES
from service.core.errors import NameConfusable, NameReserved, NameTaken
from service.i18n import messages
from service.players.names import FORGOTTEN, normalize_name

TABLE: Final = Path(__file__).with_name("confusables.json")  # made by .ci/make_confusables.py
SERVICE_NAMES: Final = Path(__file__).with_name("service_names.json")  # by language
WORD: Final = re.compile(r"[^\W_]+")
FEW_DIGITS: Final = re.compile(r"^\d{1,4}|\d{1,4}$")  # beside a reserved word they make no other word of it
LOCK: Final = "SELECT pg_advisory_xact_lock(hashtextextended('cabildo names', 0))"  # until the transaction ends
WITHOUT_LOOKS: Final = "SELECT id, name FROM players WHERE looks IS NULL AND name IS NOT NULL LIMIT 1000"
SET_LOOKS: Final = "UPDATE players SET looks = %s WHERE id = %s"
LOOKALIKE: Final = "SELECT folded FROM players WHERE looks && %s AND id <> %s ORDER BY created LIMIT 1"


def refuse_service_name(name: str) -> None:
    """Raises BadName, or NameReserved for a name that speaks for the service."""
    displayed, folded = normalize_name(name)
    words = [found for word in WORD.findall(folded) if (found := FEW_DIGITS.sub("", word))]
    joined = "".join(words)
    plain = [plain_letters(word) for word in words]
    if joined and (plain_letters(joined) in _service_names() or all(word in _service_names() for word in plain)):
        raise NameReserved(displayed)


def claim_name(connection: Connection, player: UUID, name: str) -> None:
    """Records what the name of a player looks like; raises NameTaken or NameConfusable.

    Names that stand are never refused: those from before this rule are recorded here, and keep working.
    """
    connection.execute(LOCK)
    while older := connection.execute(WITHOUT_LOOKS).fetchall():
        with connection.cursor() as cursor:
            cursor.executemany(SET_LOOKS, [(looks_of(before), id) for id, before in older])
    displayed, folded = normalize_name(name)
    looks = looks_of(displayed)
    found = connection.execute(LOOKALIKE, (looks, player)).fetchone()
    if found is not None:
        raise NameTaken(displayed) if found[0] == folded else NameConfusable(displayed)


def looks_of(name: str) -> list[str]:
    """Returns the forms by which a name is compared."""
    compatible = unicodedata.normalize("NFKC", name)
    return sorted({_skeleton(compatible).casefold(), _skeleton(compatible.casefold())})


def _skeleton(text: str) -> str:
    like = _looks_like()
    replaced = "".join(like.get(one, one) for one in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", replaced)


def plain_letters(text: str) -> str:
    """Returns the letters of a text as they look, without marks and spaces."""
    parts = _skeleton(text.casefold())
    return "".join(one for one in parts if one.isalnum()).casefold()


@cache
def _looks_like() -> dict[str, str]:
    table: dict[str, str] = json.loads(TABLE.read_text())["looks_like"]
    return table


@cache
def _service_names() -> frozenset[str]:
    words = [word for of_language in json.loads(SERVICE_NAMES.read_text()).values() for word in of_language]
    forgotten = [messages.translate(FORGOTTEN, language) for language in LANGUAGES]  # shown for a forgotten player
    return frozenset(plain_letters(unicodedata.normalize("NFKC", word)) for word in [*words, *forgotten])
