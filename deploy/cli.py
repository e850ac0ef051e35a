"""`cabildo`: the command line of the operator."""

import sys
from pathlib import Path
from typing import Any, Final

import click

from deploy.lazy_group import LazyGroup
from deploy.local.data_folder import DATA_DIR, DataFolder
from events.errors import CabildoError
from service.core import logs

COMMANDS: Final = {
    "up": "deploy.commands.up:up",
    "status": "deploy.commands.status:status",
    "settings": "deploy.commands.status:settings",
    "migrate": "deploy.commands.data:migrate",
    "distribute": "deploy.commands.data:distribute",
    "events": "deploy.commands.data:events",
    "token": "deploy.commands.token:token",
    "player": "deploy.commands.player:player",
    "admin": "deploy.commands.admin:admin",
    "verify": "deploy.commands.verify:verify",
    "openapi": "deploy.openapi:openapi",
    "archive": "deploy.commands.archive:archive",
    "audit": "deploy.commands.audit:audit",
    "replay-all": "deploy.commands.replay:replay_all",
    "move-rules": "deploy.commands.move_rules:move_rules_command",
    "log": "deploy.commands.log:log",
    "months": "deploy.commands.months.commands:months",
    "key": "deploy.commands.key:key",
    "witness": "deploy.commands.witness:witness",
    "monitor": "deploy.commands.monitor:monitor",
    "rebuild": "deploy.commands.projections:rebuild",
    "resume": "deploy.commands.projections:resume",
    "web": "deploy.commands.processes:web",
    "worker": "deploy.commands.processes:worker",
    "keeper": "deploy.commands.processes:keeper",
    "bot": "deploy.commands.bot:bot",
    "login": "deploy.commands.login.commands:login",
    "logout": "deploy.commands.login.commands:logout",
    "whoami": "deploy.commands.login.commands:whoami",
    "bench": "deploy.commands.bench:bench",
    "compile": "deploy.commands.compiling:compile_command",
}


class Commands(LazyGroup):
    """The commands; the project's errors are printed as one sentence."""

    def invoke(self, context: click.Context) -> Any:
        """Runs the command. Raises ClickException for an error of the project, so that no traceback is printed."""
        try:
            return super().invoke(context)
        except CabildoError as refused:
            raise click.ClickException(str(refused)) from refused


@click.group(
    cls=Commands, table=COMMANDS, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
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


if __name__ == "__main__":
    sys.exit(main())
