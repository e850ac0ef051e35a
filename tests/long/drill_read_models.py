"""The measurement of read models writes a log, follows it with each and with all, and tells the rates."""

from click.testing import CliRunner

from deploy.cli import main
from projections.read_models.registry import READ_MODELS


def test_each_read_model_is_measured_alone_and_with_the_others() -> None:
    ran = CliRunner().invoke(main, ["bench", "read-models", "--events", "300"])
    assert ran.exit_code == 0, ran.output
    size, bare, *told = ran.output.splitlines()
    assert int(size.split()[0]) >= 300
    rates = {line[:12].strip(): line[12:].replace(",", "").replace("/s", " ").split() for line in told}
    assert list(rates) == [*READ_MODELS, "in turn", "at once"]
    alone = float(bare[12:].replace(",", "").split()[0])
    for speed, ratio in rates.values():
        assert float(speed) > 0
        assert abs(float(speed) / alone - float(ratio)) < 0.02
