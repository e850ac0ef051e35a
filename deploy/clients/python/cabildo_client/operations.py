"""The operations of a player as steps: registration, tables, moves, offers."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeAlias
from urllib.parse import urlencode
from uuid import UUID

from cabildo_client.commitments import CHAINED, SEALED, move_text
from cabildo_client.connection.steps import Ask, Steps
from cabildo_client.deals import DealOperations
from cabildo_client.decode import read
from cabildo_client.documents import AppendedMove, GameListing, GameOverview
from cabildo_client.hash_chain import check_receipt
from cabildo_client.json_values import Json
from cabildo_client.legal_moves import LegalMoves
from cabildo_client.positions import Position, position_of
from cabildo_client.turns import Move, PlayerTurn

LONGEST_NAME: Final = 40
MOST_LEVELS: Final = 10_000  # games whose chance level is remembered
WORDS: Final = "text/plain"
AnyId: TypeAlias = UUID | str


class Operations(DealOperations):
    """Every operation of a client, for one player."""

    # --- the player ------------------------------------------------------------------------------------------------

    def register(self, name: str) -> Steps[str]:
        """Registers a player and acts for it from now on. Returns its id."""
        return self._become((yield Ask("POST", "/v1/players", {"name": name})))

    def register_bot(self, name: str, engine: str) -> Steps[str]:
        """Registers a bot of the player, or of a new player, and acts for it from now on. Returns its id."""
        if not self.token:
            yield from self.register(f"owner of {name}"[:LONGEST_NAME])
        return self._become((yield Ask("POST", "/v1/bots", {"name": name, "engine": engine})))

    def _become(self, registered: Any) -> str:
        self.token, self.player_id = str(registered["token"]), str(registered["player"]["id"])
        return self.player_id

    # --- tables ----------------------------------------------------------------------------------------------------

    def create(self, game: str, seats: Sequence[str], more: Mapping[str, Json]) -> Steps[GameOverview]:
        """Creates a game; at chance levels 2 and 3, commits to the entropy of the own seat."""
        sits = "me" in seats
        asked: dict[str, Json] = {"game": game, "seats": list(seats), **more}
        if sits and self.signs:
            asked |= yield from self.key_fields()
        if sits and more.get("chance") in (SEALED, CHAINED):
            created = yield Ask("POST", "/v1/games", {**asked, "commits": True})
            return (yield from self.commit(read(GameOverview, created)))
        return read(GameOverview, (yield Ask("POST", "/v1/games", asked)))

    def join(self, game: AnyId, more: Mapping[str, Json]) -> Steps[GameOverview]:
        """Takes a seat; at chance levels 2 and 3, commits to its entropy."""
        known = yield from self.game(game)
        asked = dict(more)
        if self.signs:
            asked |= yield from self.key_fields()
        if known.chance.level < SEALED:
            return read(GameOverview, (yield Ask("POST", f"/v1/games/{game}/seats", asked)))
        promised = yield Ask("POST", f"/v1/games/{game}/seats", {**asked, "commits": True})
        return (yield from self.commit(read(GameOverview, promised)))

    def leave(self, game: AnyId) -> Steps[None]:
        """Gives the own seat up before the start."""
        yield Ask("DELETE", f"/v1/games/{game}/seats/mine")

    def games(self, filters: Mapping[str, str]) -> Steps[list[GameListing]]:
        """Returns all games that fit the filters, newest first."""
        found, asked = list[GameListing](), dict(filters)
        while True:
            page = yield Ask("GET", f"/v1/games?{urlencode(asked)}")
            found += [read(GameListing, listed) for listed in page["games"]]
            if page["next"] is None:
                return found
            asked["after"] = page["next"]

    def waiting(self) -> Steps[list[GameListing]]:
        """Returns the games with a seat of the player that have not started."""
        player = yield from self.player()
        return (yield from self.games({"status": "open", "player": player}))

    # --- the board and its moves -----------------------------------------------------------------------------------

    def position(self, game: AnyId, at: int | None = None) -> Steps[Position]:
        """Returns the board as the player may see it, after an event or now."""
        return position_of((yield Ask("GET", f"/v1/games/{game}/position{_query(at=at)}")))

    def describe(self, game: AnyId, at: int | None = None) -> Steps[str]:
        """Returns the board in words."""
        return str((yield Ask("GET", f"/v1/games/{game}/position{_query(at=at)}", accept=WORDS)))

    def legal(self, game: AnyId, why_not: Sequence[str] = (), begin: str | None = None) -> Steps[LegalMoves]:
        """Returns the legal moves, the reasons against those in `why_not`, and the ways to go on from `begin`."""
        asked = urlencode([("why_not", move) for move in why_not] + ([] if begin is None else [("begin", begin)]))
        return read(LegalMoves, (yield Ask("GET", f"/v1/games/{game}/legal{'?' if asked else ''}{asked}")))

    def turn(self, game: AnyId) -> Steps[PlayerTurn | None]:
        """Returns the decision of the player in a game; None when it is not the player's turn."""
        while True:
            offered = yield from self.legal(game)
            if not offered.yours:
                return None
            known = yield from self.game(game)
            if offered.version == known.version:
                document = yield Ask("GET", f"/v1/games/{game}/position?at={offered.version}")
                return PlayerTurn.of(known, document, offered)

    def move(self, game: AnyId, move: Move | str, expected: int | None = None) -> Steps[AppendedMove]:
        """Makes a move and keeps its receipt; at chance level 3, reveals the next link of the hash chain."""
        text, id = str(move), UUID(str(game))
        body: dict[str, Json] = {"move": text, "expected": expected}
        if self.signs:
            body |= yield from self._signed(id, text)
        if len(self.levels) > MOST_LEVELS:
            self.levels.clear()
        if id not in self.levels:
            self.levels[id] = (yield from self.game(id)).chance.level
        if self.levels[id] == CHAINED:
            body["link"] = yield from self.next_link(id)
        return (yield from self._append(id, "moves", body))

    def undo(self, game: AnyId, expected: int | None = None) -> Steps[AppendedMove]:
        """Takes the own last move back, where nothing was drawn and nobody else has acted since."""
        return (yield from self._append(UUID(str(game)), "undo", {"expected": expected}))

    def resign(self, game: AnyId) -> Steps[AppendedMove]:
        """Gives a running game up."""
        return (yield from self._append(UUID(str(game)), "resign", {}))

    def abort(self, game: AnyId) -> Steps[AppendedMove]:
        """Aborts a game, or offers to abort it where the other seats have to agree."""
        return (yield from self._append(UUID(str(game)), "abort", {}))

    def answer_offer(self, game: AnyId, agrees: bool) -> Steps[AppendedMove]:
        """Agrees to the open offer of another seat, or refuses it."""
        return (yield from self._append(UUID(str(game)), "offer", {"agrees": agrees}))

    def withdraw_offer(self, game: AnyId, expected: int | None = None) -> Steps[AppendedMove]:
        """Withdraws the offer of the own seat while others have not answered it."""
        return (yield from self._append(UUID(str(game)), "offer/withdrawal", {"expected": expected}))

    def _append(self, game: UUID, path: str, body: Mapping[str, Json]) -> Steps[AppendedMove]:
        """Returns the answer to a command; checks its receipt and keeps it."""
        made = read(AppendedMove, (yield Ask("POST", f"/v1/games/{game}/{path}", body)))
        if check_receipt(made) is not None:
            self.secrets.keep({"game": str(game), "version": made.version, "receipt": made.receipt})
        return made

    def _signed(self, game: UUID, text: str) -> Steps[dict[str, Json]]:
        """Returns the signature of a move over the head of the game; empty when the seat does not sign."""
        known = yield from self.game(game)
        mine = known.seat_of((yield from self.player()))
        if mine is None or mine.seat is None or mine.key != self.secrets.public_key().hex():
            return {}
        signature = self.secrets.sign(move_text(game, known.version, known.head, mine.seat, text))
        return {"expected_head": known.head, "signature": signature.hex()}

    # --- proofs and studies ----------------------------------------------------------------------------------------

    def bundle(self, game: AnyId) -> Steps[bytes]:
        """Returns the events of a game with their proofs as one file, for `cabildo_client.verify`."""
        return bytes((yield Ask("GET", f"/v1/games/{game}/bundle", accept="*/*")))

    def policy(self) -> Steps[bytes]:
        """Returns the policy of the service's log: whose signatures its bundles carry."""
        return bytes((yield Ask("GET", "/log/policy", accept="*/*")))


def events_path(game: AnyId, *, boards: bool) -> str:
    """Returns the address of a game's events, with the newest board and its moves where they are asked for."""
    return f"/v1/games/{game}/events{'?with=position,legal' if boards else ''}"


def _query(**given: object) -> str:
    asked = urlencode({name: value for name, value in given.items() if value is not None})
    return f"?{asked}" if asked else ""
