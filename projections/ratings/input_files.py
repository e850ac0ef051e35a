"""Files of rating inputs, from which any client can recompute the ratings of a pool.

`deploy/docs/archive.md` specifies it, section 3.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from events.canonical import canonical, read_canonical
from events.kinds.field_types import (
    HASH,
    ID,
    NAME,
    UUID_TEXT,
    VERSION,
    Fields,
    each,
    first_fault,
    one_of,
    record,
    whole,
)
from events.log.bundle import LARGEST_BUNDLE
from events.merkle.errors import UnreadableText
from projections.ratings.model import MODEL, POOLS, Rating, chained

FORMAT: Final = "cabildo/ratings/v1"
MOST_INPUTS: Final = 100_000  # the limit for an archive of a tournament
_MILLIONTHS = whole(-(10**12), 10**12)
_PLAYERS = each(record(player=ID, place=whole(1, 5)), 5)
_INPUT = record(stream=UUID_TEXT, seq=VERSION, hash=HASH, players=_PLAYERS)
_FIELDS: Fields = {
    "format": one_of(FORMAT),
    "model": one_of(MODEL),
    "game": NAME,
    "pool": one_of(*POOLS),
    "upto": VERSION,
    "inputs": each(record(idx=VERSION, input=_INPUT), MOST_INPUTS),
    "hash": HASH,
    "ratings": each(record(player=ID, mu=_MILLIONTHS, sigma=_MILLIONTHS), MOST_INPUTS),
}


class Input(NamedTuple):
    """The rating input of one game, with its index in the log."""

    idx: int
    document: Mapping[str, Any]


class RatingFile(NamedTuple):
    """The inputs of a pool, and some players' ratings after them; only the form is checked."""

    game: str
    pool: str
    upto: int  # all log entries below this index are included
    inputs: tuple[Input, ...]
    hash: str  # over all inputs, in hexadecimal digits
    ratings: Mapping[str, Rating]

    def encode(self) -> bytes:
        """Returns the bytes of the file."""
        return canonical(
            {
                "format": FORMAT,
                "model": MODEL,
                "game": self.game,
                "pool": self.pool,
                "upto": self.upto,
                "inputs": [{"idx": one.idx, "input": dict(one.document)} for one in self.inputs],
                "hash": self.hash,
                "ratings": [{"player": name, **self.ratings[name]._asdict()} for name in sorted(self.ratings)],
            }
        )

    @classmethod
    def read(cls, data: bytes) -> "RatingFile":
        """Parses a file; raises UnreadableText."""
        document: Any = read_canonical(data, LARGEST_BUNDLE)
        fault = first_fault(_FIELDS, document) if isinstance(document, dict) else ("it", "is not an object")
        if fault is not None:
            raise UnreadableText("file of ratings", " ".join(fault))
        found = cls._of(document)
        if len(found.ratings) < len(document["ratings"]):
            raise UnreadableText("file of ratings", "a player twice")
        return found

    @classmethod
    def _of(cls, document: Mapping[str, Any]) -> "RatingFile":
        inputs = tuple(Input(row["idx"], row["input"]) for row in document["inputs"])
        ratings = {row["player"]: Rating(row["mu"], row["sigma"]) for row in document["ratings"]}
        return cls(document["game"], document["pool"], document["upto"], inputs, document["hash"], ratings)


def hash_of(inputs: tuple[Input, ...]) -> str:
    """Returns the hash that `GET /v1/ratings` states after the last of these inputs."""
    found = b""
    for one in inputs:
        found = chained(found, canonical(dict(one.document)))
    return found.hex()
