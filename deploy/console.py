"""Output of commands: lines of progress, tables, and errors."""

import click
from rich.console import Console

OUT = Console(highlight=False, soft_wrap=True)
ERRORS = Console(highlight=False, soft_wrap=True, stderr=True)  # progress of commands whose output is read by programs


def say(sentence: str) -> None:
    """Prints a line and flushes it."""
    click.echo(sentence)
