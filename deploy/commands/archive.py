"""`cabildo archive`: writes the bundles of a set of games into one file."""

from collections.abc import Sequence
from pathlib import Path
from uuid import UUID

import click
from psycopg import Connection

from deploy.commands.log import connected
from deploy.console import say
from deploy.local.data_folder import DataFolder
from events.store.postgres import head
from projections.ratings.input_files import RatingFile
from projections.verify.archive import pack
from service.games.shared_deals import closed_among
from service.proof.queries import proved_game, signed_bundle
from service.tournaments.archive import ratings, tournament, with_games


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("games", type=click.UUID, nargs=-1, required=True)
@click.pass_obj
def archive(folder: DataFolder, file: Path, games: tuple[UUID, ...]) -> None:
    """Write the complete bundles of GAMES into FILE; `cabildo verify FILE` verifies them.

    Give one tournament instead of games to archive it with all its games and the inputs of its ratings.
    """
    with connected(folder) as (settings, connection):
        named, rated = _contents(connection, games)
        versions = {game: head(connection, game).seq for game in named}
        missing = [str(game) for game in games if not versions[game]]
        if missing:
            raise click.ClickException(f"there is no game {', '.join(missing)}")
        if closed := closed_among(connection, list(versions)):
            raise click.ClickException(f"other tables with the same deal still play: {', '.join(map(str, closed))}")
        bundles = (
            (game, signed_bundle(settings, game, proved_game(connection, settings, game, seq)))
            for game, seq in versions.items()
        )
        file.write_bytes(pack(bundles, rated))
    say(f"{file}: {len(versions)} games")


def _contents(connection: Connection, named: tuple[UUID, ...]) -> tuple[Sequence[UUID], Sequence[RatingFile]]:
    """Returns the games, or those of a tournament, and the files of its ratings. Raises UsageError."""
    for one in named:
        record = tournament(connection, one)
        if record is None:
            continue
        if len(named) > 1:
            raise click.UsageError("a tournament is archived by itself: no other game belongs to it")
        return with_games(connection, one, record), ratings(connection, record)
    return named, ()
