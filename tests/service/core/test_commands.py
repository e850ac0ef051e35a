"""The tables of commands list every command of their area, with a function that takes it."""

import ast
import inspect
from collections.abc import Iterator, Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import pytest

from service.core.command_handler import Request
from service.games.commands.command_table import COMMANDS as OF_GAMES
from service.moderation.commands import COMMANDS as OF_MODERATION
from service.moderation.hidden_texts.commands import COMMANDS as OF_HIDDEN_TEXTS
from service.moderation.reports.commands import COMMANDS as OF_REPORTS
from service.players.commands.command_table import COMMANDS as OF_PLAYERS
from service.programmed_answers.commands import COMMANDS as OF_PROGRAMMED_ANSWERS
from service.studies.commands import COMMANDS as OF_STUDIES
from service.tournaments.commands.command_table import COMMANDS as OF_TOURNAMENTS
from service.webhooks.commands import COMMANDS as OF_WEBHOOKS
from tests.support.running_program import PROJECT

WRITING = {"execute", "create", "once", "settle_time"}
WHOLE_GAMES = "deploy/bench/growth/made_games.py"  # stores a game in one commit, which no client may ask for
AREAS = {
    "service.games.commands": OF_GAMES,
    "service.moderation.commands": OF_MODERATION,
    "service.moderation.hidden_texts.commands": OF_HIDDEN_TEXTS,
    "service.moderation.reports.commands": OF_REPORTS,
    "service.players.commands": OF_PLAYERS,
    "service.programmed_answers.commands": OF_PROGRAMMED_ANSWERS,
    "service.studies.commands": OF_STUDIES,
    "service.tournaments.commands": OF_TOURNAMENTS,
    "service.webhooks.commands": OF_WEBHOOKS,
}


def modules(name: str) -> Iterator[ModuleType]:
    """Yields the module of a name, or those of a package."""
    found = import_module(name)
    yield found
    for module in iter_modules(getattr(found, "__path__", ())):
        yield import_module(f"{name}.{module.name}")


def commands(name: str) -> set[type]:
    """Returns the frozen values that the modules of an area define."""
    return {
        kind
        for module in modules(name)
        for kind in vars(module).values()
        if isinstance(kind, type) and issubclass(kind, tuple) and kind.__module__ == module.__name__
    }


@pytest.mark.parametrize(("name", "table"), AREAS.items())
def test_table_lists_every_command_of_its_area(name: str, table: Mapping[type, Any]) -> None:
    assert commands(name) == set(table)


@pytest.mark.parametrize("table", AREAS.values())
def test_function_of_a_row_takes_the_command_of_the_row(table: Mapping[type, Any]) -> None:
    for command, function in table.items():
        parameters = [parameter.annotation for parameter in inspect.signature(function).parameters.values()]
        assert parameters[1] is command


@pytest.mark.parametrize("table", [OF_GAMES, OF_STUDIES, OF_TOURNAMENTS])
def test_command_on_a_stream_takes_the_request_with_its_key(table: Mapping[type, Any]) -> None:
    for function in table.values():
        assert [one.annotation for one in inspect.signature(function).parameters.values()][2] is Request


def test_only_commands_call_the_command_handlers() -> None:
    """Routes, pages, jobs, the keeper's duties and the scheduler call the named commands instead."""
    calls = [
        f"{path}:{node.lineno}"
        for folder in ("service", "workers", "deploy")
        for path in sorted((PROJECT / folder).rglob("*.py"))
        if not path.relative_to(PROJECT).as_posix().startswith((WHOLE_GAMES, *(one.replace(".", "/") for one in AREAS)))
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Attribute)
        and node.attr in WRITING
        and isinstance(node.value, ast.Attribute)
        and node.value.attr.endswith("_commands")
    ]
    assert calls == []
