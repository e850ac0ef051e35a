"""The tools for language models: a whole game through them alone, over stdio; no more of them than the token allows."""

import asyncio
import sys
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from uuid import UUID, uuid4

import pytest
from cabildo_client import Client, PlayerTurn
from cabildo_client.legal_moves import LegalMoves
from mcp import Client as ToolClient
from mcp import StdioServerParameters

from tests.support.running_program import PATIENCE
from workers.external_bot import HouseBot

LOOKING = {
    *("list_games", "show_game", "explain_position", "explain_rules", "list_legal_moves", "explain_why_not"),
    *("try_moves", "replay", "verify_game"),
}
PLAYING = {"create_game", "join_game", "wait_for_turn", "make_move", "undo_move", "resign_game"}
ANNOTATING = {"create_study", "comment", "read_chapter"}
NO_MOVES = LegalMoves(0, None, None)  # the level reads the board alone
Use = Callable[..., Awaitable[dict[str, Any]]]


def through_tools(url: str, token: str, session: Callable[[ToolClient, Use], Awaitable[None]]) -> None:
    """Runs a conversation with the tools of a token; the token goes by the environment."""
    command = ["-m", "cabildo_client", "mcp", "--url", url]
    program = StdioServerParameters(
        command=sys.executable,
        args=command,
        env={"CABILDO_TOKEN": token},
    )

    async def converse() -> None:
        async with ToolClient(program, read_timeout_seconds=PATIENCE) as tools:

            async def use(name: str, **arguments: Any) -> dict[str, Any]:
                answer = await tools.call_tool(name, arguments)
                assert not answer.is_error, answer.content
                assert isinstance(answer.structured_content, Mapping)
                return dict(answer.structured_content)

            await session(tools, use)

    asyncio.run(converse())


def token_of(url: str, *scopes: str) -> str:
    """The token of a new player, with these scopes alone."""
    with Client(url) as client:
        client.register(f"model {uuid4().hex[:12]}")
        return str(client.ask("POST", "/v1/tokens", {"label": "tools", "scopes": [*scopes]})["token"])


def test_a_game_is_finished_annotated_and_verified_by_tools_alone(table_house: str) -> None:
    async def session(tools: ToolClient, use: Use) -> None:
        assert {tool.name for tool in (await tools.list_tools()).tools} == LOOKING | PLAYING | ANNOTATING
        rules = await use("explain_rules", game="spice_road")
        rest = next(row for row in rules["notation"] if row["move"] == "rest")
        assert (rest["decision"], rest["meaning"]) == ("action", "take all played cards back")
        player = HouseBot("greedy")
        created = await use("create_game", game="spice_road", opponents=["bot:random"])
        game, moved = created["game"], 0
        while (now := await use("wait_for_turn", game=game))["status"] == "running":
            if now["waiting"]:
                continue
            assert now["board"]
            if not moved:
                refused = (await use("explain_why_not", game=game, moves=["claim 1"]))["refused"]
                assert refused[0]["sentence"]
                tried = await use("try_moves", game=game, moves=[now["moves"][0]["text"]])
                assert tried
                wrong = await tools.call_tool("make_move", {"game": game, "move": "claim 1"})
                assert wrong.is_error
                assert "Legal moves: " in str(wrong.content)
            board = (await use("explain_position", game=game))["document"]
            mine, version = now["your_seat"], now["version"]
            turn = PlayerTurn(UUID(game), "spice_road", board["rules"], mine, "action", version, board, NO_MOVES)
            move = player.choose(turn)
            await use("make_move", game=game, move=move, version=version)
            moved += 1
        assert now["result"]["places"]
        assert (await use("show_game", game=game))["status"] == "finished"
        assert len((await use("replay", game=game))["steps"]) > moved
        study = (await use("create_study", title="What I learnt", games=[game]))["study"]
        await use("comment", study=study, chapter=1, event=now["version"] - 1, text="The last move.")
        assert "The last move." in str(await use("read_chapter", study=study, chapter=1))
        report = await use("verify_game", game=game)
        assert report["verified_here"]["failed"] is None
        assert report["report_of_the_service"]["failure"] is None

    through_tools(table_house, token_of(table_house, "read", "play", "annotate"), session)


@pytest.mark.parametrize(
    ("scopes", "tools"), [(("read",), LOOKING), (("read", "annotate"), LOOKING | ANNOTATING)], ids=["read", "annotate"]
)
def test_a_token_has_the_tools_of_its_scopes(table_house: str, scopes: tuple[str, ...], tools: set[str]) -> None:
    async def session(client: ToolClient, use: Use) -> None:
        assert {tool.name for tool in (await client.list_tools()).tools} == tools
        assert all(tool.description for tool in (await client.list_tools()).tools)
        assert (await use("list_games", status="open"))["games"] == []

    through_tools(table_house, token_of(table_house, *scopes), session)
