"""`cabildo rebuild` and `resume`: rebuilds read models while they serve, and resumes parked ones."""

import os
from functools import partial

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from deploy.console import OUT, say
from deploy.local.data_folder import DataFolder, direct_address
from deploy.local.versions import postgresql_version
from events.store.connections import connect
from projections.read_models import projector
from projections.read_models.rebuild import rebuild as build
from projections.read_models.registry import READ_MODELS

NAME = click.Choice(sorted(READ_MODELS))
COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


@click.command()
@click.argument("names", metavar="[NAME]...", type=NAME, nargs=-1)
@click.option("--accept", is_flag=True, help="Replace without comparing: the version has changed.")
@click.pass_obj
def rebuild(folder: DataFolder, names: tuple[str, ...], accept: bool) -> None:
    """Rebuild read models from the log beside those that serve: each NAME, or all.

    Compares both row by row and switches them in one transaction; keeps the old one when they differ.
    """
    url = direct_address(folder, os.environ)
    postgresql_version(url)
    with connect(url) as connection:
        for name in names or sorted(READ_MODELS):
            with Progress(*COLUMNS, console=OUT) as progress:
                task = progress.add_task(f"rebuilding {name}", total=None)
                built = build(connection, READ_MODELS[name], partial(_advance_bar, progress, task), accept=accept)
            compared = "the same as what was served" if built.compared else "not compared"
            say(f"{name}: {built.entries} entries, content {built.content[:16]}, {compared}")


def _advance_bar(progress: Progress, task: TaskID, done: int, total: int) -> None:
    progress.update(task, completed=done, total=total)


@click.command()
@click.argument("name", type=NAME)
@click.pass_obj
def resume(folder: DataFolder, name: str) -> None:
    """Resume the read model NAME, parked by an event that it could not apply."""
    url = direct_address(folder, os.environ)
    postgresql_version(url)
    with connect(url) as connection:
        was_parked = projector.resume(connection, name)
    say(f"{name} goes on" if was_parked else f"{name} was not parked")
