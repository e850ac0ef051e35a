"""Serves tools over stdio: those that the scopes of the token allow."""

import asyncio
import functools
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Final, ParamSpec

import httpx
from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from cabildo_client.async_client import AsyncClient
from cabildo_client.errors import BadMove, ClientError, Refused
from cabildo_client.mcp_server.tools_to_annotate import AnnotatingTools
from cabildo_client.mcp_server.tools_to_look import LookingTools
from cabildo_client.mcp_server.tools_to_play import PlayingTools
from cabildo_client.version import VERSION

P = ParamSpec("P")
Tool = Callable[..., Awaitable[dict[str, Any]]]
READ, PLAY, ANNOTATE, ADMIN = "read", "play", "annotate", "admin"
NAMED_MOVES: Final = 20  # legal moves that a refusal names
INSTRUCTIONS: Final = """
Cabildo is a service for the board games Puerto Rico (puerto_rico) and Century: Spice Road (spice_road).
To play: create_game or join_game, then wait_for_turn and make_move in turns until the status is finished.
Moves are texts in the game's notation; explain_rules lists its forms, list_legal_moves the moves that are legal now.
"""


def tools(client: AsyncClient, scopes: Iterable[str]) -> list[Tool]:
    """Returns the tools that a token with these scopes may use."""
    given = {*scopes}
    look, play, annotate = LookingTools(client), PlayingTools(client), AnnotatingTools(client)
    table: dict[str, tuple[Tool, ...]] = {
        READ: (
            look.list_games,
            look.show_game,
            look.explain_position,
            look.explain_rules,
            look.list_legal_moves,
            look.explain_why_not,
            look.try_moves,
            look.replay,
            look.verify_game,
        ),
        PLAY: (play.create_game, play.join_game, play.wait_for_turn, play.make_move, play.undo_move, play.resign_game),
        ANNOTATE: (annotate.create_study, annotate.comment, annotate.read_chapter),
    }
    return [tool for scope, allowed in table.items() if given & {scope, ADMIN} for tool in allowed]


def telling(tool: Tool) -> Tool:
    """Returns the tool with refusals in words: what is wrong, and moves that are legal instead."""

    @functools.wraps(tool)
    async def told(*args: Any, **named: Any) -> dict[str, Any]:
        try:
            return await tool(*args, **named)
        except Refused as refused:
            raise ToolError(f"{refused} ({refused.reason}) {in_words(refused)}".strip()) from refused
        except ClientError as problem:
            raise ToolError(str(problem)) from problem

    return told


def in_words(refused: Refused) -> str:
    """Returns moves that are legal instead of a refused one; nothing for other refusals."""
    named = ", ".join(refused.alternatives[:NAMED_MOVES]) if isinstance(refused, BadMove) else ""
    return f"Legal moves: {named}." if named else ""


async def scopes_of(client: AsyncClient) -> list[str]:
    """Returns the scopes of the client's token."""
    return [str(scope) for scope in (await client.ask("GET", "/v1/me"))["scopes"]]


def make_server(client: AsyncClient, scopes: Iterable[str]) -> MCPServer:
    """Returns a server of the tools that the scopes allow."""
    server = MCPServer("cabildo", instructions=INSTRUCTIONS.strip(), version=VERSION, log_level="WARNING")
    for tool in tools(client, scopes):
        server.add_tool(telling(tool))
    return server


async def _serve(url: str, token: str, transport: httpx.AsyncBaseTransport | None = None) -> None:
    async with AsyncClient(url, token, transport=transport) as client:
        await make_server(client, await scopes_of(client)).run_stdio_async()


def serve(url: str, token: str) -> None:
    """Serves over stdin and stdout until stdin ends. Raises a ClientError when the service refuses the token."""
    asyncio.run(_serve(url, token))
