"""The Python client: every request may be repeated without harm, streams resume by themselves, receipts are kept."""

import json
import secrets
import threading
import time
from collections.abc import Generator, Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID, uuid4

import httpx
import structlog

from events.errors import CabildoError
from events.event import Head
from events.json_types import Json, JsonObject
from projections.games import chance
from projections.games.signed_moves import key_statement, move_statement
from service.client.secrets import ClientSecrets

PATIENCE: Final = 120.0  # seconds for which an unanswered request is repeated
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 10.0
BROKEN_OFF = (httpx.TransportError, httpx.StreamError, json.JSONDecodeError)  # a line may be cut in two
LONGEST_NAME: Final = 40
SILENCE: Final = 30.0  # a stream gives a sign of life every ten seconds
LINES: Final = "application/x-ndjson"
REVEAL_AGAIN: Final = 0.2
log = structlog.get_logger("service.client.http")


class Refused(CabildoError):
    """The service refuses a request, and says why."""

    def __init__(self, status: int, problem: Mapping[str, Any]) -> None:
        super().__init__(problem.get("detail") or problem.get("title") or f"status {status}")
        self.status = status
        self.problem = problem
        self.reason = str(problem.get("type", "")).rpartition("#")[2]


class Unreachable(CabildoError):
    """The service did not answer for so long that the client gives up."""


class ClientTurn(NamedTuple):
    """A decision that waits for the client."""

    game: UUID
    seat: int
    decision: str
    version: int
    position: JsonObject  # as the seat sees it
    legal: list[str]  # moves in notation; of a long collection those that are suggested
    rules: str  # the version that the game keeps to


