"""Free texts beside events: an event keeps a salted hash, the text can be erased, or hidden from readers."""

import hashlib
import secrets
from collections.abc import Iterable
from typing import NamedTuple
from uuid import UUID

from psycopg import Connection

from events.canonical import canonical
from events.messages import Message
from events.store.statements import Statement

HIDDEN_NOTICE = Message("hidden by an administrator")
PREFIX = b"cabildo/text/v1\n"
SALT_BYTES = 32
KEEP = "INSERT INTO texts (stream, hash, salt, text) VALUES (%s, %s, %s, %s)"
READ = """
SELECT hash, salt, text, EXISTS (SELECT FROM hidden_texts WHERE hidden_texts.hash = texts.hash)
FROM texts WHERE stream = %s AND hash = ANY(%s)
"""
ERASE = "DELETE FROM texts WHERE stream = %s AND hash = %s"


class SaltedText(NamedTuple):
    """A text, its salt, and the hash that enters the event."""

    hash: bytes
    salt: bytes
    text: str
    hidden: bool = False  # from readers, by an administrator


def salted(text: str) -> SaltedText:
    """Returns the text with a fresh salt."""
    salt = secrets.token_bytes(SALT_BYTES)
    return SaltedText(text_hash(salt, text), salt, text)


def text_hash(salt: bytes, text: str) -> bytes:
    """Returns the hash that represents a text in an event."""
    return hashlib.sha256(PREFIX + salt + canonical(text)).digest()


def keep(stream: UUID, text: SaltedText) -> Statement:
    """Returns the statement that stores the text, for the transaction of the event that holds its hash."""
    return Statement(KEEP, (stream, text.hash, text.salt, text.text))


def read_texts(connection: Connection, stream: UUID, hashes: list[bytes]) -> dict[bytes, SaltedText]:
    """Returns the texts that have not been erased, by their hash, hidden ones included: not for readers."""
    rows = connection.execute(READ, (stream, hashes), binary=True)
    return {bytes(found): SaltedText(bytes(found), bytes(salt), text, hidden) for found, salt, text, hidden in rows}


def shown_texts(connection: Connection, stream: UUID, hashes: Iterable[str], notice: str | None) -> dict[str, str]:
    """Returns texts for readers, by their hash: without erased ones, the notice in place of hidden ones.

    Without a notice, hidden texts are missing as if they were erased.
    """
    wanted = [bytes.fromhex(hash) for hash in hashes]
    found = read_texts(connection, stream, wanted) if wanted else {}
    shown = ((hash.hex(), notice if kept.hidden else kept.text) for hash, kept in found.items())
    return {hash: text for hash, text in shown if text is not None}


def erase(connection: Connection, stream: UUID, text: bytes) -> bool:
    """Erases a text for ever; the hash that remains reveals nothing. Returns False when there was none."""
    return connection.execute(ERASE, (stream, text)).rowcount > 0
