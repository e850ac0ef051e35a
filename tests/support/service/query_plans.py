"""The plans with which PostgreSQL executes queries, as tests judge them."""

import json
from typing import Any, Final

from psycopg import Connection

EXPLAIN: Final = "EXPLAIN (ANALYZE, FORMAT JSON) "
BIG: Final = ("games", "places", "kept_seats", "news", "happened")
MOST_ROWS: Final = 2_000  # that a query of a page reads


def plan(connection: Connection, query: Any, parameters: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the steps of the plan with which PostgreSQL executes a query."""
    rows = connection.execute(EXPLAIN + query, parameters).fetchall()
    return steps(rows[0][0][0]["Plan"])


def steps(step: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns a step of a plan and all steps below it."""
    return [step, *(one for below in step.get("Plans", ()) for one in steps(below))]


def check_reads_little(taken: list[dict[str, Any]]) -> None:
    """Asserts that no large table is read in full, and few rows of any."""
    scans = [step for step in taken if step.get("Relation Name") in BIG]
    assert scans
    for step in scans:
        assert step["Node Type"] != "Seq Scan", json.dumps(step)
        read = step["Actual Rows"] + step.get("Rows Removed by Filter", 0)
        assert read * step["Actual Loops"] <= MOST_ROWS, json.dumps(step)
