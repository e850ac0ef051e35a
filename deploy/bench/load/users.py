"""Ordinary users: players, players against bots, watchers and readers, each at an address of its own."""

import asyncio
import itertools
import json
import random
import ssl
import time
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack
from functools import partial
from typing import Final, NamedTuple

import httpx

from deploy.bench.load.samples import BOT, WATCH, Recorder
from deploy.bench.streams.games import MOVES

TABLES: Final = 8  # of two players, with a move every second
WATCHERS: Final = 3  # of each table
BOTS: Final = ("bot:greedy", "bot:search", "bot:greedy", "bot:search")  # each against one player
READERS: Final = (("replay", 4, 3.0), ("search", 4, 3.0), ("page", 8, 2.0))  # users, seconds between their requests
PLAYER_PAUSE: Final = 1.0
REQUEST_WITHIN: Final = 30.0
BOT_WITHIN: Final = 60.0
STREAM: Final = {"Accept": "application/x-ndjson"}
TLS: Final = ssl.create_default_context()  # never used, and too slow to make for each user
MIX: Final = (
    f"{TABLES} tables of two players, a move a second at each; {WATCHERS} watchers of each table; "
    f"{len(BOTS)} players against bots; "
    + ", ".join(f"{number} users with a {kind} every {pause:.0f} s" for kind, number, pause in READERS)
)

Document = Mapping[str, object]
Endless = Callable[[], Coroutine[None, None, None]]


class BenchUser:
    """A client at its own address, which measures its requests."""

    def __init__(self, url: str, address: str, recorder: Recorder) -> None:
        transport = httpx.AsyncHTTPTransport(verify=TLS, local_address=address)
        self.http = httpx.AsyncClient(transport=transport, base_url=url, timeout=REQUEST_WITHIN, trust_env=False)
        self.recorder = recorder
        self.id = ""

    async def register(self, name: str) -> None:
        """Makes an account. Raises HTTPStatusError."""
        answer = (await self.http.post("/v1/players", json={"name": name})).raise_for_status().json()
        self.id = answer["player"]["id"]
        self.http.headers["Authorization"] = f"Bearer {answer['token']}"

    async def post(self, path: str, body: Document) -> dict[str, object]:
        """Sends a request that is not measured. Raises HTTPError."""
        document: dict[str, object] = (await self.http.post(path, json=body)).raise_for_status().json()
        return document

    async def ask(self, kind: str, path: str, body: Document | None = None) -> httpx.Response | None:
        """Sends a request and measures it. Returns the answer; None when it failed."""
        began = time.monotonic()
        try:
            answer = await self.http.request("GET" if body is None else "POST", path, json=body)
        except httpx.HTTPError as fault:
            self.recorder.add(kind, began, type(fault).__name__)
            return None
        self.recorder.add(kind, began, "" if answer.is_success else str(answer.status_code))
        return answer if answer.is_success else None

    async def move(self, game: str, text: str) -> tuple[int, float] | None:
        """Makes a move. Returns its version and when it was sent; None when it failed."""
        began = time.monotonic()
        answer = await self.ask("move", f"/v1/games/{game}/moves", {"move": text})
        if answer is None:
            return None
        version = int(answer.json()["version"])
        self.recorder.sent(game, version, began)
        return version, began

    async def events(self, game: str, after: int) -> AsyncGenerator[int]:
        """Yields the number of each event of a game as it arrives. Raises HTTPError."""
        async with self.http.stream("GET", f"/v1/games/{game}/events?after={after}", headers=STREAM) as answer:
            answer.raise_for_status()
            async for line in answer.aiter_lines():
                if '"seq"' in line:
                    yield int(json.loads(line)["seq"])


class BenchTable(NamedTuple):
    """A game of two players without an end."""

    game: str
    version: int
    players: Sequence[BenchUser]  # by seat


async def open_table(host: BenchUser, guest: BenchUser) -> BenchTable:
    """Starts a game of two players. Raises HTTPError."""
    body = {"game": "spice_road", "seats": ["me", "open"], "start_player": 0}
    game = str((await host.post("/v1/games", body))["id"])
    started = (await guest.http.post(f"/v1/games/{game}/seats", json={})).raise_for_status().json()
    people = {one.id: one for one in (host, guest)}
    return BenchTable(game, started["version"], [people[seat["player"]["id"]] for seat in started["seats"]])


