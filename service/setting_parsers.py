"""Declares settings and parses their values; each parser raises ValueError with what the value must be."""

import dataclasses
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from events.files.file_store import read_address

SENTINELS: Final = "redis+sentinel"
CLUSTER: Final = "redis+cluster"
CLUSTER_ADDRESS: Final = re.compile(
    rf"{re.escape(CLUSTER)}://(?:[^@/]*@)?[^@/,]+:[0-9]{{1,5}}(?:,[^@/,]+:[0-9]{{1,5}})*/?"
)
SENTINEL_ADDRESS: Final = re.compile(
    rf"{re.escape(SENTINELS)}://(?:[^@/]*@)?[^@/,]+:[0-9]{{1,5}}(?:,[^@/,]+:[0-9]{{1,5}})*/[^/?]+(?:\?db=[0-9]{{1,3}})?"
)


def setting(name: str, read: Callable[[str], Any], meaning: str, default: str | None = None) -> Any:
    """Returns a field of the settings: variable, parser, meaning, default (None: required)."""
    return dataclasses.field(metadata={"name": name, "read": read, "meaning": meaning, "default": default})


def text(given: str) -> str:
    """Returns a text; raises ValueError when blank."""
    if not given.strip():
        raise ValueError("is blank")
    return given


def whole_number(low: int, high: int) -> Callable[[str], int]:
    """Returns a parser of integers within bounds."""

    def read(given: str) -> int:
        if not given.isascii() or not given.isdigit() or not low <= int(given) <= high:
            raise ValueError(f"must be a whole number from {low} to {high}, not {given!r}")
        return int(given)

    return read


def one_of(*choices: str) -> Callable[[str], str]:
    """Returns a parser of one of a few words."""

    def read(given: str) -> str:
        if given not in choices:
            raise ValueError(f"must be one of {', '.join(choices)}, not {given!r}")
        return given

    return read


def address(*schemes: str) -> Callable[[str], str]:
    """Returns a parser of URLs with some schemes; its error omits the URL, which may hold a password."""

    def read(given: str) -> str:
        if not given.startswith(tuple(f"{scheme}://" for scheme in schemes)):
            raise ValueError(f"must begin with {' or '.join(f'{scheme}://' for scheme in schemes)}")
        return given

    return read


def optional_address(*schemes: str) -> Callable[[str], str]:
    """Returns a parser of URLs with some schemes, or of nothing."""
    read = address(*schemes)
    return lambda given: read(given) if given else ""


def redis_address(given: str) -> str:
    """Reads the address of a server of Redis, or of Sentinels: redis+sentinel://HOST:PORT,HOST:PORT/SERVICE."""
    address("redis", "rediss", "unix", SENTINELS)(given)
    if given.startswith(f"{SENTINELS}://") and not SENTINEL_ADDRESS.fullmatch(given):
        raise ValueError(f"must be like {SENTINELS}://HOST:PORT,HOST:PORT/SERVICE")
    return given


def optional_wake_address(given: str) -> str:
    """Reads the address of Redis for wake-ups, which may be a cluster: redis+cluster://HOST:PORT,HOST:PORT."""
    if given.startswith(f"{CLUSTER}://"):
        if not CLUSTER_ADDRESS.fullmatch(given):
            raise ValueError(f"must be like {CLUSTER}://HOST:PORT,HOST:PORT")
        return given
    return redis_address(given) if given else ""


def optional_path(given: str) -> Path | None:
    """The path of a file, or nothing."""
    return Path(given) if given else None


def addresses(*schemes: str) -> Callable[[str], tuple[str, ...]]:
    """Returns a parser of some URLs between spaces, without a slash at their ends; of none, too."""
    one = address(*schemes)
    return lambda given: tuple(one(each).rstrip("/") for each in given.split())


def place_of_files(given: str) -> str:
    """Returns the absolute path of a directory, or s3://BUCKET/PREFIX, or nothing."""
    if given and not given.startswith("/"):
        try:
            read_address(given)
        except ValueError as fault:
            raise ValueError("must be the absolute path of a directory, or s3://BUCKET/PREFIX") from fault
    return given
