"""Lays out many open tables as rows, for tests of lists; no events stand behind them."""

from typing import Final

from psycopg import Connection

HOSTS: Final = 500
LAY_OUT: Final = """
INSERT INTO games (id, version, head, game, status, host, rated, visibility, options, chairs, created, changed,
    idle_since)
SELECT gen_random_uuid(), 2, sha256(number::text::bytea), 'spice_road', 'open', host, false, %(visibility)s, '{}',
    json_build_array(
        json_build_object('chair', 0, 'seat', NULL, 'player', host, 'kept_for', 'player:' || host, 'bot', NULL,
            'stand_in', NULL, 'forfeited', false),
        json_build_object('chair', 1, 'seat', NULL, 'player', NULL, 'kept_for', NULL, 'bot', NULL,
            'stand_in', NULL, 'forfeited', false)
    ), %(at)s + number, %(at)s + number, %(at)s + number
FROM (
    SELECT number, lpad(to_hex(number %% %(hosts)s), 8, '0') || '-0000-7000-8000-000000000000' AS host
    FROM generate_series(1, %(count)s) AS number
) AS made
"""
SEAT: Final = """
INSERT INTO places (id, chair, player, created, hidden)
SELECT id, 0, host, created, visibility <> 'public' FROM games WHERE status = 'open' ON CONFLICT DO NOTHING
"""
KEEP: Final = """
INSERT INTO kept_seats (id, chair, player)
SELECT gen_random_uuid(), 0, lpad(to_hex(number %% %(hosts)s), 8, '0') || '-0000-7000-8000-000000000000'
FROM generate_series(1, %(count)s) AS number
"""
ANALYSED: Final = ("games", "places", "players")


def lay_out_tables(connection: Connection, count: int, at: int, visibility: str = "public") -> None:
    """Inserts open tables of other players, the newest last, and updates the statistics of the planner."""
    connection.execute(LAY_OUT, {"count": count, "at": at, "hosts": HOSTS, "visibility": visibility})
    connection.execute(SEAT)
    for table in ANALYSED:
        connection.execute(f"ANALYZE {table}")


def keep_seats(connection: Connection, count: int) -> None:
    """Keeps seats for other players, and updates the statistics: of an empty table they depend on who looked last."""
    connection.execute(KEEP, {"count": count, "hosts": HOSTS})
    connection.execute("VACUUM ANALYZE kept_seats")
