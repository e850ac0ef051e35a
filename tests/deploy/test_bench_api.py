"""The measurement of moves over HTTP runs, plays games beside bare INSERTs and tells the stages of a move."""

from click.testing import CliRunner

from deploy.bench.stages import STAGES
from deploy.cli import main

SMALL = ("bench", "api", "--in-python", "--seats", "2", "--clients", "1", "--seconds", "0.5")


def test_bench_api_counts_moves_beside_bare_inserts() -> None:
    ran = CliRunner().invoke(main, SMALL)
    assert ran.exit_code == 0, ran.output
    rules, titles, row = ran.output.splitlines()
    assert rules == "the rules run in Python"
    assert titles.split()[:4] == ["clients", "moves/s", "p50", "ms"]
    clients, *figures = (float(figure) for figure in row.replace("+", " ").split())
    moves, p50, p99, bare, _, _, ratio, *processor = figures
    assert clients == 1
    assert min(moves, p50, bare) > 0
    assert p99 >= p50
    assert ratio >= 0
    assert len(processor) == 4  # of a move and of an INSERT: web processes, database


def test_bench_api_tells_the_time_of_each_stage_of_a_move() -> None:
    ran = CliRunner().invoke(main, (*SMALL, "--stages"))
    assert ran.exit_code == 0, ran.output
    lines = ran.output.splitlines()
    for stage in STAGES:
        (line,) = (line for line in lines if line.startswith(f"{stage} "))
        wall, _ = (float(figure) for figure in line.removeprefix(stage).split())
        assert wall > 0
    assert [line for line in lines if line.startswith("bare INSERT")]
