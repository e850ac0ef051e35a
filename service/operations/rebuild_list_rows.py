"""Rows of lists made anew where they are behind the events: these came back out of an archive, not through an act."""

from typing import Final
from uuid import UUID

from psycopg import Connection

from events.sealing.vault import Vault
from events.store.postgres import head, read
from events.store.statements import Statement
from projections.games import fold
from projections.read_models import lobby
from projections.tournaments import directory
from projections.tournaments import fold as of_tournaments
from service.core.sealing.sealed_columns import SEALED_SEEDS

GAME = "game_created"
BEHIND: Final = """
SELECT first.stream, first.kind, listed.id IS NOT NULL
FROM events AS first
LEFT JOIN (
    SELECT id, version, head FROM games UNION ALL SELECT id, version, head FROM tournaments
) AS listed ON id = first.stream
CROSS JOIN LATERAL (
    SELECT seq, hash FROM events WHERE stream = first.stream ORDER BY seq DESC LIMIT 1
) AS newest
WHERE first.seq = 1 AND first.kind IN ('game_created', 'tournament_declared')
    AND (version, head) IS DISTINCT FROM (newest.seq, newest.hash)
ORDER BY first.stream
"""
MAKERS_OF_STUDIES: Final = """
INSERT INTO study_makers (study, maker)
SELECT stream, (convert_from(body, 'UTF8')::json ->> 'actor')::uuid FROM events AS first
WHERE seq = 1 AND kind = 'study_created'
    AND NOT EXISTS (SELECT FROM events WHERE stream = first.stream AND kind = 'study_deleted')
ON CONFLICT DO NOTHING
"""
PUT_BACK: Final = "INSERT INTO seeds (id, sealed) VALUES (%s, %s) ON CONFLICT DO NOTHING"
SEEDLESS: Final = """
SELECT count(*) FROM games WHERE status IN ('open', 'running') AND NOT EXISTS (SELECT FROM seeds WHERE id = games.id)
"""


def rebuild_list_rows(connection: Connection, vault: Vault) -> int:
    """Make the rows of games and tournaments what their events make of them; how many were not.

    A seed that the events show is put back, too.
    """
    connection.execute(MAKERS_OF_STUDIES)
    behind = connection.execute(BEHIND).fetchall()
    for stream, kind, is_listed in behind:
        rows, seed = _game(connection, stream, is_listed=is_listed) if kind == GAME else _tournament(connection, stream)
        if seed is not None:
            rows.append(Statement(PUT_BACK, (stream, vault.seal(SEALED_SEEDS, stream, bytes.fromhex(seed)))))
        with connection.transaction():
            for row in rows:
                connection.execute(row.sql, row.parameters)
    return len(behind)


def games_without_seed(connection: Connection) -> int:
    """How many games wait or run for which nobody can draw any more."""
    row = connection.execute(SEEDLESS).fetchone()
    return int(row[0]) if row else 0


def _game(connection: Connection, game: UUID, *, is_listed: bool) -> tuple[list[Statement], str | None]:
    record = fold.record_of(read(connection, game))
    assert record is not None  # its first event was just found
    kinds = lobby.SEATED - {GAME} if is_listed else lobby.SEATED
    rows = lobby.rows(game, head(connection, game), record, kinds)
    return rows, None if record.imported else record.seed


def _tournament(connection: Connection, tournament: UUID) -> tuple[list[Statement], str | None]:
    record = of_tournaments.record_of(read(connection, tournament))
    assert record is not None  # its first event was just found
    declared = [str(table.game) for _, table in record.games()]
    kinds = directory.ENTRIES | directory.GAMES
    rows = directory.rows(tournament, head(connection, tournament), None, record, kinds)
    return [directory.declared(tournament, record, declared), *rows], record.seed
