"""`cabildo replay-all`: replays every stored game and reports differences."""

import json
import os
from uuid import UUID

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from deploy.console import ERRORS, say
from deploy.local.data_folder import DataFolder, direct_address
from deploy.local.versions import postgresql_version
from events.store.connections import connect
from events.store.postgres import read
from projections.verify.compatibility import differences

GAMES = "SELECT stream FROM streams_begun WHERE kind = 'game_created' ORDER BY stream"
COLUMNS = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())


@click.command("replay-all")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on a line for each difference.")
@click.pass_obj
def replay_all(folder: DataFolder, as_json: bool) -> None:
    """Replay every stored game, by its facts and by its rules, and name the first event that differs.

    Exits with 1 when a game differs. Run it before a new version of the program serves.
    """
    url = direct_address(folder, os.environ)
    postgresql_version(url)
    parted = 0
    with connect(url) as connection, Progress(*COLUMNS, console=ERRORS) as progress:
        games: list[UUID] = [stream for (stream,) in connection.execute(GAMES)]
        for game in progress.track(games, description="replaying"):
            found = differences(tuple(read(connection, game)))
            parted += bool(found)
            for by, seq, sentence in found:
                row = {"game": str(game), "by": by, "event": seq, "says": sentence}
                say(json.dumps(row) if as_json else f"{game}, event {seq}, by its {by}: {sentence}")
    say(json.dumps({"games": len(games), "parted": parted}) if as_json else f"{len(games)} games, {parted} differ")
    raise SystemExit(1 if parted else 0)
