"""A writer and a sequencer for the soak, each in a process of its own that may be killed at any moment."""

import os
import random
import threading
from pathlib import Path
from uuid import UUID

from events.errors import StaleVersion
from events.log.sequencer import sequence_once
from events.store.connections import connect, open_pool
from events.store.postgres import PostgresStore
from events.store.protocol import request_key
from tests.support.events.examples import next_move


def write(url: str, name: str, streams: list[UUID], acknowledged: Path) -> None:
    """Move in shared streams until killed, and note every move that was acknowledged.

    The successor of a killed writer repeats the move that was not acknowledged, under its key.
    """
    source = random.Random()
    notes = os.open(acknowledged, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    turn = len(acknowledged.read_bytes().splitlines())
    with open_pool(url, size=1) as pool:
        book = PostgresStore(pool)
        while True:
            text = f"{name}.{turn}"
            stream = source.choice(streams)
            head = book.head(stream)
            try:
                book.append(stream, head.seq, next_move(stream, head, text), key=request_key(name, text, b""))
            except StaleVersion:
                continue
            os.write(notes, f"{text}\n".encode())
            turn += 1


def sequence(url: str) -> None:
    """Sequences waiting events, a few at a time, until killed."""
    pause = threading.Event()
    with connect(url) as connection:
        while True:
            if not sequence_once(connection, most=20):
                pause.wait(0.002)
