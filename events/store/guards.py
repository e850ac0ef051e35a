"""Start-up check: does the database protect its events from being changed?"""

from psycopg import Connection

from events.errors import GuardsMissing

# Trigger types: BEFORE UPDATE OR DELETE FOR EACH ROW is 27, BEFORE TRUNCATE FOR EACH STATEMENT is 34.
MISSING = """
WITH roots AS (
    SELECT DISTINCT tgrelid AS oid FROM pg_trigger WHERE tgfoid = to_regproc('refuse_change')
    UNION SELECT to_regclass('events') UNION SELECT to_regclass('log')
), guarded AS (
    SELECT oid FROM roots UNION SELECT place.relid FROM roots CROSS JOIN pg_partition_tree(roots.oid) AS place
)
SELECT format('%s has no trigger %s that always fires', guarded.oid::regclass, wanted.name)
FROM guarded CROSS JOIN (VALUES ('no_change', 27), ('no_truncate', 34)) AS wanted (name, type)
WHERE NOT EXISTS (
    SELECT FROM pg_trigger WHERE tgrelid = guarded.oid AND tgname = wanted.name AND tgtype = wanted.type
    AND tgenabled = 'A' AND tgfoid = to_regproc('refuse_change')
)
UNION ALL
SELECT format('there is no event trigger %s that always fires', wanted)
FROM unnest(ARRAY['keep_acts_from_drop', 'keep_acts_from_alter']) AS wanted
WHERE to_regnamespace('guards') IS NOT NULL
AND NOT EXISTS (SELECT FROM pg_event_trigger WHERE evtname = wanted AND evtenabled = 'A')
UNION ALL
SELECT format('%s may %s on %s', current_user, privilege, guarded.oid::regclass)
FROM guarded CROSS JOIN unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE', 'TRIGGER']) AS privilege
WHERE has_table_privilege(guarded.oid, privilege)
UNION ALL
SELECT format('%s belongs to %s', guarded.oid::regclass, pg_get_userbyid(relowner))
FROM guarded JOIN pg_class ON pg_class.oid = guarded.oid
WHERE pg_get_userbyid(relowner) <> 'cabildo_owner'
UNION ALL
SELECT 'cabildo_owner may log in' FROM pg_roles WHERE rolname = 'cabildo_owner' AND rolcanlogin
ORDER BY 1
"""


NEVER_INSTALLED = "SELECT to_regnamespace('guards') IS NULL"


def has_event_triggers(connection: Connection) -> bool:
    """Returns whether event triggers keep the tables of events from being dropped or altered.

    A managed server may refuse to install them. Rows of events cannot be changed all the same; but an administrator of
    the database could drop the guards themselves, which only the public log would show then.
    """
    row = connection.execute(NEVER_INSTALLED).fetchone()
    return row is None or not row[0]


def missing_guards(connection: Connection) -> tuple[str, ...]:
    """Returns the guards that this connection's role does not find; empty when all are there."""
    return tuple(text for (text,) in connection.execute(MISSING))


def check_guards(connection: Connection) -> None:
    """Raises GuardsMissing when the database could lose or change an event unnoticed."""
    missing = missing_guards(connection)
    if missing:
        raise GuardsMissing(missing)
