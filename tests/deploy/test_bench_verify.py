"""The measurement of proofs runs and tells its figures."""

import re

from click.testing import CliRunner

from deploy.cli import main
from projections.games import GAMES

TOLD = (
    *(f"{game}: F events/s chain alone, F with the rules" for game in GAMES),
    "audit: F events/s of 600",
    "1 writers, 50 appends/s asked for: RATES",
    "1 writers at full speed: RATES",
    "processor time of an append at full speed, alone: F µs (writer F, database F, keeper F)",
    "processor time of an append at full speed, with the keeper: F µs (writer F, database F, keeper F)",
    "into a published checkpoint at 50 appends/s: F s in the middle, F s for 99 of 100, 20 moves",
)
RATES = "F/s alone, F/s with the keeper, ratio F; answered in F and F ms, 99 of 100 in F and F ms"
FIGURE = r"\\d[\\d,.]*"


def test_verifying_auditing_and_sealing_are_measured() -> None:
    size = ("--seconds", "1", "--length", "600", "--writers", "1", "--rate", "50", "--moves", "20")
    ran = CliRunner().invoke(main, ["bench", "verify", *size])
    assert ran.exit_code == 0, ran.output
    for line, told in zip(ran.output.splitlines(), TOLD, strict=True):
        pattern = re.sub(r"\bF\b", FIGURE, re.escape(told).replace("RATES", re.escape(RATES)))
        assert re.fullmatch(pattern, line), line
        timed = line.partition("processor time")[0]  # the system counts that in hundredths of a second
        assert all(float(figure.replace(",", "")) > 0 for figure in re.findall(r"\d[\d,.]*\d|\d", timed)), line
