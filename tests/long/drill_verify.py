"""The measurement of proofs runs and tells its figures."""

import re

from click.testing import CliRunner

from deploy.cli import main
from projections.rules.registry import GAMES

FIGURES = "F/s, ratio F; answered in F ms, 99 of 100 in F ms; processor time F µs (writer F, database F, keeper F)"
SIDES = tuple(f"  {side}: {FIGURES}" for side in ("alone", "sequencer and sealer", "and publisher"))
TOLD = (
    *(f"{game}: F events/s chain alone, F with the rules" for game in GAMES),
    "audit: F events/s of 600",
    *("1 writers, 50 appends/s asked for:", *SIDES),
    *("1 writers, full speed:", *SIDES),
    "into a published checkpoint at 50 appends/s: F s in the middle, F s for 99 of 100, 20 moves",
)
FIGURE = r"\\d[\\d,.]*"


def test_verifying_auditing_and_sealing_are_measured() -> None:
    size = ("--seconds", "0.5", "--length", "600", "--writers", "1", "--rate", "50", "--moves", "20")
    ran = CliRunner().invoke(main, ["bench", "verify", *size])
    assert ran.exit_code == 0, ran.output
    for line, told in zip(ran.output.splitlines(), TOLD, strict=True):
        pattern = re.sub(r"\bF\b", FIGURE, re.escape(told))
        assert re.fullmatch(pattern, line), line
        timed = line.partition("processor time")[0]  # the system counts that in hundredths of a second
        assert all(float(figure.replace(",", "")) > 0 for figure in re.findall(r"\d[\d,.]*\d|\d", timed)), line
