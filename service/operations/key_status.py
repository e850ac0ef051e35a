"""How far one master key has replaced another: ciphertexts by key, and invitations that follow from the old one."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from psycopg import Connection

from events.sealing.master_keys import UNNAMED, MasterKeys
from service.core.sealing.key_rotation import count_by_key
from service.core.sealing.sealed_columns import SEALED_COLUMNS
from service.proof.public_log import archive_of
from service.settings import Settings

ARCHIVE: Final = "archive of events"
CODES: Final = """
SELECT count(DISTINCT games.id) FROM games, json_array_elements(chairs) AS chair
WHERE status = 'open' AND chair ->> 'kept_for' = 'invite' AND chair ->> 'player' IS NULL
    AND created < (SELECT since FROM master_keys WHERE id = %s)
"""


class KeyStatus(NamedTuple):
    """The ciphertexts of each kind by the id of their master key, and tables whose invitations follow from the old."""

    current: str
    sealed: Mapping[str, Mapping[str, int]]
    invitations: int

    @property
    def left(self) -> int:
        """The number of ciphertexts that are not under the current key."""
        return sum(count for counts in self.sealed.values() for id, count in counts.items() if id != self.current)


def key_status(connection: Connection, settings: Settings) -> KeyStatus:
    """Counts the secrets of the database and the archived files of this machine; reads every archived file."""
    current = settings.master_keys.current_id
    sealed = {str(column): count_by_key(connection, column) for column in SEALED_COLUMNS}
    row = connection.execute(CODES, (current,)).fetchone()
    invitations = int(row[0]) if row and settings.master_keys.is_replacing else 0
    return KeyStatus(current, {**sealed, ARCHIVE: archive_of(settings).count_by_key()}, invitations)


def key_name(keys: MasterKeys, id: str) -> str:
    """Returns the words for a master key: by which setting it is known here."""
    if id == UNNAMED:
        return "without a name, of an earlier version"
    named = {"current": keys.current, "previous": keys.previous, "next": keys.next}
    wanted = keys.by_id.get(id)
    return next((name for name, key in named.items() if wanted is not None and key == wanted), "not given here")
