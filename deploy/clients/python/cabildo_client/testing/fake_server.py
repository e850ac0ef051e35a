"""A fake server: no network, no rules, no clock; it answers as the service answered when a game was recorded."""

import json
import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final
from uuid import uuid4

import httpx

from cabildo_client.async_client import AsyncClient
from cabildo_client.client import Client
from cabildo_client.testing.live_lines import LiveLines, Newer
from cabildo_client.testing.scripted_game import Document, ScriptedGame

ADDRESS: Final = "http://cabildo.test"
PLAYER: Final = "01a00000-0000-7000-8000-000000000001"
LINES: Final = "application/x-ndjson"


class FakeServer:
    """The part of the protocol that a bot needs, with one recorded game of each kind that is created.

    The opponent's moves and the next position are those of the recording, whatever legal move the program makes: it
    tests how a program talks, not how well it plays. Moves that the recording does not list, outdated versions, unknown
    games and wrong tokens are refused as the service does. Committed chance, clocks, offers and studies are absent.

    Faults can be ordered: `lose_answers`, `refuse`, `cut_streams`. `requests` has every request that arrived.
    """

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []
        self.games: dict[str, ScriptedGame] = {}
        self.tokens: set[str] = set()
        self._notices: list[Document] = []
        self._answers: dict[str, httpx.Response] = {}  # by idempotency key
        self._losses, self._refusals, self._cut = 0, list[tuple[int, str]](), 0

    def client(self, **more: Any) -> Client:
        """Returns a client of this server."""
        return Client(ADDRESS, transport=httpx.MockTransport(self.handle), **more)

    def async_client(self, **more: Any) -> AsyncClient:
        """Returns an asynchronous client of this server."""
        return AsyncClient(ADDRESS, transport=httpx.MockTransport(self.handle), **more)

    # --- faults ----------------------------------------------------------------------------------------------------

    def lose_answers(self, times: int = 1) -> None:
        """Executes the next requests, and breaks the connection before their answers."""
        self._losses += times

    def refuse(self, status: int = 503, retry_after: str = "0", times: int = 1) -> None:
        """Refuses the next requests, as an overloaded service or a rate limit does."""
        self._refusals += [(status, retry_after)] * times

    def cut_streams(self, after: int) -> None:
        """Ends each answer to a stream after so many items, in the middle of a line; 0 cuts none."""
        self._cut = after

    # --- requests --------------------------------------------------------------------------------------------------

    def handle(self, request: httpx.Request) -> httpx.Response:
        """Answers a request, for `httpx.MockTransport`."""
        self.requests.append((request.method, request.url.path))
        if self._refusals:
            status, retry_after = self._refusals.pop(0)
            return problem(status, "service_busy", "ordered by the test", headers={"Retry-After": retry_after})
        key = request.headers.get("Idempotency-Key", "")
        response = self._answers.get(key) or self._answer(request)
        if key:
            self._answers[key] = response
        if self._losses:
            self._losses -= 1
            raise httpx.ReadError("the answer was lost", request=request)
        return response

    def _answer(self, request: httpx.Request) -> httpx.Response:
        if request.url.path != "/v1/players" and not self._is_known(request):
            return problem(HTTPStatus.UNAUTHORIZED, "unauthenticated", "the token is not of this server")
        for method, pattern, respond in ROUTES:
            found = re.fullmatch(pattern, request.url.path)
            if found and method == request.method:
                game = found.groupdict().get("game")
                if game is not None and game not in self.games:
                    return problem(HTTPStatus.NOT_FOUND, "not_there", f"there is no game {game}")
                return respond(self, request) if game is None else respond(self, request, self.games[game])
        return problem(HTTPStatus.NOT_FOUND, "not_there", f"the fake server does not have {request.url.path}")

    def _is_known(self, request: httpx.Request) -> bool:
        return request.headers.get("Authorization", "").removeprefix("Bearer ") in self.tokens

    # --- answers ---------------------------------------------------------------------------------------------------

    def register(self, request: httpx.Request) -> httpx.Response:
        """Every name is the same player, with another token."""
        token = f"cab_{uuid4().hex}"
        self.tokens.add(token)
        player = {"id": PLAYER, "name": body_of(request)["name"]}
        return httpx.Response(HTTPStatus.CREATED, json={"player": player, "token": token})

    def me(self, _request: httpx.Request) -> httpx.Response:
        """The player."""
        return httpx.Response(200, json={"id": PLAYER})

    def create(self, request: httpx.Request) -> httpx.Response:
        """Begins the recorded game."""
        kind = str(body_of(request).get("game"))
        if kind not in ("puerto_rico", "spice_road"):
            return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid_request", f"no game is called {kind}")
        game = ScriptedGame(kind, PLAYER)
        self.games[game.id] = game
        self._notify(game)
        return httpx.Response(HTTPStatus.CREATED, json=game.overview)

    def listed(self, request: httpx.Request) -> httpx.Response:
        """The games, on one page."""
        status = request.url.params.get("status")
        games = [game.overview for game in self.games.values() if status in (None, game.overview["status"])]
        return httpx.Response(200, json={"games": games, "next": None})

    def overview(self, _request: httpx.Request, game: ScriptedGame) -> httpx.Response:
        """A game without its board."""
        return httpx.Response(200, json=game.overview)

    def legal(self, _request: httpx.Request, game: ScriptedGame) -> httpx.Response:
        """The legal moves."""
        return httpx.Response(200, json=game.legal)

    def position(self, request: httpx.Request, game: ScriptedGame) -> httpx.Response:
        """The board, at the newest version alone."""
        if request.url.params.get("at", str(game.version)) != str(game.version):
            return problem(HTTPStatus.NOT_FOUND, "not_there", "the fake server has the newest board alone")
        return httpx.Response(200, json=game.position)

    def move(self, request: httpx.Request, game: ScriptedGame) -> httpx.Response:
        """Takes one of the listed moves."""
        asked = body_of(request)
        if game.is_over:
            return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "game_is_over", "the game is over")
        if asked.get("expected") not in (None, game.version):
            return problem(HTTPStatus.CONFLICT, "stale_version", f"the game is at version {game.version}")
        if asked.get("move") not in game.offered:
            said = f"{asked.get('move')!r} is not among the listed moves"
            return problem(HTTPStatus.UNPROCESSABLE_ENTITY, "illegal_move", said, {"alternatives": game.offered})
        event = game.play(asked["move"])
        self._notify(game)
        state = {name: game.overview[name] for name in ("version", "head", "status", "turn")}
        return httpx.Response(HTTPStatus.CREATED, json={"event": event, **state, "receipt": receipt(event, state)})

    def events(self, request: httpx.Request, game: ScriptedGame) -> httpx.Response:
        """The events after a number: a page or, by `Accept`, a stream, the newest with what `with` asks for."""
        after = after_of(request)
        if LINES not in request.headers.get("Accept", ""):
            found = game.events[after:]
            return httpx.Response(200, json={"events": found, "next": found[-1]["seq"] if found else after})
        beside = {"position", "legal"} & {*request.url.params.get("with", "").split(",")}

        def newer(after: int) -> list[Document]:
            closed = [{"closed": "game_is_over", "next": game.version}] if game.is_over else []
            return [*game.told(after, beside), *closed]

        return self._stream(newer, after)

    def notices(self, request: httpx.Request) -> httpx.Response:
        """The notifications, as they come."""
        return self._stream(lambda after: self._notices[after:], after_of(request))

    def _notify(self, game: ScriptedGame) -> None:
        event, number = "game_over" if game.is_over else "your_turn", len(self._notices) + 1
        self._notices.append({"number": number, "event": event, "game": game.id, "version": game.version})

    def _stream(self, newer: Newer, after: int) -> httpx.Response:
        lines = LiveLines(newer, after, self._cut)
        return httpx.Response(200, headers={"Content-Type": LINES}, stream=lines)


