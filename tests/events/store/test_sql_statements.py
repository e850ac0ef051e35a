"""Files of SQL are split into their statements, and nothing of them is lost."""

import pytest

from events.store.migrations import Migration, migrations
from events.store.sql_statements import split_statements

FILE = """-- First; a comment.
CREATE TABLE one (a text DEFAULT ';');
CREATE FUNCTION two() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    PERFORM 1; -- it's done;
END $$;
DO $do$ BEGIN EXECUTE $x$ SELECT 1; $x$; END $do$;
-- Nothing follows;
"""


def test_semicolons_in_texts_comments_and_bodies_end_no_statement() -> None:
    assert [part.split()[0] for part in split_statements(FILE)] == ["--", "CREATE", "DO"]
    assert len(split_statements("SELECT 1")) == 1
    assert split_statements("-- nothing\n") == []


@pytest.mark.parametrize("step", migrations(), ids=lambda step: f"{step.component}-{step.name}")
def test_every_migration_is_split_between_its_statements(step: Migration) -> None:
    parts = split_statements(step.sql)
    assert step.sql.startswith("".join(parts))
    assert all(part.count("$$") % 2 == 0 for part in parts)
