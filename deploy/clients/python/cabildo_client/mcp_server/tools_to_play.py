"""Tools of the scope `play`: tables, moves, waiting for the own turn."""

import dataclasses
import time
from typing import Any, Final

from cabildo_client.async_client import AsyncClient
from cabildo_client.json_values import Json
from cabildo_client.mcp_server.tools_to_look import summary_of

LONGEST_WAIT: Final = 50.0  # seconds; language models' programs give a tool about a minute
LONG_POLL: Final = 20


class PlayingTools:
    """What a token of the scope `play` allows."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def create_game(self, game: str, opponents: list[str] | None = None) -> dict[str, Any]:
        """Create a game (puerto_rico or spice_road) and sit down at it.

        Each opponent is bot:random, bot:greedy, bot:search, open (anybody), invite, or the id of a player.
        """
        created = await self._client.create(game, ["me", *(opponents or ["bot:greedy"])])
        return summary_of(created, await self._client.player())

    async def join_game(self, game: str, invite: str | None = None) -> dict[str, Any]:
        """Take a seat of a game that has not started, with its invitation code where it has one."""
        more: dict[str, Json] = {} if invite is None else {"invite": invite}
        return summary_of(await self._client.join(game, **more), await self._client.player())

    async def wait_for_turn(self, game: str, seconds: float = LONGEST_WAIT) -> dict[str, Any]:
        """Wait until you are to act or the game is over, at most 50 seconds; call it again where `waiting` is true.

        The answer has the legal moves and the board in words.
        """
        until = time.monotonic() + min(max(seconds, 0.0), LONGEST_WAIT)
        while True:
            known, me = await self._client.game(game), await self._client.player()
            shown = summary_of(known, me)
            if shown["your_turn"]:
                return await self._decision(game, shown)
            left = int(min(until - time.monotonic(), LONG_POLL))
            if known.status in ("finished", "aborted") or left < 1:
                return shown | {"waiting": known.status in ("open", "running")}
            await self._client.ask("GET", f"/v1/games/{game}/events?after={known.version}&limit=1&wait={left}")

    async def _decision(self, game: str, shown: dict[str, Any]) -> dict[str, Any]:
        turn = await self._client.turn(game)
        if turn is None:
            return shown | {"waiting": True}
        moves = [dataclasses.asdict(offer) for offer in turn.offers]
        parts = None if turn.offered.slots is None else [dataclasses.asdict(slot) for slot in turn.offered.slots]
        slots = {} if parts is None else {"slots": parts, "count": turn.offered.count}
        board = await self._client.describe(game)
        return {**shown, "version": turn.version, "moves": moves, **slots, "board": board, "waiting": False}

    async def make_move(self, game: str, move: str, version: int | None = None) -> dict[str, Any]:
        """Make a move in notation. `version` is the one you saw: if it is outdated, nothing is played."""
        made = await self._client.move(game, move, version)
        turn = None if made.turn is None else dataclasses.asdict(made.turn)
        return {"version": made.version, "status": made.status, "turn": turn, "receipt": made.receipt}

    async def undo_move(self, game: str) -> dict[str, Any]:
        """Take your last move back, where nothing was drawn or revealed and nobody has acted since."""
        made = await self._client.undo(game)
        return {"version": made.version, "status": made.status}

    async def resign_game(self, game: str) -> dict[str, Any]:
        """Give a running game up."""
        made = await self._client.resign(game)
        return {"version": made.version, "status": made.status}
