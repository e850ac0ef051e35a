"""Recovery codes: their form, made to be written on paper, and their hash; the database holds only hashes."""

import re
import secrets
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from service.players.identity import secret_hash

LETTERS: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # without i, l, o and u, which look like others
GROUPS: Final = 4
GROUP: Final = 5  # letters; 100 random bits in all, so that a fast hash is enough
LOOKS: Final = str.maketrans("ilo", "110")
BETWEEN: Final = re.compile(r"[\s-]+")
VOID: Final = "DELETE FROM recovery_codes WHERE player = %s"
VOID_TIMED: Final = "DELETE FROM recovery_codes WHERE player = %s AND expires IS NOT NULL"


class Recovered(NamedTuple):
    """What a recovery or a reset did."""

    player: UUID
    sessions: int  # that ended
    tokens: int  # that stay valid
    codes: int  # that are left


def random_code() -> str:
    """Returns a new code in groups of letters."""
    return "-".join("".join(secrets.choice(LETTERS) for _ in range(GROUP)) for _ in range(GROUPS))


def code_hash(code: str) -> bytes:
    """Returns the hash of a code as a player enters it: spaces, hyphens, case and look-alike letters do not matter."""
    return secret_hash(BETWEEN.sub("", code).lower().translate(LOOKS))


def void_codes(connection: Connection, player: UUID, *, own: bool) -> None:
    """Voids the codes of a player that the operator gave or a mail brought; with `own` also those of the own set."""
    connection.execute(VOID if own else VOID_TIMED, (player,))
