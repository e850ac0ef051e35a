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


@click.command()
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("games", type=click.UUID, nargs=-1, required=True)
@click.pass_obj
def archive(place: Place, file: Path, games: tuple[UUID, ...]) -> None:
    """Write the bundles of GAMES, all they hold, into FILE; `cabildo verify FILE` examines them."""
    with connected(place) as (settings, connection):
        versions = {game: head(connection, game).seq for game in games}
        missing = [str(game) for game, version in versions.items() if not version]
        if missing:
            raise click.ClickException(f"there is no game {', '.join(missing)}")
        file.write_bytes(pack((game, bundle(connection, settings, game, seq)) for game, seq in versions.items()))
    say(f"{file}: {len(versions)} games")
