"""`cabildo`: the command line of the operator."""

import sys
from pathlib import Path
from typing import Any

import click

from deploy.commands import (
    admin,
    archive,
    audit,
    bench,
    bot,
    compiling,
    data,
    key,
    log,
    monitor,
    move_rules,
    player,
    processes,
    projections,
    replay,
    status,
    token,
    up,
    verify,
    witness,
)
from deploy.commands.moderation import commands as moderation
from deploy.local.data_folder import DATA_DIR, DataFolder
from events.errors import CabildoError
from service.core import logs

COMMANDS: tuple[click.Command, ...] = (
    up.up,
    status.status,
    status.settings,
    data.migrate,
    data.events,
    token.token,
    player.player,
    admin.admin,
    verify.verify,
    archive.archive,
    audit.audit,
    replay.replay_all,
    move_rules.move_rules_command,
    log.log,
    key.key,
    witness.witness,
    monitor.monitor,
    projections.rebuild,
    projections.resume,
    processes.web,
    processes.worker,
    processes.keeper,
    bot.bot,
    bench.bench,
    compiling.compile_command,
)


class InOrder(click.Group):
    """A group that lists its commands in the order of the table and prints the project's errors as one sentence."""

    def list_commands(self, _context: click.Context) -> list[str]:
        """Returns the names of the commands in the order of the table."""
        return list(self.commands)

    def invoke(self, context: click.Context) -> Any:
        """Runs the command. Raises ClickException for an error of the project, so that no traceback is printed."""
        try:
            return super().invoke(context)
        except CabildoError as refused:
            raise click.ClickException(str(refused)) from refused


@click.group(cls=InOrder, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--data-dir",
    type=click.Path(path_type=Path),
    envvar="CABILDO_DATA_DIR",
    default=DATA_DIR,
    help="The directory of an embedded installation.  [.cabildo in the checkout]",
)
@click.pass_context
def main(context: click.Context, data_dir: Path) -> None:
    """Cabildo: an event-sourced game service with replay and audit.

    Settings are read from environment variables; `cabildo settings` lists them. Without DATABASE_URL and REDIS_URL the
    commands use the embedded servers that `cabildo up` runs.
    """
    logs.configure("warning", "text")
    context.obj = DataFolder(data_dir.resolve())


for command in COMMANDS:
    main.add_command(command)
for command in moderation.COMMANDS:
    admin.admin.add_command(command)

if __name__ == "__main__":
    sys.exit(main())
