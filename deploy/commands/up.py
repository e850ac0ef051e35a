"""`cabildo up`: the whole service on this machine."""

import os
from pathlib import Path

import click

from deploy.console import say
from deploy.local.data_folder import DataFolder
from deploy.local.service import run


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="Port of the web server; 0 takes any free one.  [8080]")
@click.option("--host", help="Address to listen on.  [127.0.0.1: this machine only]")
@click.option("--workers", type=click.IntRange(1, 256), help="Web processes, and workers for each queue.  [2]")
@click.option("--data-dir", type=click.Path(path_type=Path), help="The data folder.")
@click.option("--stores-only", is_flag=True, help="Run the stores only, for `log recover`, `move-rules` and similar.")
@click.pass_obj
def up(
    folder: DataFolder,
    port: int | None,
    host: str | None,
    workers: int | None,
    data_dir: Path | None,
    stores_only: bool,
) -> None:
    """Run the whole service here until Ctrl-C.

    Starts PostgreSQL, Redis, the web server, workers and the keeper, and prints the addresses when all are ready.
    With DATABASE_URL or REDIS_URL set, those servers are used instead of embedded ones.
    """
    given = {"CABILDO_PORT": port, "CABILDO_HOST": host, "CABILDO_WORKERS": workers}
    environ = {**os.environ, **{name: str(value) for name, value in given.items() if value is not None}}
    run(DataFolder(data_dir.resolve()) if data_dir else folder, environ, say, serves=not stores_only)
