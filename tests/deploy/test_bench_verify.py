"""The measurement of proofs runs and tells its figures."""

import re

from click.testing import CliRunner

from deploy.cli import main
from projections.games import GAMES


def test_verifying_auditing_and_sealing_are_measured() -> None:
    ran = CliRunner().invoke(
        main, ["bench", "verify", "--seconds", "1", "--length", "600", "--writers", "1", "--moves", "50"]
    )
    assert ran.exit_code == 0, ran.output
    *games, audit, appends, inclusion = ran.output.splitlines()
    assert [line.partition(":")[0] for line in games] == list(GAMES)
    for line in (*games, audit, appends, inclusion):
        figures = [float(figure.replace(",", "")) for figure in re.findall(r"\d[\d,.]*\d|\d", line)]
        assert figures
        assert min(figures) > 0, line
