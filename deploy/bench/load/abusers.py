"""Three abusers, each a process at an address of its own: held connections, five accounts, thirty games of bots."""

import asyncio
import itertools
import json
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection as Pipe
from typing import Final, NamedTuple

import httpx

Tally = Counter[str]
Abuser = Callable[["AbusedService", Tally], Awaitable[None]]
HOLDER: Final = "127.0.0.3"
SPENDER: Final = "127.0.0.4"
MAKER: Final = "127.0.0.5"
CONNECTING: Final = 50  # at once
AGAIN_AFTER: Final = 10.0  # seconds, then a stream that was refused or ended is asked for again
HALF_AGAIN_AFTER: Final = 1.0
HALF_HEADER: Final = b"GET /healthz HTTP/1.1\r\nHost: bench\r\nX-Half: "
HALF_BODY: Final = (
    b"POST /v1/players HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\nContent-Length: 500\r\n\r\n{"
)
ACCOUNTS: Final = 5
SPENDING_PAUSE: Final = 0.05
NUMBERS: Final = 400_000  # where five texts may stand
SEARCH_BOTS: Final = 5
MAKING_PAUSE: Final = 5.0  # after the first games the maker asks for another
TIMEOUT: Final = 30.0
TOLD_WITHIN: Final = 10.0


class AbusedService(NamedTuple):
    """What is abused, how much, and when (of the monotonic clock, which all processes share)."""

    address: tuple[str, int]
    game: str  # a public one with many moves
    connections: int  # idle streams, and as many half-sent requests
    games: int  # of search bots
    begin: float
    end: float


async def hold_connections(target: AbusedService, tally: Tally) -> None:
    """Holds streams of an open table and half-sent requests; opens each again after the server closed it."""
    async with _client(target, HOLDER) as http:
        await _register(http, "Holder")
        table = (await http.post("/v1/games", json={"game": "spice_road", "seats": ["me", "open"]})).raise_for_status()
    stream = f"GET /v1/games/{table.json()['id']}/events HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n"
    sent = itertools.cycle((HALF_HEADER, HALF_BODY))
    gate = asyncio.Semaphore(CONNECTING)

    async def hold(request: bytes, what: str, pause: float) -> None:
        while True:
            try:
                async with gate:
                    reader, writer = await asyncio.open_connection(*target.address, local_addr=(HOLDER, 0))
                    writer.write(request)
                    tally[f"{what} opened"] += 1
                status = await _status(reader)
                writer.close()
            except OSError:
                status = "cut"
            tally[f"{what} {status}"] += 1
            await asyncio.sleep(pause)

    await asyncio.gather(
        *(hold(stream.encode(), "stream", AGAIN_AFTER) for _ in range(target.connections)),
        *(hold(next(sent), "half request", HALF_AGAIN_AFTER) for _ in range(target.connections)),
    )


async def _status(reader: asyncio.StreamReader) -> str:
    """Reads until the server closes the connection. Returns the status of its answer."""
    head = await reader.read(12)
    while await reader.read(65_536):
        pass
    return head[9:12].decode() or "cut"


async def spend_everything(target: AbusedService, tally: Tally) -> None:
    """Lets five accounts of one address ask as fast as they can, with large bodies between."""
    numbers = json.dumps({"scopes": [0] * NUMBERS, "label": ""}, separators=(",", ":")).encode()
    moves = json.dumps({"game": "spice_road", "moves": [0] * NUMBERS}, separators=(",", ":")).encode()
    small: list[tuple[str, bytes | None]] = [
        (f"/v1/games/{target.game}/replay", None),
        ("/v1/games?fact=merchant_card_taken", None),
        (f"/v1/games/{target.game}/bundle", None),
    ]
    requests = [*small, ("/v1/tokens", numbers), *small, ("/v1/analysis", moves)]

    async def spend(number: int) -> None:
        async with _client(target, SPENDER) as http:
            await _register(http, f"Spender {number}")
            for path, body in itertools.cycle(requests):
                await _ask(http, path, body, tally)
                await asyncio.sleep(SPENDING_PAUSE)

    await asyncio.gather(*(spend(number) for number in range(ACCOUNTS)))


async def make_games(target: AbusedService, tally: Tally) -> None:
    """Creates games of search bots at once, then one more after each pause, as far as the quota goes."""
    game = json.dumps({"game": "puerto_rico", "seats": ["bot:search"] * SEARCH_BOTS}).encode()
    async with _client(target, MAKER) as http:
        await _register(http, "Maker")
        await asyncio.gather(*(_ask(http, "/v1/games", game, tally) for _ in range(target.games)))
        while True:
            await asyncio.sleep(MAKING_PAUSE)
            await _ask(http, "/v1/games", game, tally)


async def _register(http: httpx.AsyncClient, name: str) -> None:
    answer = (await http.post("/v1/players", json={"name": name})).raise_for_status().json()
    http.headers["Authorization"] = f"Bearer {answer['token']}"


async def _ask(http: httpx.AsyncClient, path: str, body: bytes | None, tally: Tally) -> None:
    try:
        answer = await http.request("GET" if body is None else "POST", path, content=body)
        tally[str(answer.status_code)] += 1
    except httpx.HTTPError as fault:
        tally[type(fault).__name__] += 1


def _client(target: AbusedService, address: str) -> httpx.AsyncClient:
    host, port = target.address
    return httpx.AsyncClient(
        base_url=f"http://{host}:{port}",
        transport=httpx.AsyncHTTPTransport(local_address=address),
        timeout=TIMEOUT,
        trust_env=False,
        headers={"Content-Type": "application/json"},
    )


ABUSERS: Final[tuple[tuple[str, Abuser], ...]] = (
    ("idle streams and half-sent requests of one address", hold_connections),
    ("five accounts of one address beyond their limit, large bodies between", spend_everything),
    ("games of five search bots of one account", make_games),
)


@contextmanager
def abuser(number: int, target: AbusedService) -> Iterator[Callable[[], Tally]]:
    """Runs an abuser in a process of its own. Yields a function that waits until it is over and returns its answers."""
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_abuse, args=(number, target, theirs), daemon=True)

    def told() -> Tally:
        within = max(0.0, target.end - time.monotonic()) + TOLD_WITHIN
        if not ours.poll(within):
            raise TimeoutError(f"{ABUSERS[number][0]}: did not end")
        try:
            received: Tally = ours.recv()
        except EOFError as ended:
            raise RuntimeError(f"{ABUSERS[number][0]}: ended too early") from ended
        return received

    process.start()
    theirs.close()  # so that the end of the process is noticed
    try:
        yield told
    finally:
        process.terminate()
        process.join(TOLD_WITHIN)
        process.kill()
        process.join()


def _abuse(number: int, target: AbusedService, pipe: Pipe) -> None:
    tally: Tally = Counter()
    asyncio.run(_abuse_for_a_while(ABUSERS[number][1], target, tally))
    pipe.send(tally)


async def _abuse_for_a_while(abuse: Abuser, target: AbusedService, tally: Tally) -> None:
    await asyncio.sleep(target.begin - time.monotonic())
    working = asyncio.ensure_future(abuse(target, tally))
    await asyncio.wait([working], timeout=max(0.0, target.end - time.monotonic()))
    working.cancel()
    await asyncio.wait([working])
    if not working.cancelled():
        working.result()  # raises what ended it too early
