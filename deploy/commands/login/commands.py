"""`cabildo login`, `logout` and `whoami`: the token of a player, for commands such as `cabildo bot run`."""

import os
from pathlib import Path

import click
from cabildo_client.errors import ClientError
from cabildo_client.login import commands
from cabildo_client.login.device_flow import SCOPES
from cabildo_client.login.kept_tokens import kept_tokens
from cabildo_client.tokens import token_from

from deploy.console import say


@click.command()
@click.option("--url", required=True, help="The address of the service.")
@click.option("--scope", "scopes", multiple=True, type=click.Choice(SCOPES), help="What the token allows.  [all]")
@click.option("--browser", is_flag=True, help="Open the page in a browser of this machine.")
def login(url: str, scopes: tuple[str, ...], *, browser: bool) -> None:
    """Log in as a player by a code that you enter on a page of the service.

    The token is kept in the keyring of the system, or in a file that only you can read.
    """
    try:
        commands.login(url, scopes or SCOPES, kept_tokens(os.environ), say, opens=browser)
    except ClientError as problem:
        raise click.ClickException(str(problem)) from problem


@click.command()
@click.option("--url", required=True, help="The address of the service.")
def logout(url: str) -> None:
    """Revoke the token of the login at a service, and forget it."""
    try:
        commands.logout(url, kept_tokens(os.environ), say)
    except ClientError as problem:
        raise click.ClickException(str(problem)) from problem


@click.command()
@click.option("--url", required=True, help="The address of the service.")
@click.option("--token-file", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="A file with a token.")
def whoami(url: str, token_file: Path | None) -> None:
    """Say whose token commands use, and what it allows."""
    try:
        commands.whoami(url, token_from(token_file, os.environ, url), say)
    except ClientError as problem:
        raise click.ClickException(str(problem)) from problem