async def play(table: BenchTable) -> None:
    """Makes a move after each pause, without an end; a failed move is tried again."""
    for number in itertools.count():
        text, player = MOVES[number // 2 % 2], table.players[number % 2]
        while await player.move(table.game, text) is None:
            await asyncio.sleep(PLAYER_PAUSE)
        await asyncio.sleep(PLAYER_PAUSE)


async def watch(user: BenchUser, table: BenchTable) -> None:
    """Follows a game on a stream, without an end; an ended stream is a fault."""
    version = table.version
    while True:
        began = time.monotonic()
        fault = "stream ended"
        try:
            async for number in user.events(table.game, version):
                user.recorder.received(table.game, version := number)
        except httpx.HTTPStatusError as refused:
            fault = str(refused.response.status_code)
        except httpx.HTTPError as broken:
            fault = type(broken).__name__
        user.recorder.add(WATCH, began, fault)
        await asyncio.sleep(PLAYER_PAUSE)


async def play_bots(user: BenchUser, bot: str) -> None:
    """Plays one game against a bot after the other, without an end."""
    while True:
        began = time.monotonic()
        try:
            await play_bot(user, bot)
        except (httpx.HTTPError, TimeoutError) as fault:
            user.recorder.add(BOT, began, type(fault).__name__)
        await asyncio.sleep(PLAYER_PAUSE)


async def play_bot(user: BenchUser, bot: str, moves: int | None = None) -> None:
    """Plays a game, or some moves of it, against a bot until a move fails. Raises HTTPError or TimeoutError."""
    body = {"game": "spice_road", "seats": ["me", bot], "start_player": 0}
    made = await user.post("/v1/games", body)
    game, version = str(made["id"]), int(str(made["version"]))
    events = user.events(game, version)
    try:
        for text in itertools.islice(itertools.cycle(MOVES), moves):
            if (moved := await user.move(game, text)) is None:
                return
            async with asyncio.timeout(BOT_WITHIN):
                while await anext(events, moved[0] + 1) <= moved[0]:
                    pass
            user.recorder.add(BOT, moved[1])
            await asyncio.sleep(PLAYER_PAUSE)
            state = await user.ask("read", f"/v1/games/{game}")
            if state is None or state.json()["status"] != "running":
                return
    finally:
        await events.aclose()


async def read(user: BenchUser, kind: str, paths: Sequence[str], pause: float, source: random.Random) -> None:
    """Requests one of some paths after each pause, without an end."""
    await asyncio.sleep(pause * source.random())
    while True:
        await user.ask(kind, source.choice(paths))
        await asyncio.sleep(pause)


def reader_paths(games: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Returns what readers of each kind request."""
    return {
        "replay": [f"/v1/games/{game}/replay?positions=false" for game in games],
        "search": [
            *("/v1/games?status=running", "/v1/games?status=finished&limit=20"),
            *("/v1/games?fact=merchant_card_taken", "/v1/games?fact=role_taken", "/v1/games?fact=good_sold"),
        ],
        "page": ["/", "/lobby", "/ratings", "/studies", "/tournaments", *(f"/games/{game}" for game in games)],
    }


class Crowd:
    """All ordinary users."""

    def __init__(self, url: str, recorder: Recorder, exits: AsyncExitStack) -> None:
        self._url = url
        self._recorder = recorder
        self._exits = exits
        self._addresses: Iterator[str] = (f"127.0.1.{number}" for number in range(1, 255))

    async def user(self) -> BenchUser:
        """Returns a user with an account, at a new address. Raises HTTPError."""
        address = next(self._addresses)
        user = BenchUser(self._url, address, self._recorder)
        self._exits.push_async_callback(user.http.aclose)
        await user.register(f"User {address}")
        return user

    async def arrive(self, finished: Sequence[str]) -> Sequence[Endless]:
        """Makes all accounts and tables, and waits for the first bot. Returns what each user does without an end."""
        first = await self.user()
        async with asyncio.timeout(BOT_WITHIN):
            await play_bot(first, BOTS[0], moves=1)
        tables = [await open_table(await self.user(), await self.user()) for _ in range(TABLES)]
        paths = reader_paths([*finished, *(table.game for table in tables)])
        source = random.Random(TABLES)
        works: list[Endless] = [partial(play, table) for table in tables]
        works += [partial(watch, await self.user(), table) for table in tables for _ in range(WATCHERS)]
        works += [partial(play_bots, await self.user(), bot) for bot in BOTS]
        for kind, number, pause in READERS:
            works += [partial(read, await self.user(), kind, paths[kind], pause, source) for _ in range(number)]
        return works
