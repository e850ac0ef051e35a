"""Sends requests until they are answered and follows streams across broken connections; for asyncio."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any

import httpx

from cabildo_client.connection.retries import (
    BROKEN_STREAM,
    NDJSON,
    SILENCE,
    Attempts,
    Body,
    StreamState,
    answer_of,
    headers,
    is_temporary,
    key_header,
    retry_after,
)
from cabildo_client.errors import Unreachable
from cabildo_client.json_values import JsonObject

log = logging.getLogger("cabildo_client")


class AsyncTransport:
    """Sends requests with a bearer token; a cancelled task ends its request or stream."""

    def __init__(self, url: str, retry_seconds: float, transport: httpx.AsyncBaseTransport | None) -> None:
        self.http = httpx.AsyncClient(base_url=url, timeout=SILENCE, transport=transport)
        self._retry_seconds = retry_seconds
        self._hurried = asyncio.Event()  # no request is repeated any more

    def hurry(self) -> None:
        """Lets what is on its way be answered, and repeats no request from now on."""
        self._hurried.set()

    async def close(self) -> None:
        """Closes all connections."""
        await self.http.aclose()

    async def request(self, token: str, method: str, path: str, body: Body, accept: str) -> Any:
        """Returns the answer; repeats the request as the synchronous transport does."""
        sent, attempts = headers(token, accept) | key_header(method), Attempts(path, self._retry_seconds)
        while True:
            wait = 0.0
            try:
                response = await self.http.request(method, path, json=body, headers=sent)
                if not is_temporary(response):
                    return answer_of(response)
                wait, reason = retry_after(response), f"status {response.status_code}"
            except httpx.TransportError as problem:
                reason = str(problem)
            self._check_time(reason)
            await self._wait(attempts.next_pause(wait, reason))
            self._check_time(reason)

    def _check_time(self, reason: str) -> None:
        """Raises Unreachable for a request that a hurry cut off."""
        if self._hurried.is_set():
            raise Unreachable(reason)

    async def _wait(self, seconds: float) -> None:
        """Waits, but not in a hurry."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self._hurried.wait(), seconds)

    async def stream(self, token: str, path: str, state: StreamState) -> AsyncGenerator[JsonObject, None]:
        """Yields the items of a stream to its end; resumes after the last one without a gap."""
        while not self._hurried.is_set():
            wait = 0.0
            try:
                sent = headers(token, NDJSON) | state.headers()
                async with self.http.stream("GET", path, headers=sent) as response:
                    wait = retry_after(response)
                    if response.is_error and not is_temporary(response):
                        await response.aread()
                        answer_of(response)
                    if response.is_success:
                        async for line in response.aiter_lines():
                            if (item := state.item(line)) is not None:
                                yield item
                            if state.is_over:
                                return
            except BROKEN_STREAM as problem:
                log.warning("stream %s broke off after %s (%s); following it again", path, state.after, problem)
            await self._wait(state.next_pause(wait))
