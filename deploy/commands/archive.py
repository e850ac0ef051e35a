"""`cabildo archive`: the bundles of a set of games in one file, to hand out."""

from pathlib import Path
from uuid import UUID

import click

from deploy.commands.log import connected
from deploy.console import say
from deploy.place import Place
from events.store import head
from projections.archives import pack
from service.bundles import bundle
from service.tournaments.archive import with_games


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("games", type=click.UUID, nargs=-1, required=True)
@click.pass_obj
def archive(place: Place, file: Path, games: tuple[UUID, ...]) -> None:
    """Write the bundles of GAMES, all they hold, into FILE; `cabildo verify FILE` examines them.

    Instead of a game, a tournament may be named: it comes with all its games.
    """
    with connected(place) as (settings, connection):
        named = [stream for one in games for stream in with_games(connection, one)]
        versions = {game: head(connection, game).seq for game in named}
        missing = [str(game) for game in games if not versions[game]]
        if missing:
            raise click.ClickException(f"there is no game {', '.join(missing)}")
        file.write_bytes(pack((game, bundle(connection, settings, game, seq)) for game, seq in versions.items()))
    say(f"{file}: {len(versions)} games")
