"""`cabildo move-rules`: moves running games to newer rules, if these replay all earlier events unchanged."""

from collections.abc import Callable, Sequence
from uuid import UUID

import click

from deploy.console import say
from deploy.local.accounts import operators_container
from deploy.local.data_folder import DataFolder
from projections.rules.registry import GAMES
from service.container import Container
from service.core.command_handler import Request
from service.core.errors import NotRunning, NotThere, RulesNotMoved
from service.games.command_handler import GameOutcome
from service.games.commands.upkeep import ChangeRules, change_game_rules, check_rules_change
from service.moderation.record import OPERATOR
from service.players.queries import id_by_name

RUNNING = "SELECT id FROM games WHERE game = %s AND status = 'running' ORDER BY id"
STAYED = 1


@click.command("move-rules")
@click.argument("games", metavar="[GAME]...", type=click.UUID, nargs=-1)
@click.option("--every", type=click.Choice([*GAMES]), help="Every running game of this kind.")
@click.option("--to", required=True, metavar="VERSION", help="The version of the rules, newer than the game's.")
@click.option("--reason", required=True, help="The public reason, shown to all viewers of the game.")
@click.option("--by", metavar="NAME", help="The responsible player, named in the event.  [operator]")
@click.option("--dry-run", is_flag=True, help="Only list the games that could be moved.")
@click.pass_obj
def move_rules_command(
    folder: DataFolder,
    games: tuple[UUID, ...],
    every: str | None,
    to: str,
    reason: str,
    by: str | None,
    dry_run: bool,
) -> None:
    """Move running games to newer rules.

    Replays all events of a game by the newer rules first. A game that they would have changed is not moved, and the
    first changed event is named. Exits with 1 when a game is not moved.
    """
    if not games and every is None:
        raise click.UsageError("name games, or --every running one of a kind")
    with operators_container(folder) as container:
        chosen = [*games, *_running(container, every)]
        actor = OPERATOR if by is None else _player(container, by)
        execute = check_rules_change if dry_run else change_game_rules
        commands = [ChangeRules(game, to, reason) for game in chosen]
        stayed = [one for one in commands if not _is_moved(container, one, execute, Request(actor))]
    say(f"{len(chosen) - len(stayed)} {'could move' if dry_run else 'moved'} to {to}, {len(stayed)} stay")
    raise SystemExit(STAYED if stayed else 0)


def _running(container: Container, kind: str | None) -> Sequence[UUID]:
    """Returns every running game of a kind; none when the kind is None."""
    with container.stores.pool.connection() as connection:
        return [game for (game,) in connection.execute(RUNNING, (kind,))]


def _player(container: Container, name: str) -> str:
    with container.stores.pool.connection() as connection:
        id = id_by_name(connection, name)
    if id is None:
        raise click.ClickException(f"there is no player {name!r}")
    return id


def _is_moved(
    container: Container,
    command: ChangeRules,
    execute: Callable[[Container, ChangeRules, Request], GameOutcome],
    request: Request,
) -> bool:
    """Moves a game, or checks that it could be moved. Returns whether it succeeded; prints the reason if not."""
    try:
        execute(container, command, request)
    except (NotRunning, NotThere, RulesNotMoved) as refused:
        say(f"{command.game} stays: {refused}")
        return False
    return True
