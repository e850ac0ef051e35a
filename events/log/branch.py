"""Statements of branches: the log lost published events and goes on under a new name, without them.

A statement is a signed note (C2SP signed-note) whose text is these lines, each ended by one line feed:

    cabildo/branch/v1
    <origin of the log that lost events>
    <origin under which the log goes on>
    published <size> <root, base64>         the newest published tree of the old log
    common <size>                           so many entries are the same in both logs
    time <microseconds since 1970, UTC>
    reason <text>
    lost <stream> <seq> <hash, hex> <seq> <hash, hex>

A `lost` line stands for each stream that lost published events, in order of the streams: the newest event that it kept
(0 and zeros: none), and the newest published event that is no more. The keys of both origins sign it.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple
from uuid import UUID

from psycopg import Connection

from events.event import Head
from events.merkle.errors import UnreadableText
from events.merkle.notes import Note, SigningKey
from events.merkle.text import from_base64, from_decimal, to_base64
from events.merkle.tree import HASH_SIZE

FILE: Final = "branch"  # of the published log, below both names
STATEMENT: Final = "SELECT statement FROM branches WHERE origin = %s"
_HEAD: Final = "cabildo/branch/v1"
_FORM: Final = re.compile(
    _HEAD + r"\n(?P<old>[^\n]+)\n(?P<new>[^\n]+)\npublished (?P<size>[0-9]+) (?P<root>[^ \n]+)\n"
    r"common (?P<common>[0-9]+)\ntime (?P<at>[0-9]+)\nreason (?P<reason>[^\n]+)\n(?P<lost>(?:lost [^\n]+\n)*)",
    re.ASCII,
)
_LOST: Final = re.compile(r"lost ([0-9a-f-]{36}) ([0-9]+) ([0-9a-f]{64}) ([0-9]+) ([0-9a-f]{64})", re.ASCII)


class LostEvents(NamedTuple):
    """A stream that lost published events: its newest kept event, and the newest published one that is no more."""

    stream: UUID
    kept: Head
    last: Head

    def __str__(self) -> str:
        kept, last = self.kept, self.last
        return f"lost {self.stream} {kept.seq} {kept.hash.hex()} {last.seq} {last.hash.hex()}"


class LogBranch(NamedTuple):
    """The content of a statement."""

    old: str
    new: str
    size: int
    root: bytes
    common: int
    at: int
    reason: str
    lost: Sequence[LostEvents]

    def __str__(self) -> str:
        lines = (
            _HEAD,
            self.old,
            self.new,
            f"published {self.size} {to_base64(self.root)}",
            f"common {self.common}",
            f"time {self.at}",
            f"reason {self.reason}",
            *map(str, self.lost),
        )
        return "".join(f"{line}\n" for line in lines)

    @property
    def digest(self) -> bytes:
        """The hash by which events of affected games name the statement."""
        return hashlib.sha256(str(self).encode()).digest()

    def signed(self, keys: Iterable[SigningKey]) -> Note:
        """Returns the signed statement."""
        text = str(self)
        return Note(text, tuple(key.sign(text) for key in keys))

    @classmethod
    def parse(cls, text: str) -> "LogBranch":
        """Parses the text of a statement; raises UnreadableText for any other form."""
        found = _FORM.fullmatch(text)
        if not found:
            raise UnreadableText("branch", "not in its form")
        branch = cls(
            found["old"],
            found["new"],
            from_decimal(found["size"], "branch size"),
            from_base64(found["root"], "branch root", HASH_SIZE),
            from_decimal(found["common"], "branch common size"),
            from_decimal(found["at"], "branch time"),
            found["reason"],
            tuple(map(_lost, found["lost"].splitlines())),
        )
        if str(branch) != text:
            raise UnreadableText("branch", "not in its form")
        return branch


def stored_branch(connection: Connection, origin: str) -> LogBranch | None:
    """Returns the statement with which a log goes on from one that lost events; None for any other log."""
    row = connection.execute(STATEMENT, (origin,)).fetchone()
    return None if row is None else LogBranch.parse(row[0])


def _lost(line: str) -> LostEvents:
    found = _LOST.fullmatch(line)
    if not found:
        raise UnreadableText("branch", "a lost line is not in its form")
    stream, kept, kept_hash, last, last_hash = found.groups()
    return LostEvents(
        UUID(stream),
        Head(from_decimal(kept, "kept event"), bytes.fromhex(kept_hash)),
        Head(from_decimal(last, "lost event"), bytes.fromhex(last_hash)),
    )
