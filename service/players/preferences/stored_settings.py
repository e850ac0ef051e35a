"""Stores the own settings of players."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from psycopg import Connection
from psycopg.types.json import Jsonb

OF_PLAYER: Final = "SELECT settings FROM player_settings WHERE player = %s"
CHANGE: Final = """
INSERT INTO player_settings (player, settings, changed)
SELECT id, %s, %s FROM players WHERE id = %s AND forgotten IS NULL
ON CONFLICT (player) DO UPDATE SET settings = player_settings.settings || excluded.settings, changed = excluded.changed
RETURNING settings
"""


def settings_of(connection: Connection, player: UUID) -> Mapping[str, Any] | None:
    """Returns the stored settings of a player; None when nothing was set."""
    row = connection.execute(OF_PLAYER, (player,)).fetchone()
    return None if row is None else row[0]


def change_stored(
    connection: Connection, at: int, player: UUID, changes: Mapping[str, Any]
) -> Mapping[str, Any] | None:
    """Changes some settings, at once; the last change of each counts. Returns all; None for an erased account."""
    row = connection.execute(CHANGE, (Jsonb(changes), at, player)).fetchone()
    return None if row is None else row[0]
