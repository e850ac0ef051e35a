"""Posts messages to a checked address, without following redirects; every call has one deadline."""

import asyncio
import ssl
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from typing import Final

import httpx

from service.webhooks.addresses import Target

CALL_SECONDS: Final = 10.0  # of a whole call: connection, message, header of the answer
BODY_SECONDS: Final = 1.0  # for the body of an answer; a connection with a longer one is closed
LONGEST_BODY: Final = 16_384  # bytes; the same
LONGEST_FAULT: Final = 300
ONE_CONNECTION: Final = httpx.Limits(max_connections=1, max_keepalive_connections=1)


class ReceiverConnection:
    """A connection to the receiver of one webhook, kept open from message to message."""

    def __init__(self, client: httpx.AsyncClient, target: Target, began: float) -> None:
        self._client = client
        self._target = target
        self._began = began  # of the call: the first one began with looking up the name
        self._used = False

    async def post(self, body: bytes, headers: dict[str, str]) -> str | None:
        """Posts a message within the deadline of a call. Returns the fault, None on success."""
        if self._used:
            self._began = asyncio.get_running_loop().time()
        try:
            async with asyncio.timeout_at(self._began + CALL_SECONDS):
                return await self._post(body, headers)
        except TimeoutError:
            return f"no answer within {CALL_SECONDS:.0f} s"
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as fault:
            return f"{type(fault).__name__}: {fault}"[:LONGEST_FAULT]

    async def _post(self, body: bytes, headers: dict[str, str]) -> str | None:
        kept, self._used = self._used, True
        try:
            return await self._answer(body, headers)
        except (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError):
            if not kept:
                raise
            return await self._answer(body, headers)  # the receiver closed the connection that was kept open

    async def _answer(self, body: bytes, headers: dict[str, str]) -> str | None:
        target = self._target
        named, server = {**headers, "Host": target.authority}, {"sni_hostname": target.host}
        async with self._client.stream("POST", target.url, content=body, headers=named, extensions=server) as answer:
            await _read_body(answer)
            return None if answer.is_success else f"the answer was {answer.status_code}"


@asynccontextmanager
async def connection_to(target: Target, began: float) -> AsyncIterator[ReceiverConnection]:
    """Yields a connection to a checked address, opened by the first message; that call began at a time of the loop."""
    transport = httpx.AsyncHTTPTransport(verify=_trust(), limits=ONE_CONNECTION, trust_env=False)
    timeout = httpx.Timeout(CALL_SECONDS)
    async with httpx.AsyncClient(transport=transport, timeout=timeout, trust_env=False) as client:
        yield ReceiverConnection(client, target, began)


async def _read_body(answer: httpx.Response) -> None:
    """Reads a short body, so that the connection can be used again; leaves a long or slow one."""
    size = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(BODY_SECONDS):
            async for piece in answer.aiter_raw():
                size += len(piece)
                if size > LONGEST_BODY:
                    return


@cache
def _trust() -> ssl.SSLContext:
    return httpx.create_ssl_context(trust_env=False)
