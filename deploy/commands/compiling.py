"""`cabildo compile`: compiles the rules to C, for fast searches."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import click

from deploy.compiling import TARGET, build, compile_rules

SAME_TESTS: Final = (
    "tests/projections/rules/test_contract.py",
    "tests/projections/rules/puerto_rico/test_second_engine.py",
    "tests/projections/rules/spice_road/test_second_engine.py",
    "tests/workers/bots/test_choices.py",
)
ALL_TESTS: Final = ("-n", str(os.cpu_count() or 1), "tests/projections/rules", "tests/workers/bots")
NICE: Final = 19  # of a build that nobody waits for


@click.command("compile")
@click.option("--into", type=click.Path(path_type=Path), default=TARGET, help="The directory.  [.build/compiled]")
@click.option("--quick", is_flag=True, help="Optimise less: compile in half the time; searches are some 5 % slower.")
@click.option("--test", is_flag=True, help="Run contract, second engines and the bots' choices on the copy.")
@click.option("--test-all", is_flag=True, help="Run all tests of the rules and the bots on the copy.")
@click.option("--service", is_flag=True, help="Compile for `cabildo up`, which does so by itself; no copy is left.")
def compile_command(into: Path, quick: bool, test: bool, test_all: bool, service: bool) -> None:
    """Copy the project and compile its rules and bots (a minute or two; needs a C compiler and the `compile` extra).

    The copy behaves like the project; run anything from its directory, such as `python -m deploy.cli bench playouts`.
    """
    if service:
        os.nice(NICE)
        click.echo(build())
        return
    compiled = compile_rules(into, quick=quick)
    click.echo(f"{len(compiled)} modules compiled into {into}")
    if test or test_all:
        chosen = ALL_TESTS if test_all else SAME_TESTS
        ran = subprocess.run([sys.executable, "-m", "pytest", "-q", *chosen], cwd=into, check=False)
        sys.exit(ran.returncode)
