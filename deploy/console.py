"""Output of commands: lines of progress, tables, and errors."""

import click
from rich.console import Console

LONGEST_REASON = 500
OUT = Console(highlight=False, soft_wrap=True)
ERRORS = Console(highlight=False, soft_wrap=True, stderr=True)  # progress of commands whose output is read by programs


class ReasonText(click.ParamType[str]):
    """The reason of an act: one line, as bounded as over HTTP."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, context: click.Context | None) -> str:
        """Returns the reason; fails for an empty or long one, or one with line ends and other invisible characters."""
        if not 0 < len(value) <= LONGEST_REASON or not value.isprintable():
            self.fail(f"takes one line of 1 to {LONGEST_REASON} characters", param, context)
        return value


def on_one_line(text: str) -> str:
    """Returns a text of others for one line of a terminal: nothing in it moves the cursor or begins a line."""
    return "".join(one if one.isprintable() else " " for one in text)


def say(sentence: str) -> None:
    """Prints a line and flushes it."""
    click.echo(sentence)
