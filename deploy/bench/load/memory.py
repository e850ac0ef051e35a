"""The memory of all processes of a bench, by kind: proportional set size, so that each shared page counts once."""

import asyncio
import time
from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

import psutil

MEGABYTE: Final = 2**20
WEB: Final = "web"
KINDS: Final = (  # of processes: how their command lines are known
    (WEB, "service.app:create_app"),
    ("workers", "deploy.cli worker"),
    ("keeper", "deploy.cli keeper"),
    ("PostgreSQL", "postgres"),
    ("Redis", "redis-server"),
)


class MemoryAt(NamedTuple):
    """Megabytes of each kind of process at a time."""

    at: float
    megabytes: Mapping[str, float]


async def follow_memory(memory: list[MemoryAt], pause: float) -> None:
    """Notes the memory of the processes that this one started after each pause, without an end."""
    while True:
        memory.append(MemoryAt(time.monotonic(), await asyncio.to_thread(memory_by_kind)))
        await asyncio.sleep(pause)


def memory_by_kind() -> Mapping[str, float]:
    """Returns the megabytes of each kind of process; those of no kind, such as the abusers, are left out."""
    found = dict.fromkeys((kind for kind, _ in KINDS), 0.0)
    for child in psutil.Process().children():
        kind = _kind(child)
        if kind is not None:
            found[kind] += sum(_proportional(one) for one in _with_descendants(child))
    return found


def _kind(process: psutil.Process) -> str | None:
    """Returns the kind of a process and its descendants."""
    try:
        command = " ".join(process.cmdline())
    except psutil.Error:
        return None
    return next((kind for kind, known in KINDS if known in command), None)


def _with_descendants(process: psutil.Process) -> Iterator[psutil.Process]:
    yield process
    try:
        yield from process.children(recursive=True)
    except psutil.NoSuchProcess:
        return


def _proportional(process: psutil.Process) -> float:
    """Returns the megabytes of a process; nothing once it has ended."""
    try:
        return float(process.memory_full_info().pss) / MEGABYTE
    except psutil.NoSuchProcess:
        return 0.0