def body_of(request: httpx.Request) -> Document:
    """Returns the JSON of a request."""
    body: Document = json.loads(request.content or b"{}")
    return body


def after_of(request: httpx.Request) -> int:
    """Returns the number that a page or stream continues after."""
    return int(request.url.params.get("after") or request.headers.get("Last-Event-ID") or 0)


def problem(
    status: int, name: str, detail: str, more: Mapping[str, Any] = {}, headers: Mapping[str, str] = {}
) -> httpx.Response:
    """Returns an RFC 9457 problem."""
    document = {"type": f"/problems#{name}", "status": status, "title": detail, "detail": detail, **more}
    kind = {"Content-Type": "application/problem+json"}
    return httpx.Response(status, headers={**kind, **headers}, content=json.dumps(document).encode())


def receipt(event: Document, state: Document) -> str:
    """Returns a receipt in its form; no key of a log has signed it."""
    text = (
        f"cabildo/receipt/v1\ncabildo.test\nstream {event['stream']}\nevent {event['seq']} {event['hash']}\n"
        f"head {state['version']} {state['head']}\ntime {event['at']}\nwithin 60\n"
    )
    return f"{text}\n\u2014 cabildo.test/receipts AAAA\n"


Respond = Callable[..., httpx.Response]
GAME: Final = r"/v1/games/(?P<game>[0-9a-f-]+)"
ROUTES: Final[tuple[tuple[str, str, Respond], ...]] = (
    ("POST", "/v1/players", FakeServer.register),
    ("POST", "/v1/bots", FakeServer.register),
    ("GET", "/v1/me", FakeServer.me),
    ("GET", "/v1/me/stream", FakeServer.notices),
    ("GET", "/v1/games", FakeServer.listed),
    ("POST", "/v1/games", FakeServer.create),
    ("GET", GAME, FakeServer.overview),
    ("GET", f"{GAME}/legal", FakeServer.legal),
    ("GET", f"{GAME}/position", FakeServer.position),
    ("GET", f"{GAME}/events", FakeServer.events),
    ("POST", f"{GAME}/moves", FakeServer.move),
)
