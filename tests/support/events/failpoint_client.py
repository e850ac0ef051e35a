"""A client and a sequencer in a process of their own, to be ended at a fail point: `walker URL STREAM KEY`."""

import sys
from collections.abc import Callable
from uuid import UUID

import click

from events.errors import OutcomeUnknown
from events.log.sequencer import sequence_once
from events.store.connections import connect, open_pool
from events.store.postgres import PostgresStore
from events.store.protocol import request_key
from tests.support.events.examples import next_move


def move_and_sequence(url: str, stream: UUID, name: str) -> None:
    """Makes one move under a key and sequences it; repeats the request when no answer comes."""
    key = request_key("player-1", name, b"take coffee")
    with open_pool(url, size=1) as pool, connect(url) as connection:
        book = PostgresStore(pool)
        head = book.head(stream)
        insist(lambda: book.append(stream, head.seq, next_move(stream, head), key=key, answer=b"done"))
        click.echo("acknowledged")
        insist(lambda: sequence_once(connection))
        click.echo("sequenced")


def insist(act: Callable[[], object]) -> None:
    """Do something, once more when its answer was lost."""
    try:
        act()
    except OutcomeUnknown:
        click.echo("lost")
        act()


if __name__ == "__main__":
    move_and_sequence(sys.argv[1], UUID(sys.argv[2]), sys.argv[3])
