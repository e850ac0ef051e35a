"""The Python client of one player: creates and joins games, plays, follows streams, keeps receipts."""

import threading
import time
from collections.abc import Generator, Mapping, Sequence
from http import HTTPStatus
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import UUID

import structlog

from events.errors import CabildoError
from events.event import Head
from events.json_types import Json, JsonObject
from projections.games import chance
from projections.games.signed_moves import key_statement, move_statement
from service.client.documents import AppendedEvent, ClientEvent, ClientGame, ClientSeat, Notification
from service.client.secrets import ClientSecrets
from service.client.transport import RETRY_SECONDS, Refused, Transport, Unreachable

LONGEST_NAME: Final = 40
REVEAL_PAUSE: Final = 0.2  # seconds between two questions whether the commitments are sealed
log = structlog.get_logger("service.client.http")


class ClientTurn(NamedTuple):
    """A decision that the client has to make."""

    game: UUID
    seat: int
    decision: str
    version: int
    position: JsonObject  # as the seat sees it
    legal: list[str]  # moves in notation; of a long collection those that are suggested
    rules: str  # the version that the game keeps to


class Client:
    """A player of a service. Its methods may be called from several threads."""

    def __init__(
        self,
        url: str,
        token: str = "",
        *,
        keep: Path | None = None,
        retry_seconds: float = RETRY_SECONDS,
        signs: bool = False,
    ) -> None:
        self._transport = Transport(url, token, retry_seconds)
        self._signs = signs  # registers a key, and signs each move of the seats it takes
        self.secrets = ClientSecrets(keep)
        self._player = ""
        self._levels: dict[UUID, int] = {}

    @property
    def token(self) -> str:
        """The bearer token of the client's requests."""
        return self._transport.token

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes all connections; streams end."""
        self._transport.close()

    # --- requests --------------------------------------------------------------------------------------------------

    def register(self, name: str) -> str:
        """Registers a player and acts for it from now on. Returns its id."""
        answer = self.ask("POST", "/v1/players", {"name": name})
        self._transport.token, self._player = answer["token"], answer["player"]["id"]
        return self._player

    def register_bot(self, name: str, engine: str) -> str:
        """Registers a bot of the player, or of a new player, and acts for it from now on. Returns its id."""
        if not self.token:
            self.register(f"owner of {name}"[:LONGEST_NAME])
        answer = self.ask("POST", "/v1/bots", {"name": name, "engine": engine})
        self._transport.token, self._player = answer["token"], answer["player"]["id"]
        return self._player

    def player(self) -> str:
        """Returns the id of the player to whom the token belongs."""
        if not self._player:
            self._player = str(self.ask("GET", "/v1/me")["id"])
        return self._player

    def create(self, game: str, seats: list[str], **more: Json) -> ClientGame:
        """Creates a game; at chance levels 2 and 3, commits to the entropy of the own seat."""
        asked = {"game": game, "seats": seats, **(self._with_key(more) if "me" in seats else more)}
        if more.get("chance") in (chance.ChanceLevel.SEALED, chance.ChanceLevel.CHAINED) and "me" in seats:
            return self._commit(self._ask_game("POST", "/v1/games", {**asked, "commits": True}))
        return self._ask_game("POST", "/v1/games", asked)

    def join(self, game: UUID, **more: Json) -> ClientGame:
        """Takes a seat; at chance levels 2 and 3, commits to its entropy."""
        level, more = self.game(game)["chance"]["level"], self._with_key(more)
        if level < chance.ChanceLevel.SEALED:
            return self._ask_game("POST", f"/v1/games/{game}/seats", dict(more))
        return self._commit(self._ask_game("POST", f"/v1/games/{game}/seats", {**more, "commits": True}))

    def bring(self, game: UUID) -> None:
        """Commits or reveals what the own seat still owes to an open game, as after a restart."""
        known = self.game(game)
        mine = own_seat(known["seats"], self.player())
        if known["status"] != "open" or mine is None:
            return
        if mine["commitment"] is not None:
            self._reveal_soon(game)
        elif mine["promised"]:
            self._commit(known)

    def waiting(self) -> Generator[UUID, None, None]:
        """Yields the games with a seat of the client that have not started."""
        query = f"/v1/games?status=open&player={self.player()}"
        page = self.ask("GET", query)
        yield from (UUID(game["id"]) for game in page["games"])
        while page["next"] is not None:
            page = self.ask("GET", f"{query}&after={page['next']}")
            yield from (UUID(game["id"]) for game in page["games"])

    def game(self, game: UUID) -> ClientGame:
        """Returns a game without its board."""
        return self._ask_game("GET", f"/v1/games/{game}")

    def turn(self, game: UUID) -> ClientTurn | None:
        """Returns the decision of the client in a game; None when it is not its turn."""
        known = self.game(game)
        mine = own_seat(known["seats"], self.player())
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

    def withdraw_offer(self, game: UUID, expected: int | None = None) -> AppendedEvent:
        """Withdraws the offer of the own seat while others have not answered it."""
        return self._append(f"/v1/games/{game}/offer/withdrawal", {"expected": expected})

    def move(self, game: UUID, text: str, expected: int | None = None) -> AppendedEvent:
        """Makes a move and keeps its receipt; at chance level 3, reveals the next link of the hash chain."""
        body: dict[str, Json] = {"move": text, "expected": expected}
        if self._signs:
            body |= self._signed(game, text)
        if game not in self._levels:
            self._levels[game] = self.game(game)["chance"]["level"]
        if self._levels[game] == chance.ChanceLevel.CHAINED:
            body["link"] = self._next_link(self.game(game))
        made = self._append(f"/v1/games/{game}/moves", body)
        self.secrets.keep({"game": str(game), "version": made["version"], "receipt": made["receipt"]})
        return made

    def ask(self, method: str, path: str, body: Mapping[str, Json] | None = None) -> Any:
        """Returns the answer to a request, repeated until there is one; raises Refused or Unreachable."""
        return self._transport.request(method, path, body)

    def _ask_game(self, method: str, path: str, body: Mapping[str, Json] | None = None) -> ClientGame:
        game: ClientGame = self.ask(method, path, body)
        return game

    def _append(self, path: str, body: Mapping[str, Json]) -> AppendedEvent:
        appended: AppendedEvent = self.ask("POST", path, body)
        return appended

    # --- streams ---------------------------------------------------------------------------------------------------

    def events(self, game: UUID, after: int = 0) -> Generator[ClientEvent, None, None]:
        """Yields the events of a game after a version, to its end; resumes after broken connections without a gap."""
        yield from self._transport.stream(f"/v1/games/{game}/events", after, "seq")

    def notifications(self) -> Generator[Notification, None, None]:
        """Yields notifications: `seat_kept`, `table_expires`, `game_started`, `your_turn`, `game_over`.

        The pending ones come first.
        """
        yield from self._transport.stream("/v1/me/stream", None, "number")

    # --- committed chance ------------------------------------------------------------------------------------------

    def _commit(self, known: ClientGame) -> ClientGame:
        """Commits to the own entropy, and at level 3 to a hash chain."""
        game, chair = UUID(known["id"]), self._chair(known)
        entropy = self.secrets.entropy(game, chair)
        body: dict[str, Json] = {
            "commitment": chance.entropy_commitment(game, chair, entropy).hex(),
            "echo": known["chance"]["commitment"],
        }
        if known["chance"]["level"] == chance.ChanceLevel.CHAINED:
            body["chain"] = self.secrets.chain(game, chair)[0].hex()
        committed = self._ask_game("POST", f"/v1/games/{game}/seats", body)
        self._reveal_soon(game)
        return committed

    def _reveal_soon(self, game: UUID) -> None:
        threading.Thread(target=self._reveal_in_time, args=(game,), daemon=True).start()

    def _reveal_in_time(self, game: UUID) -> None:
        try:
            self.reveal(game)
        except CabildoError as problem:
            log.warning("entropy not revealed", game=str(game), reason=str(problem))

    def reveal(self, game: UUID) -> ClientGame:
        """Reveals the own entropy once all commitments are sealed; returns the game. Raises Unreachable."""
        give_up = time.monotonic() + self._transport.retry_seconds
        while True:
            known = self.game(game)
            mine = own_seat(known["seats"], self.player())
            if known["status"] != "open" or mine is None or mine["entropy"] is not None:
                return known
            if known["chance"]["closed"] is not None:
                try:
                    entropy = self.secrets.entropy(game, mine["chair"]).hex()
                    return self._ask_game("POST", f"/v1/games/{game}/entropy", {"entropy": entropy})
                except Refused as refused:
                    if refused.reason != "not_sealed":
                        raise
            if time.monotonic() > give_up:
                raise Unreachable("the commitments of the other seats")
            self._transport.wait(REVEAL_PAUSE)

    # --- signed moves ----------------------------------------------------------------------------------------------

    def _with_key(self, more: dict[str, Json]) -> dict[str, Json]:
        """Returns the fields of a seat; a client that signs registers its key and promises signatures."""
        if not self._signs:
            return more
        proof = self.secrets.sign(key_statement(self.player())).hex()
        self.ask("PUT", "/v1/me/key", {"key": self.secrets.public_key().hex(), "proof": proof})
        return {**more, "signs": True}

    def _signed(self, game: UUID, text: str) -> dict[str, Json]:
        """Returns the signature of a move over the head of the game; empty when the seat does not sign."""
        known = self.game(game)
        mine = own_seat(known["seats"], self.player())
        if mine is None or mine["seat"] is None or mine["key"] != self.secrets.public_key().hex():
            return {}
        before = Head(known["version"], bytes.fromhex(known["head"]))
        signature = self.secrets.sign(move_statement(game, before, mine["seat"], text))
        return {"expected_head": known["head"], "signature": signature.hex()}

    # --- the own seat ----------------------------------------------------------------------------------------------

    def _chair(self, known: ClientGame) -> int:
        mine = own_seat(known["seats"], self.player())
        if mine is None:
            raise Refused(HTTPStatus.CONFLICT, {"detail": "no seat at this table is yours"})
        return int(mine["chair"])

    def _next_link(self, known: ClientGame) -> str | None:
        mine = own_seat(known["seats"], self.player())
        if mine is None or mine["link"] is None:
            return None
        number = int(mine["link"]["number"]) + 1
        return self.secrets.chain(UUID(known["id"]), mine["chair"])[number].hex()


def own_seat(seats: Sequence[ClientSeat], player: str) -> ClientSeat | None:
    """Returns the seat of a player among the seats of a game, None without one."""
    for seat in seats:
        if seat["player"] is not None and seat["player"]["id"] == player:
            return seat
    return None
