"""The directory rows of each tournament, for lists, sweeps and guards; written in the transaction of every event."""

from collections.abc import Collection
from typing import Any, Final
from uuid import UUID

from events.event import Head
from events.store.statements import Statement
from projections.tournaments.next_due import due
from projections.tournaments.record import ALIVE, DECLARED, TournamentRecord

PUT: Final = """
INSERT INTO tournaments (id, version, head, title, game, status, visibility, host, entrants, rounds, starts, ends, due,
    created, changed)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (id) DO UPDATE SET version = excluded.version, head = excluded.head, title = excluded.title,
    game = excluded.game, status = excluded.status, entrants = excluded.entrants, rounds = excluded.rounds,
    starts = excluded.starts, ends = excluded.ends, due = excluded.due, changed = excluded.changed
"""
ENTERED: Final = """
INSERT INTO entries (id, number, player, gone) SELECT %s, number, player, gone
FROM unnest(%s::int[], %s::text[], %s::boolean[]) AS entered (number, player, gone)
ON CONFLICT (id, number) DO UPDATE SET gone = excluded.gone
"""
WATCHED: Final = """
INSERT INTO games_declared (id, game, deal) SELECT %s, game, deal
FROM unnest(%s::uuid[], %s::uuid[]) AS declared (game, deal) ON CONFLICT DO NOTHING
"""
SETTLED: Final = """
UPDATE games_declared SET settled = true WHERE id = %s AND NOT settled AND game <> ALL (%s::uuid[])
"""
AWAITED: Final = """
UPDATE games_declared SET awaited = NOT awaited WHERE id = %s AND awaited <> (game = ANY (%s::uuid[]))
"""
ENTRIES: Final = frozenset(("entered", "admitted", "withdrawn", "returned", "disqualified"))
GAMES: Final = frozenset(
    (
        "games_declared",
        "round_started",
        "result_recorded",
        "game_lost",
        "result_ruled",
        "table_voided",
        "round_closed",
        "tournament_closed",
    )
)


def rows(
    id: UUID, head: Head, before: TournamentRecord | None, record: TournamentRecord, kinds: Collection[str]
) -> list[Statement]:
    """Returns the statements to write after events of these kinds."""
    statements = [Statement(PUT, row(id, head, record))]
    if ENTRIES.intersection(kinds):
        statements.append(Statement(ENTERED, (id, *_entries(before, record))))
    if GAMES.intersection(kinds):
        games = watched(record)
        statements += [declared(id, record, games), Statement(SETTLED, (id, games))]
        statements.append(Statement(AWAITED, (id, awaited(record))))
    return statements


def declared(id: UUID, record: TournamentRecord, games: Collection[str]) -> Statement:
    """Returns the statement that lists declared games, with their shared deals."""
    deals = {table.game: one.deal for one, table in record.games()}
    return Statement(WATCHED, (id, list(games), [deals[game] for game in games]))


def awaited(record: TournamentRecord) -> list[str]:
    """Returns the games of a shared deal that are not created yet."""
    current = record.round
    if current is None or current.deal is None or current.status != DECLARED or record.status not in ALIVE:
        return []
    return [table.game for table in current.tables if table.game is not None and not table.is_over]


def watched(record: TournamentRecord) -> list[str]:
    """Returns the games whose end the tournament waits for, also when a ruling came first."""
    if record.round is None:
        return []
    return [table.game for table in record.round.tables if table.game is not None and table.proof is None]


def row(id: UUID, head: Head, record: TournamentRecord) -> tuple[Any, ...]:
    """Returns the columns of a tournament in lists."""
    regulations = record.regulations
    return (
        id,
        head.seq,
        head.hash,
        bytes.fromhex(record.title),
        regulations["game"],
        record.status,
        record.visibility,
        record.host,
        len(record.in_field),
        len(record.rounds),
        regulations["starts"],
        regulations["ends"],
        due(record),
        record.created,
        record.changed,
    )


def _entries(before: TournamentRecord | None, record: TournamentRecord) -> tuple[list[int], list[str], list[bool]]:
    known = set(before.entries) if before else set()
    changed = [entry for entry in record.entries if entry not in known]
    return [e.number for e in changed], [e.player for e in changed], [e.gone is not None for e in changed]
