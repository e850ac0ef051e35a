"""Streams of the fake server: lines as they come, for threads and for asyncio."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Final

import httpx

Document = dict[str, Any]
Newer = Callable[[int], Sequence[Document]]  # the items after so many; the last one may say that the stream is closed
PAUSE: Final = 0.005  # seconds between two looks for new items
KEEP_ALIVE: Final = b"\n"


class LiveLines(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The items after a number, a line each, until one closes the stream, or the stream is cut as ordered."""

    def __init__(self, newer: Newer, after: int, cut: int) -> None:
        self._newer = newer
        self._after = after
        self._cut = cut
        self._told = 0

    def __iter__(self) -> Iterator[bytes]:
        while (chunk := self._next()) is not None:
            yield chunk
            if chunk == KEEP_ALIVE:
                time.sleep(PAUSE)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (chunk := self._next()) is not None:
            yield chunk
            if chunk == KEEP_ALIVE:
                await asyncio.sleep(PAUSE)

    def _next(self) -> bytes | None:
        """Returns the next line, a keep-alive where there is none, half a line where it is cut, None after the end."""
        if self._told < 0:
            return None
        items = self._newer(self._after)
        if not items:
            return KEEP_ALIVE
        line = f"{json.dumps(items[0])}\n".encode()
        if self._cut and self._told == self._cut:
            self._told = -1
            return line[:10]
        self._after, self._told = self._after + 1, -1 if "closed" in items[0] else self._told + 1
        return line
