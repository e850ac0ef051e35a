"""`cabildo bench load`: every kind of use is measured beside every abuser, and a signal leaves nothing behind."""

import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree as ET

import psutil
from click.testing import CliRunner

from deploy.bench.load.abusers import ABUSERS
from deploy.bench.load.memory import KINDS as PROCESSES
from deploy.bench.load.plot import Panel, write_plot
from deploy.bench.load.samples import KINDS, Sample, figures, p99_over_time
from deploy.cli import main
from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT, eventually

FEW = ("--connections", "20", "--games", "2")
SVG = "{http://www.w3.org/2000/svg}"


def test_ordinary_users_are_measured_alone_and_beside_abusers(tmp_path: Path) -> None:
    plot = tmp_path / "load.svg"
    ran = CliRunner().invoke(main, ["bench", "load", "--seconds", "9", *FEW, "--plot", str(plot)])
    assert ran.exit_code == 0, ran.output
    tables = [line.strip("| ").split(" | ") for line in ran.output.splitlines() if line.startswith("| ")]
    rows, memory_rows = [row for row in tables if len(row) == 12], [row for row in tables if len(row) == 6]
    assert [row[0] for row in rows[1:]] == [*KINDS, "all requests"]
    assert [row[0] for row in memory_rows[1:]] == [kind for kind, _ in PROCESSES]
    assert all(int(row[1]) > 0 for row in memory_rows[1:]), ran.output
    alone, beside = int(rows[-1][1]), int(rows[-1][6])
    assert alone > 0
    assert beside > 0
    answers = re.findall(r"^abuser: .*; answers: (\w.*)$", ran.output, re.MULTILINE)
    assert len(answers) == len(ABUSERS)
    assert re.search(r"\b201 [1-9]", answers[2])  # games were made
    last = ran.output.splitlines()[-3:]
    assert [re.match(r"(REACHED|MISSED): (ordinary|bots|memory) .*: \S", line) is not None for line in last] == [
        True
    ] * 3
    *memory, p99 = ET.parse(plot).getroot().findall(f"{SVG}polyline")
    assert all(len(one.attrib["points"].split()) > 1 for one in memory)
    assert len(memory) == len(PROCESSES)
    assert p99.attrib["points"]


def test_a_load_ended_by_a_signal_stops_servers_and_abusers() -> None:
    command = (sys.executable, "-m", "deploy.cli", "bench", "load", "--seconds", "3600", *FEW)
    with subprocess.Popen(bound(command), cwd=PROJECT, stdout=subprocess.DEVNULL) as measuring:
        measured = psutil.Process(measuring.pid)
        assert eventually(lambda: sum("spawn_main" in " ".join(_command(one)) for one in measured.children()) == 3)
        started = measured.children(recursive=True)
        measuring.terminate()
        assert measuring.wait(PATIENCE) == 128 + 15
    _, left = psutil.wait_procs(started, PATIENCE)
    assert left == []


def _command(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def test_figures_count_requests_with_a_fault() -> None:
    samples = [Sample("move", at, at / 1000, "" if at < 100 else "500") for at in range(1, 101)]
    assert figures(samples) == (100, 1, 51.0, 96.0, 100.0)
    assert figures([]) == (0, 0, 0.0, 0.0, 0.0)


def test_percentiles_of_each_window_stand_at_its_middle() -> None:
    samples = [Sample("move", 10.0, 0.1, ""), Sample("move", 10.4, 0.3, ""), Sample("move", 13.0, 0.2, "")]
    assert p99_over_time(samples, 10.0, 2.0) == [(1.0, 300.0), (3.0, 200.0)]


def test_a_plot_has_its_lines_aim_and_mark_in_place(tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    write_plot(plot, [Panel("a < b", [(0, 0), (10, 100)], 100.0), Panel("empty", [])], 10.0, 5.0, "half & half")
    root = ET.parse(plot).getroot()
    first, empty = root.findall(f"{SVG}polyline")
    (x1, y1), (x2, y2) = (map(float, corner.split(",")) for corner in first.attrib["points"].split())
    aim, *_ = [line for line in root.findall(f"{SVG}line") if line.attrib["class"] == "aim"]
    mark, *_ = [line for line in root.findall(f"{SVG}line") if line.attrib["class"] == "mark"]
    assert x1 < float(mark.attrib["x1"]) < x2
    assert y2 == float(aim.attrib["y1"]) < y1
    assert empty.attrib["points"] == ""
    assert "half & half" in [text.text for text in root.findall(f"{SVG}text")]
