"""Thins out old checkpoints: keeps one an hour, and every one that a bundle or a witness names.

Proofs need no stored checkpoint: they are computed from the tiles, for every size.
"""

from typing import Final, NamedTuple

from psycopg import Connection

THIN: Final = "SELECT examined, removed FROM thin_checkpoints(%s, %s, %s, %s)"
ARCHIVED: Final = "SELECT coalesce(max(log_end), -1) FROM cold_archives"
BATCH: Final = 20_000


class Thinned(NamedTuple):
    """The last size that was looked at (None: no more are left), and the number of removed checkpoints."""

    examined: int | None
    removed: int


def thin_checkpoints(connection: Connection, origin: str, below: int, above: int, most: int = BATCH) -> Thinned:
    """Thins out some checkpoints above a size that are older than a day; those of `below` and more events stay.

    Checkpoints up to the newest archived event were thinned out before, and which of them events name is in its file.
    """
    (archived,) = connection.execute(ARCHIVED).fetchone() or (0,)
    row = connection.execute(THIN, (origin, below, max(above, archived), most)).fetchone()
    return Thinned(*row) if row else Thinned(None, 0)
