"""The table of methods in the README: all public methods, called as they can be; they run where the fake server can."""

import ast
import inspect
import re
from collections.abc import Generator
from pathlib import Path

import pytest
from cabildo_client import AsyncClient, Client
from cabildo_client.errors import Absent, BadMove, OutdatedVersion
from cabildo_client.testing import FakeServer

README = Path(__file__).parents[1] / "README.md"
CALLS = re.findall(r"^\| `(client\..*?)` \|", README.read_text(), re.MULTILINE)
LEFT_OUT = (Absent, BadMove, OutdatedVersion)  # what the fake server does not have, and a move of another moment


def public(kind: type) -> set[str]:
    """The names of the public methods of a class."""
    return {name for name, _ in inspect.getmembers(kind, inspect.isfunction) if not name.startswith("_")}


def name_of(call: str) -> str:
    """The name of the method that is called."""
    return call.removeprefix("client.").partition("(")[0]


def test_every_method_is_in_the_table() -> None:
    named = [name_of(call) for call in CALLS]
    assert {*named} == public(Client) == public(AsyncClient)
    assert len(named) == len({*named})


@pytest.mark.parametrize("call", CALLS, ids=name_of)
def test_a_call_of_the_table_is_one_that_can_be_made(call: str) -> None:
    node = ast.parse(call, mode="eval").body
    assert isinstance(node, ast.Call)
    for kind in (Client, AsyncClient):
        method = inspect.signature(getattr(kind, name_of(call)))
        method.bind(kind, *node.args, **{str(keyword.arg): keyword.value for keyword in node.keywords})


@pytest.mark.parametrize("call", CALLS, ids=name_of)
def test_a_call_of_the_table_runs(call: str) -> None:
    client = FakeServer().client()
    client.register("tester")
    game = client.create("spice_road", ["me", "bot:greedy"]).id
    try:
        made = eval(call, {"client": client, "game": game})
        if isinstance(made, Generator):
            assert next(made) is not None
    except LEFT_OUT:
        assert name_of(call) in {
            "join", "leave", "bring", "reveal", "move", "undo", "resign", "abort", "answer_offer", "withdraw_offer",
            "bundle", "policy", "ask", "describe",
        }  # fmt: skip
