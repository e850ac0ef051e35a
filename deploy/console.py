"""How commands speak to people: lines for progress, tables for what there is, sentences for what went wrong."""

import click
from rich.console import Console

OUT = Console(highlight=False, soft_wrap=True)
ERRORS = Console(highlight=False, soft_wrap=True, stderr=True)  # progress, where the output is for machines


def say(sentence: str) -> None:
    """A line of progress, seen at once."""
    click.echo(sentence)
