"""`cabildo bench webhooks`: every waiting message arrives, and a yardstick stands beside the figure."""

import re

from click.testing import CliRunner

from deploy.cli import main


def test_waiting_messages_are_sent_and_measured() -> None:
    done = CliRunner().invoke(
        main, ["bench", "webhooks", "--messages", "60", "--owners", "3", "--seconds", "60"], catch_exceptions=False
    )
    assert done.exit_code == 0, done.output
    assert "(60 of 60 in" in done.output
    bare, rate = (float(figure) for figure in re.findall(r" ([0-9]+) /s", done.output))
    assert min(bare, rate) > 0
