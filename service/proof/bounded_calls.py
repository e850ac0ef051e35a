"""HTTP calls to other operators' servers, all at once: each has one deadline from connecting to the last byte."""

import asyncio
import ssl
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

import httpx

from events.merkle.notes import MAX_NOTE

OK: Final = 200
NOT_FOUND: Final = 404
ANSWER_WITHIN: Final = 2.0  # seconds


class Call(NamedTuple):
    """A GET of an address, or a POST with a body."""

    url: str
    body: bytes | None = None


class Answer(NamedTuple):
    """An answer of moderate length."""

    status: int
    content_type: str
    body: bytes


def call_all(calls: Sequence[Call], seconds: float = ANSWER_WITHIN) -> list[Answer | None]:
    """Returns the answer to each call; None for one that is late, longer than any checkpoint, or not to be had."""
    return asyncio.run(_gather(calls, seconds)) if calls else []


async def _gather(calls: Sequence[Call], seconds: float) -> list[Answer | None]:
    async with httpx.AsyncClient(timeout=seconds, verify=_trust()) as client:
        return list(await asyncio.gather(*(_call(client, call, seconds) for call in calls)))


async def _call(client: httpx.AsyncClient, call: Call, seconds: float) -> Answer | None:
    method = "GET" if call.body is None else "POST"
    try:
        async with (
            asyncio.timeout(seconds),
            client.stream(method, call.url, content=call.body) as answer,
        ):
            body = bytearray()
            async for piece in answer.aiter_bytes():
                body += piece
                if len(body) > MAX_NOTE:
                    return None
            return Answer(answer.status_code, answer.headers.get("content-type", ""), bytes(body))
    except (TimeoutError, httpx.HTTPError, httpx.InvalidURL):
        return None


@cache
def _trust() -> ssl.SSLContext:
    return httpx.create_ssl_context()
