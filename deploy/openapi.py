"""`cabildo openapi`: the description of the API, for programs that make types or clients of it."""

import json
from pathlib import Path

import click

from service.web.blueprints import ROUTES
from service.web.openapi import specification


@click.command()
@click.option("--output", type=click.Path(path_type=Path, dir_okay=False), help="A file to write, instead of printing.")
def openapi(output: Path | None) -> None:
    """Print the OpenAPI document of this version, as `/openapi.json` answers it."""
    text = json.dumps(specification.document(tuple(ROUTES)), indent=2, sort_keys=False)
    if output is None:
        click.echo(text)
    else:
        output.parent.mkdir(parents=True, exist_ok=True)
        output.write_text(f"{text}\n")
