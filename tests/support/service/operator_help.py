"""What the operator does for players, on the command line."""

from click.testing import CliRunner, Result

from deploy.cli import main


def run_player(environ: dict[str, str], *arguments: str) -> Result:
    """Runs `cabildo player`."""
    return CliRunner(env=environ).invoke(main, ["--data-dir", environ["CABILDO_DATA_DIR"], "player", *arguments])


def reset_code(environ: dict[str, str], name: str) -> str:
    """Resets a player's password; returns the code."""
    done = run_player(environ, "reset", name)
    assert done.exit_code == 0, done.output
    return done.stdout.strip()
