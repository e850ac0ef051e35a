"""Webhooks of an earlier version keep their waiting messages, the time of the next attempt and the failed ones."""

from uuid import UUID

import psycopg

from events.store.migrations import migrate, migrations

MOVED = 16  # the migration that moves due times from messages to webhooks
PLAYER, FAILING, IDLE = (UUID(int=number) for number in (1, 2, 3))
NOW, LATER = 1_000_000, 7_000_000
HOOK = "INSERT INTO webhooks (id, player, url, secret, told, created, failed) VALUES (%s, %s, '', '', 9, 0, %s)"
MESSAGE = "INSERT INTO deliveries (hook, number, what, attempts, due) VALUES (%s, %s, 'your_turn', %s, %s)"


def test_due_times_and_attempts_move_from_messages_to_webhooks(empty_database: str) -> None:
    earlier = [step for step in migrations() if step.component != "service" or step.number < MOVED]
    with psycopg.connect(empty_database, autocommit=True) as database:
        migrate(database, earlier)
        database.execute("INSERT INTO players (id, name, folded, created) VALUES (%s, 'A', 'a', 0)", (PLAYER,))
        for hook, failed in ((FAILING, NOW), (IDLE, None)):
            database.execute(HOOK, (hook, PLAYER, failed))
        for number, attempts in ((7, 3), (8, 0), (9, 0)):
            database.execute(MESSAGE, (FAILING, number, attempts, LATER))
        migrate(database)
        rows = database.execute("SELECT id, due, attempts, failing, waiting, dropped, off FROM webhooks ORDER BY id")
        assert rows.fetchall() == [(FAILING, LATER, 3, NOW, 3, 0, None), (IDLE, None, 0, None, 0, 0, None)]
        assert database.execute("SELECT number FROM deliveries ORDER BY number").fetchall() == [(7,), (8,), (9,)]
