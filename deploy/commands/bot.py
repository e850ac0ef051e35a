"""`cabildo bot`: repeats a decision of the service's bots, and runs an external bot against a service."""

import importlib
import os
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import UUID

import click

from deploy.console import say
from deploy.local.data_folder import DataFolder, direct_address
from deploy.local.versions import postgresql_version
from events.event import Event
from events.store.connections import connect
from events.store.postgres import read
from projections.games.fold import fold
from projections.games.record import GameRecord
from projections.games.replay import position_at
from projections.rules.registry import rules_of
from service.client.http import Client
from service.games.game_state import setting
from service.secret_files import private_file
from workers.bots.bot import Budget
from workers.bots.levels import BOTS, DecisionRecord, decide, ranked_moves
from workers.external_bot import AT_ONCE, BotRunner, HouseBot, MoveChooser

SHOWN = 12  # moves that are listed
FROM_ENVIRONMENT = "CABILDO_TOKEN"


@click.group()
def bot() -> None:
    """Explain moves of the service's bots; run your own bot."""


@bot.command()
@click.argument("game", type=click.UUID)
@click.argument("seq", type=click.IntRange(2))
@click.pass_obj
def explain(folder: DataFolder, game: UUID, seq: int) -> None:
    """Repeat the decision of the bot that made the move in event SEQ of GAME, and list the moves that it ranked.

    Exits with 1 when the bot of this program decides otherwise, as one of another version may.
    """
    url = direct_address(folder, os.environ)
    postgresql_version(url)
    with connect(url) as connection:
        events = [event for event in read(connection, game) if event.seq <= seq]
    if not events or events[-1].seq != seq:
        raise click.ClickException(f"there is no event {seq} of {game}")
    said = events[-1].data.get("bot")
    if not isinstance(said, dict):
        raise click.ClickException(f"event {seq} is no move of a bot of the service")
    how = DecisionRecord(**said)
    if BOTS[how.level].version != how.version:
        say(f"the move was made by version {how.version} of {how.level}; this program has {BOTS[how.level].version}")
    raise SystemExit(0 if print_decision(events, how) else 1)


def print_decision(events: list[Event], how: DecisionRecord) -> bool:
    """Prints the repeated decision. Returns whether it equals the recorded move."""
    record: GameRecord | None = None
    for event in events[:-1]:
        record = fold(record, event)
    assert record is not None
    assert record.turn is not None
    rules, made = rules_of(record.game, record.rules), str(events[-1].data["move"])
    position = position_at(setting(record), events[:-1])
    for worth, move in ranked_moves(rules, position, record.turn.seat, how)[:SHOWN]:
        say(f"{worth:8.2f}  {rules.notation(move)}")
    again = rules.notation(decide(rules, position, record.turn.seat, how).move)
    say(f"{how.level} of version {how.version}, seed {how.seed}, {how.steps} steps decides: {again}")
    if again != made:
        say(f"the event says: {made}")
    return again == made


@bot.command()
@click.option("--url", required=True, help="The address of the service.")
@click.option(
    "--token-file",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="A file with the token of the bot's player.  [the environment variable CABILDO_TOKEN]",
)
@click.option("--level", type=click.Choice(sorted(BOTS)), default="greedy", show_default=True, help="Play as a level.")
@click.option("--own", metavar="MODULE:CLASS", help="Play as your own class with a method choose(turn).")
@click.option(
    "--at-once", type=click.IntRange(1, 256), default=AT_ONCE, show_default=True, help="Games played at once."
)
@click.option(
    "--keep", type=click.Path(path_type=Path), help="A directory for the secrets of its hash chains and for receipts."
)
@click.option("--steps", type=click.IntRange(0), default=0, help="The steps of a level that searches.  [100]")
@click.option("--accept/--no-accept", default=True, show_default=True, help="Take seats that hosts keep for the bot.")
@click.option("--seconds", type=click.FloatRange(0), default=0.0, help="The time limit for a move.  [no limit]")
def run(
    url: str,
    token_file: Path | None,
    level: str,
    own: str | None,
    at_once: int,
    keep: Path | None,
    steps: int,
    seconds: float,
    *,
    accept: bool,
) -> None:
    """Play every game of a player until Ctrl-C or SIGTERM, through broken connections and restarts of the service.

    The token comes from a file or from CABILDO_TOKEN, never from the command line, which every user can read.
    """
    with Client(url, token_from(token_file, os.environ), keep=keep) as client:
        say(f"playing for {client.player()} as {own or level}")
        with interrupted_by_signals(), suppress(KeyboardInterrupt):
            BotRunner(
                client, author(own) if own else HouseBot(level, Budget(steps, seconds)), at_once, sits=accept
            ).run()
        say("stopped")


@contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """Raises KeyboardInterrupt on SIGINT and SIGTERM, also where the parent process had them ignored."""
    before = {number: signal.signal(number, signal.default_int_handler) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def token_from(file: Path | None, environ: Mapping[str, str]) -> str:
    """Returns the token from a file, or else from the environment. Raises UsageError when there is none."""
    where = FROM_ENVIRONMENT if file is None else str(file)
    try:
        token = environ.get(FROM_ENVIRONMENT, "").strip() if file is None else private_file(file)
    except (OSError, ValueError) as problem:
        raise click.UsageError(str(problem)) from problem
    if not token:
        raise click.UsageError(f"no token: name a file with --token-file, or set {FROM_ENVIRONMENT}")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise click.UsageError(f"{where} holds no token: it is one word that begins with cab_")
    return token


def author(own: str) -> MoveChooser:
    """Returns an instance of a class, by module and name. Raises ClickException."""
    module, _, name = own.partition(":")
    try:
        made: MoveChooser = getattr(importlib.import_module(module), name)()
    except (ImportError, AttributeError) as problem:
        raise click.ClickException(f"{own}: {problem}") from problem
    return made
