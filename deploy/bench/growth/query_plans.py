"""How the database answers lists: the time and the blocks of each plan, by EXPLAIN (ANALYZE, BUFFERS)."""

from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

import click
from psycopg import Connection, sql

from service.games.search import listing

LISTED: Final = 51  # a page of 50 and one that tells whether more follow
UNSET: Final = dict.fromkeys(("asker", "subject", "by_round", "nth", "seat"))
EXPLAIN: Final = sql.SQL("EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ")


class ReadTable(NamedTuple):
    """What a plan reads of a table in one place."""

    table: str
    through: str  # the index, or the kind of scan
    rows: float
    blocks: int


def print_plans(connection: Connection, player: str) -> None:
    """Prints time, blocks and scans of the lists that are measured."""
    lists: Mapping[str, Mapping[str, object]] = {
        "newest games": {},
        "games of a player": {"player": player},
        "search for a fact": {"fact": "building_bought", "subject": "harbor"},
    }
    for name, named in lists.items():
        query = EXPLAIN + sql.SQL(listing(named, None))
        connection.execute(query, {**UNSET, **named, "limit": LISTED})  # the first one fills the cache
        row = connection.execute(query, {**UNSET, **named, "limit": LISTED}).fetchone()
        plan: dict[str, Any] = row[0][0] if row else {}
        click.echo(f"plan of {name}: {plan['Execution Time']:.2f} ms, {_blocks(plan['Plan']):,} blocks")
        for read in _reads(plan["Plan"]):
            click.echo(f"  {read.table} through {read.through}: {read.rows:,.0f} rows, {read.blocks:,} blocks")


def _reads(node: Mapping[str, Any]) -> Iterator[ReadTable]:
    """Yields what each scan of a plan has read."""
    if "Relation Name" in node and node["Actual Loops"]:
        rows = node["Actual Rows"] * node["Actual Loops"]
        yield ReadTable(node["Relation Name"], node.get("Index Name", node["Node Type"]), rows, _blocks(node))
    for below in node.get("Plans", ()):
        yield from _reads(below)


def _blocks(node: Mapping[str, Any]) -> int:
    return int(node["Shared Hit Blocks"] + node["Shared Read Blocks"])