class Client:
    """One player's way to a service. Its methods may be called from several threads."""

    def __init__(
        self, url: str, token: str = "", *, keep: Path | None = None, patience: float = PATIENCE, signs: bool = False
    ) -> None:
        self._http = httpx.Client(base_url=url, timeout=SILENCE)
        self._signs = signs  # registers a key, and signs each move of the seats it takes
        self._patience = patience
        self.token = token
        self.vault = ClientSecrets(keep)
        self._player = ""
        self._levels: dict[UUID, int] = {}
        self._closing = threading.Event()

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of all connections; streams end."""
        self._closing.set()
        self._http.close()

    # --- requests --------------------------------------------------------------------------------------------------

    def register(self, name: str) -> str:
        """Become a player of the service; the id."""
        answer = self.ask("POST", "/v1/players", {"name": name})
        self.token, self._player = answer["token"], answer["player"]["id"]
        return self._player

    def register_bot(self, name: str, engine: str) -> str:
        """Registers a bot of the player, or of a new player, and acts for it from now on. Returns its id."""
        if not self.token:
            self.register(f"owner of {name}"[:LONGEST_NAME])
        answer = self.ask("POST", "/v1/bots", {"name": name, "engine": engine})
        self.token, self._player = answer["token"], answer["player"]["id"]
        return self._player

    def player(self) -> str:
        """The id of whom the token belongs to."""
        if not self._player:
            self._player = str(self.ask("GET", "/v1/me")["id"])
        return self._player

    def create(self, game: str, seats: list[str], **more: Json) -> dict[str, Any]:
        """Create a game; with a committed chance of level 2 or 3, bring what it asks of the own seat."""
        asked = {"game": game, "seats": seats, **(self._with_key(more) if "me" in seats else more)}
        if more.get("chance") in (chance.ChanceLevel.SEALED, chance.ChanceLevel.CHAINED) and "me" in seats:
            return self._commit(self.ask("POST", "/v1/games", {**asked, "commits": True}))
        return self.ask("POST", "/v1/games", asked)

    def join(self, game: UUID, **more: Json) -> dict[str, Any]:
        """Take a seat, and bring to the deal what its level asks."""
        level, more = self.game(game)["chance"]["level"], self._with_key(more)
        if level < chance.ChanceLevel.SEALED:
            return self.ask("POST", f"/v1/games/{game}/seats", dict(more))
        return self._commit(self.ask("POST", f"/v1/games/{game}/seats", {**more, "commits": True}))

    def bring(self, game: UUID) -> None:
        """Bring to the deal what the own seat still owes, as after a restart between sitting down and the start."""
        known = self.game(game)
        mine = own_seat(known, self.player())
        if known["status"] != "open" or mine is None:
            return
        if mine["commitment"] is not None:
            self._reveal_soon(game)
        elif mine["promised"]:
            self._commit(known)

    def waiting(self) -> Generator[UUID, None, None]:
        """The games in which the client has sat down and that have not started."""
        query = f"/v1/games?status=open&player={self.player()}"
        page = self.ask("GET", query)
        yield from (UUID(game["id"]) for game in page["games"])
        while page["next"] is not None:
            page = self.ask("GET", f"{query}&after={page['next']}")
            yield from (UUID(game["id"]) for game in page["games"])

    def game(self, game: UUID) -> dict[str, Any]:
        """A game besides its board."""
        return self.ask("GET", f"/v1/games/{game}")

    def turn(self, game: UUID) -> ClientTurn | None:
        """What the client has to decide in a game; None when it is not to act."""
        known = self.game(game)
        mine = own_seat(known, self.player())
        if known["turn"] is None or mine is None or known["turn"]["seat"] != mine["seat"]:
            return None
        offered = self.ask("GET", f"/v1/games/{game}/legal")
        position = self.ask("GET", f"/v1/games/{game}/position?at={offered['version']}")
        if offered["version"] != known["version"]:
            return self.turn(game)
        moves = offered.get("moves") or offered.get("suggested", [])
        legal = [str(one["move"]) for one in moves]
        return ClientTurn(
            game, mine["seat"], known["turn"]["decision"], known["version"], position, legal, known["rules"]
        )

    def withdraw_offer(self, game: UUID, expected: int | None = None) -> dict[str, Any]:
        """Withdraw what the own seat has proposed, while it waits for answers."""
        return self.ask("POST", f"/v1/games/{game}/offer/withdrawal", {"expected": expected})

    def move(self, game: UUID, text: str, expected: int | None = None) -> dict[str, Any]:
        """Make a move; the receipt is kept. With a chain, its next link goes with the move."""
        body: dict[str, Json] = {"move": text, "expected": expected}
        if self._signs:
            body |= self._signed(game, text)
        if game not in self._levels:
            self._levels[game] = self.game(game)["chance"]["level"]
        if self._levels[game] == chance.ChanceLevel.CHAINED:
            body["link"] = self._next_link(self.game(game))
        made = self.ask("POST", f"/v1/games/{game}/moves", body)
        self.vault.keep({"game": str(game), "version": made["version"], "receipt": made["receipt"]})
        return made

    def ask(self, method: str, path: str, body: Mapping[str, Json] | None = None) -> dict[str, Any]:
        """Send a request until it is answered: again after a broken connection, an overload or a 429."""
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        if method == "POST":
            headers["Idempotency-Key"] = uuid4().hex  # the same for every repetition
        give_up, pause = time.monotonic() + self._patience, FIRST_PAUSE
        while True:
            told = 0.0
            try:
                response = self._http.request(method, path, json=body, headers=headers)
                if not _later(response):
                    return _read(response)
                told, reason = _retry_after(response), f"status {response.status_code}"
            except httpx.TransportError as problem:
                reason = str(problem)
            if time.monotonic() + told + pause > give_up or self._closing.is_set():
                raise Unreachable(reason)
            if pause == FIRST_PAUSE:
                log.warning("not answered; asking again until it is", path=path, reason=reason)
            self._rest(told, pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def _rest(self, told: float, pause: float) -> None:
        """Wait as long as the service told, and then a while, so that not all come back at once."""
        self._closing.wait(told + pause * (0.5 + secrets.randbelow(100) / 100))

    # --- streams ---------------------------------------------------------------------------------------------------

    def events(self, game: UUID, after: int = 0) -> Generator[dict[str, Any], None, None]:
        """All events of a game from a version on, to its end; broken connections are resumed without a gap."""
        yield from self._stream(f"/v1/games/{game}/events", after, "seq")

    def news(self) -> Generator[dict[str, Any], None, None]:
        """What happens to the client: `seat_kept`, `game_started`, `your_turn`, `game_over`; first, what waits."""
        yield from self._stream("/v1/me/stream", None, "number")

    def _stream(self, path: str, after: int | None, number: str) -> Generator[dict[str, Any], None, None]:
        pause = FIRST_PAUSE
        while not self._closing.is_set():
            query, wait = {} if after is None else {"after": after}, 0.0
            headers = {"Authorization": f"Bearer {self.token}", "Accept": LINES}
            try:
                with self._http.stream("GET", path, params=query, headers=headers) as response:
                    wait = _retry_after(response)
                    if response.is_error and not _later(response):
                        response.read()
                        _read(response)
                    for line in response.iter_lines() if response.is_success else ():
                        told = json.loads(line) if line.strip() else {}
                        if told.get("closed") == "game_is_over":
                            return
                        if number in told:
                            after, pause = int(told[number]), FIRST_PAUSE
                            yield told
            except BROKEN_OFF as problem:
                log.warning("stream broke off; following it again", path=path, after=after, reason=str(problem))
            self._rest(wait, pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    # --- committed chance ------------------------------------------------------------------------------------------

    def _commit(self, known: dict[str, Any]) -> dict[str, Any]:
        """Commit to the own entropy, and to a hash chain where the level asks for one."""
        game, chair = UUID(known["id"]), self._chair(known)
        entropy = self.vault.entropy(game, chair)
        body: dict[str, Json] = {
            "commitment": chance.entropy_commitment(game, chair, entropy).hex(),
            "echo": known["chance"]["commitment"],
        }
        if known["chance"]["level"] == chance.ChanceLevel.CHAINED:
            body["chain"] = self.vault.chain(game, chair)[0].hex()
        committed = self.ask("POST", f"/v1/games/{game}/seats", body)
        self._reveal_soon(game)
        return committed

    def _reveal_soon(self, game: UUID) -> None:
        threading.Thread(target=self._reveal_in_time, args=(game,), daemon=True).start()

    def _reveal_in_time(self, game: UUID) -> None:
        try:
            self.reveal(game)
        except CabildoError as problem:
            log.warning("entropy not revealed", game=str(game), reason=str(problem))

    def reveal(self, game: UUID) -> dict[str, Any]:
        """Reveal the own entropy as soon as all commitments are in and sealed; the game as it is then."""
        give_up = time.monotonic() + self._patience
        while True:
            known = self.game(game)
            mine = own_seat(known, self.player())
            if known["status"] != "open" or mine is None or mine["entropy"] is not None:
                return known
            if known["chance"]["closed"] is not None:
                try:
                    entropy = self.vault.entropy(game, mine["chair"]).hex()
                    return self.ask("POST", f"/v1/games/{game}/entropy", {"entropy": entropy})
                except Refused as refused:
                    if refused.reason != "not_sealed":
                        raise
            if time.monotonic() > give_up:
                raise Unreachable("the commitments of the other seats")
            self._closing.wait(REVEAL_AGAIN)

    # --- signed moves ----------------------------------------------------------------------------------------------

    def _with_key(self, more: dict[str, Json]) -> dict[str, Json]:
        """What is asked of a seat, with the promise to sign when this client signs; its key is registered."""
        if not self._signs:
            return more
        proof = self.vault.sign(key_statement(self.player())).hex()
        self.ask("PUT", "/v1/me/key", {"key": self.vault.public_key().hex(), "proof": proof})
        return {**more, "signs": True}

    def _signed(self, game: UUID, text: str) -> dict[str, Json]:
        """The signature of a move, with the history it states."""
        known = self.game(game)
        mine = own_seat(known, self.player())
        if mine is None or mine["key"] != self.vault.public_key().hex():
            return {}
        before = Head(known["version"], bytes.fromhex(known["head"]))
        signature = self.vault.sign(move_statement(game, before, mine["seat"], text))
        return {"expected_head": known["head"], "signature": signature.hex()}

    # --- the own seat ----------------------------------------------------------------------------------------------

    def _chair(self, known: Mapping[str, Any]) -> int:
        mine = own_seat(known, self.player())
        if mine is None:
            raise Refused(HTTPStatus.CONFLICT, {"detail": "no seat at this table is yours"})
        return int(mine["chair"])

    def _next_link(self, known: Mapping[str, Any]) -> str | None:
        mine = own_seat(known, self.player())
        if mine is None or mine["link"] is None:
            return None
        number = int(mine["link"]["number"]) + 1
        return self.vault.chain(UUID(known["id"]), mine["chair"])[number].hex()


def own_seat(known: Mapping[str, Any], player: str) -> dict[str, Any] | None:
    """The seat of a player in a game."""
    for seat in known["seats"]:
        if seat["player"] is not None and seat["player"]["id"] == player:
            return dict(seat)
    return None


def _later(response: httpx.Response) -> bool:
    """Whether the same request may be answered at another time."""
    return response.status_code == HTTPStatus.TOO_MANY_REQUESTS or response.status_code >= 500


def _retry_after(response: httpx.Response) -> float:
    """For how many seconds the service asks not to be asked."""
    told = response.headers.get("Retry-After", "")
    return float(told) if told.isdigit() else 0.0


def _read(response: httpx.Response) -> dict[str, Any]:
    """The document of an answer; refuses with Refused."""
    document = response.json() if "json" in response.headers.get("Content-Type", "") else {}
    if response.is_error:
        raise Refused(response.status_code, document)
    return dict(document)
