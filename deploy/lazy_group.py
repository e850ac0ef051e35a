"""A group of commands, each imported when it is called: a command starts without the libraries of the others."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click


class LazyGroup(click.Group):
    """A group of a table: the name of each command, and the module and the name of its function."""

    def __init__(self, *given: Any, table: Mapping[str, str], **named: Any) -> None:
        super().__init__(*given, **named)
        self._table = table

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002  # click passes it
        """Returns the names of the commands that were added, then those in the order of the table."""
        return [*self.commands, *self._table]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Returns a command; imports its module."""
        if cmd_name not in self._table:
            return super().get_command(ctx, cmd_name)
        module, _, function = self._table[cmd_name].partition(":")
        command = getattr(import_module(module), function)
        assert isinstance(command, click.Command)
        return command
