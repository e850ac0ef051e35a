"""Tools of the scope `read`: lists of games, boards in words, rules, replays, reasons against moves, verification."""

import asyncio
import dataclasses
import json
from typing import Any

from cabildo_client.async_client import AsyncClient
from cabildo_client.documents import GameOverview
from cabildo_client.json_values import Json

LISTED = 50  # games of one answer
MOST_STEPS = 200  # of one answer


class LookingTools:
    """What a token of the scope `read` allows."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def list_games(self, status: str = "running", mine: bool = True) -> dict[str, Any]:
        """List games. `status` is open, running, finished or aborted; `mine` leaves out games of other players."""
        filters = {"status": status} | ({"player": await self._client.player()} if mine else {})
        games = await self._client.games(**filters)
        shown = [{"game": str(one.id), "plays": one.game, "status": one.status} for one in games[:LISTED]]
        return {"games": shown, "more": len(games) > LISTED}

    async def show_game(self, game: str) -> dict[str, Any]:
        """Show a game: players, whose turn it is, your seat, the version, the result, and the board in words."""
        known, me = await self._client.game(game), await self._client.player()
        shown = summary_of(known, me)
        if known.status != "open":
            shown["board"] = await self._client.describe(game)
        return shown

    async def explain_position(self, game: str, version: int | None = None) -> dict[str, Any]:
        """Explain a board, now or after an event of the game: in words, and as the document with every piece."""
        at = "" if version is None else f"?at={version}"
        document = await self._client.ask("GET", f"/v1/games/{game}/position{at}")
        return {"words": await self._client.describe(game, version), "document": document}

    async def explain_rules(self, game: str) -> dict[str, Any]:
        """Explain a game (puerto_rico or spice_road): seats, options with their defaults, every form of a move."""
        return dict(await self._client.ask("GET", f"/v1/rules/{game}"))

    async def list_legal_moves(self, game: str, begin: str | None = None) -> dict[str, Any]:
        """List your legal moves, in notation, in words, with their effects; `none` says why there are none.

        Where `complete` is false, `slots` says what the other moves are made of; each of them is accepted, too. With
        `begin`, the beginning of a move or an empty text, `continuations` are the ways to go on.
        """
        return dataclasses.asdict(await self._client.legal(game, begin=begin))

    async def explain_why_not(self, game: str, moves: list[str]) -> dict[str, Any]:
        """Explain why moves are not legal now: the reason in words and the rule; `legal` has the others."""
        offered = await self._client.legal(game, why_not=moves)
        refused = [dataclasses.asdict(refusal) for refusal in offered.refused]
        return {"refused": refused, "legal": [move for move in moves if move not in {one["move"] for one in refused}]}

    async def try_moves(self, game: str, moves: list[str], version: int | None = None) -> dict[str, Any]:
        """Try moves on a board of the game without making them: what happens, the scores, the first illegal move.

        Draws that are still hidden are supposed at random.
        """
        at = "" if version is None else f"?at={version}"
        position = await self._client.ask("GET", f"/v1/games/{game}/position{at}")
        body: dict[str, Json] = {"game": position["game"], "position": position, "moves": moves}
        return dict(await self._client.ask("POST", "/v1/analysis", body))

    async def replay(self, game: str, after: int = 0) -> dict[str, Any]:
        """Replay a game after a version: each move in words with its gains."""
        told = await self._client.ask("GET", f"/v1/games/{game}/replay?after={after}&positions=false")
        kept = ("version", "kind", "seat", "move", "label", "gains")
        steps = [{name: step[name] for name in kept} for step in told["steps"]]
        return {"steps": steps[:MOST_STEPS], "more": len(steps) > MOST_STEPS}

    async def verify_game(self, game: str) -> dict[str, Any]:
        """Verify a game: checks V1 to V5 on this computer, and the service's own report on all checks."""
        bundle, policy = await self._client.bundle(game), await self._client.policy()
        here = await asyncio.to_thread(verified, bundle, policy)
        told = await self._client.ask("POST", "/v1/verify", json.loads(bundle))
        return {"verified_here": here, "report_of_the_service": told}


def verified(bundle: bytes, policy: bytes) -> dict[str, Any]:
    """Returns the checks V1 to V5 of a bundle, done here."""
    from cabildo_client import verify_standalone

    return verify_standalone.verify(bundle, verify_standalone.LogPolicy(policy))


def summary_of(known: GameOverview, player: str) -> dict[str, Any]:
    """Returns what matters of a game to the player who sits there."""
    mine = known.seat_of(player)
    seats = [
        {"seat": seat.seat, "player": seat.player.name if seat.player else None, "bot": seat.bot, "for": seat.kept_for}
        for seat in known.seats
    ]
    return {
        "game": str(known.id),
        "plays": known.game,
        "status": known.status,
        "version": known.version,
        "seats": seats,
        "your_seat": None if mine is None else mine.seat,
        "your_turn": mine is not None and known.turn is not None and known.turn.seat == mine.seat,
        "turn": None if known.turn is None else dataclasses.asdict(known.turn),
        "result": None if known.result is None else dataclasses.asdict(known.result),
    }
