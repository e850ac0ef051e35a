"""The command line: log in, register, play as a bot, verify a bundle, serve tools to language models."""

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from cabildo_client.bots.engines import ENGINES, engine_named
from cabildo_client.bots.runner import AT_ONCE, BotRunner
from cabildo_client.bots.signals import interrupted_by_signals
from cabildo_client.client import Client
from cabildo_client.errors import ClientError, MissingExtra
from cabildo_client.login import commands as login
from cabildo_client.login.device_flow import SCOPES
from cabildo_client.login.kept_tokens import kept_tokens
from cabildo_client.positions import POSITIONS
from cabildo_client.tokens import TOKEN_VARIABLE, keep_token, token_from

TOKEN_HELP: Final = (
    f"a private file (mode 600) with the token; else the variable {TOKEN_VARIABLE}; else the login at the service"
)
REFUSED: Final = 1
COMMAND: Final = "cabildo-client"  # `python -m cabildo_client` is the same


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command, that of the command line unless one is given. Returns its exit status."""
    asked = parser().parse_args(arguments)
    try:
        return COMMANDS[asked.command](asked)
    except ClientError as problem:
        sys.stderr.write(f"{problem}\n")
        return REFUSED


def parser() -> argparse.ArgumentParser:
    """Returns the parser of all commands. No option takes a token: every user of a machine reads command lines."""
    top = argparse.ArgumentParser(COMMAND, description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)
    add = partial(commands.add_parser, allow_abbrev=False)  # --token is no abbreviation of --token-file
    entering = add(
        "login", help="log in by a code that you enter on a page of the service; later commands find the token"
    )
    entering.add_argument("--url", required=True, help="the address of the service")
    entering.add_argument("--scope", action="append", choices=SCOPES, help="what the token allows; repeatable [all]")
    entering.add_argument("--browser", action="store_true", help="open the page in a browser of this machine")
    leaving = add("logout", help="revoke the token of the login at a service, and forget it")
    leaving.add_argument("--url", required=True, help="the address of the service")
    _with_service(add("whoami", help="say whose token commands use, and what it allows"))
    register = add("register", help="register a player or a bot, and keep its token in a new file")
    register.add_argument("--url", required=True, help="the address of the service")
    register.add_argument("--name", required=True, help="the name of the player")
    register.add_argument(
        "--engine", help="registers a bot with this engine, of CABILDO_TOKEN's player or of a new one"
    )
    register.add_argument("--token-file", type=Path, required=True, help="the new file for the token (mode 600)")
    play = add("play", help="play all games of a player until Ctrl-C, or one new game")
    _with_service(play)
    play.add_argument("--engine", default="random", help=f"{', '.join(ENGINES)}, or a class of yours as MODULE:CLASS")
    play.add_argument("--new", choices=sorted(POSITIONS), help="create a game, play it to its end, print the result")
    play.add_argument("--against", nargs="+", default=["bot:greedy"], help="the other seats of a new game")
    play.add_argument("--keep", type=Path, help="a directory for the secrets of hash chains and for receipts")
    play.add_argument("--at-once", type=int, default=AT_ONCE, help="games played at once")
    play.add_argument("--no-accept", action="store_true", help="leave seats empty that hosts keep for the player")
    verify = add("verify", help="verify a bundle offline (extra: verify)")
    verify.add_argument("bundle", help="a file from GET /v1/games/{game}/bundle")
    verify.add_argument("policy", nargs="?", help="the policy with the trusted keys")
    _with_service(add("mcp", help="serve tools to a language model over stdio (extra: mcp)"))
    return top


def _with_service(command: argparse.ArgumentParser) -> None:
    command.add_argument("--url", required=True, help="the address of the service")
    command.add_argument("--token-file", type=Path, help=TOKEN_HELP)


def register(asked: argparse.Namespace) -> int:
    """Registers, and keeps the token in a new file."""
    if asked.token_file.exists():
        raise ClientError(f"{asked.token_file} is there already; name another file")
    with Client(asked.url, os.environ.get(TOKEN_VARIABLE, "") if asked.engine else "") as client:
        player = client.register_bot(asked.name, asked.engine) if asked.engine else client.register(asked.name)
        keep_token(asked.token_file, client.token)
    sys.stdout.write(f"registered {asked.name} as {player}; its token is in {asked.token_file}\n")
    return 0


def log_in(asked: argparse.Namespace) -> int:
    """Logs in."""
    login.login(asked.url, asked.scope or SCOPES, kept_tokens(os.environ), login.to_stdout, opens=asked.browser)
    return 0


def log_out(asked: argparse.Namespace) -> int:
    """Logs out."""
    login.logout(asked.url, kept_tokens(os.environ), login.to_stdout)
    return 0


def whoami(asked: argparse.Namespace) -> int:
    """Says whose token it is."""
    login.whoami(asked.url, token_from(asked.token_file, os.environ, asked.url), login.to_stdout)
    return 0


def play(asked: argparse.Namespace) -> int:
    """Plays as a bot."""
    engine = engine_named(asked.engine)
    with Client(asked.url, token_from(asked.token_file, os.environ, asked.url), keep=asked.keep) as client:
        runner = BotRunner(client, engine, asked.at_once, sits=not asked.no_accept)
        with interrupted_by_signals(), suppress(KeyboardInterrupt):
            sys.stdout.write(f"playing for {client.player()} as {asked.engine}\n")
            sys.stdout.flush()
            if asked.new is None:
                runner.run()
            else:
                game = client.create(asked.new, ["me", *asked.against]).id
                sys.stdout.write(f"{game}: {runner.play(game)}\n")
        sys.stdout.write("stopped\n")
    return 0


def verify(asked: argparse.Namespace) -> int:
    """Verifies a bundle offline, by checks V1 to V5."""
    try:
        from cabildo_client import verify_standalone
    except ImportError as missing:
        raise MissingExtra("verify") from missing
    return verify_standalone.main([one for one in (asked.bundle, asked.policy) if one is not None])


def mcp(asked: argparse.Namespace) -> int:
    """Serves tools over stdio."""
    try:
        from cabildo_client.mcp_server.server import serve
    except ImportError as missing:
        raise MissingExtra("mcp") from missing
    serve(asked.url, token_from(asked.token_file, os.environ, asked.url))
    return 0


COMMANDS: Final[Mapping[str, Callable[[argparse.Namespace], int]]] = {
    "login": log_in,
    "logout": log_out,
    "whoami": whoami,
    "register": register,
    "play": play,
    "verify": verify,
    "mcp": mcp,
}
