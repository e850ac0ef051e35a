"""`cabildo bot`: repeats a decision of the service's bots, and runs an external bot against a service."""

import os
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import click
from cabildo_client import BotRunner, Client, ClientError
from cabildo_client.bots.engines import engine_named
from cabildo_client.bots.runner import AT_ONCE
from cabildo_client.bots.signals import interrupted_by_signals
from cabildo_client.tokens import token_from

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
from service.games.game_state import setting
from workers.bots.bot import Budget
from workers.bots.levels import BOTS, DecisionRecord, decide, ranked_moves
from workers.external_bot import HouseBot

SHOWN = 12  # moves that are listed


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
    help="A file with the token of the player.  [CABILDO_TOKEN, or the login at the service]",
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

    The token comes from a file, CABILDO_TOKEN or `cabildo login`, never from the command line, which all users can
    read.
    """
    try:
        token = token_from(token_file, os.environ, url)
        engine = engine_named(own) if own else HouseBot(level, Budget(steps, seconds))
    except ClientError as problem:
        raise click.UsageError(str(problem)) from problem
    with Client(url, token, keep=keep) as client:
        with interrupted_by_signals(), suppress(KeyboardInterrupt):
            say(f"playing for {client.player()} as {own or level}")
            BotRunner(client, engine, at_once, sits=accept).run()
        say("stopped")
