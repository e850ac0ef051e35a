"""`cabildo bench`: how fast it is, beside something fixed in the same run."""

import click

from deploy.bench.api import api


@click.group()
def bench() -> None:
    """Measure; each figure stands beside a yardstick of the same run."""


bench.add_command(api)
