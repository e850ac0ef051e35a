"""What lists of a player's games show, as a number that changes when they do: without names and finished games."""

from typing import Final

from psycopg import Connection

UNFINISHED: Final = """
    SELECT concat_ws(' ', games.id, places.chair, status, games.seat, chairs) AS shown
    FROM places JOIN games USING (id)
    WHERE NOT over AND places.player IN (
        SELECT %(player)s::text
        UNION ALL SELECT id::text FROM players WHERE owner = %(player)s::uuid AND NOT bot AND forgotten IS NULL
    )
    ORDER BY places.id DESC LIMIT %(limit)s
"""  # of the player, and of the people at the player's screen
KEPT: Final = """
    SELECT concat_ws(' ', 'kept', kept_seats.id, kept_seats.chair, chairs) AS shown
    FROM kept_seats JOIN games USING (id)
    WHERE kept_seats.player = %(player)s ORDER BY kept_seats.id DESC LIMIT %(limit)s
"""
STATE: Final = f"""
SELECT to_hex(coalesce(bit_xor(hashtextextended(shown, 0)), 0)), count(*)
FROM (({UNFINISHED}) UNION ALL ({KEPT})) AS own
"""  # noqa: S608 - constants alone
MOST: Final = 200  # games of each kind: more than a page shows


def state_of_lists(connection: Connection, player: str) -> str:
    """Returns another text whenever a game of the player begins, ends, fills or comes to another seat's turn.

    The same for tables with a chair that is kept for the player, and for people at the player's screen.
    """
    row = connection.execute(STATE, {"player": player, "limit": MOST}).fetchone()
    assert row is not None  # an aggregate has a row
    state, number = row
    return f"{state}-{number}"
