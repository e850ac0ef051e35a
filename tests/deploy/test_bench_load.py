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
from deploy.bench.load.plot import Line, Panel, write_plot
from deploy.bench.load.recorded import BEGIN, END, PERFORMANCE, record_report
from deploy.bench.load.samples import KINDS, Sample, figures, over_time
from deploy.cli import main
from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT, descendants, eventually

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
    p50, p95, p99, errors, *memory = ET.parse(plot).getroot().findall(f"{SVG}polyline")
    assert all(line.attrib["points"] for line in (p50, p95, p99, errors))
    assert all(len(line.attrib["points"].split()) > 1 for line in memory)
    assert len(memory) == len(PROCESSES)


def test_a_load_ended_by_a_signal_stops_servers_and_abusers() -> None:
    command = (sys.executable, "-m", "deploy.cli", "bench", "load", "--seconds", "3600", *FEW)
    with subprocess.Popen(bound(command), cwd=PROJECT, stdout=subprocess.DEVNULL) as measuring:
        measured = psutil.Process(measuring.pid)
        assert eventually(lambda: descendants(measured, "spawn_main") == 3)
        started = measured.children(recursive=True)
        measuring.terminate()
        assert measuring.wait(PATIENCE) == 128 + 15
    _, left = psutil.wait_procs(started, PATIENCE)
    assert left == []


def test_figures_count_requests_with_a_fault() -> None:
    samples = [Sample("move", at, at / 1000, "" if at < 100 else "500") for at in range(1, 101)]
    assert figures(samples) == (100, 1, 51.0, 96.0, 100.0)
    assert figures([]) == (0, 0, 0.0, 0.0, 0.0)


def test_percentiles_of_each_window_stand_at_its_middle() -> None:
    samples = [Sample("move", 10.0, 0.1, ""), Sample("move", 10.4, 0.3, ""), Sample("move", 13.0, 0.2, "")]
    assert [(at, own.p99) for at, own in over_time(samples, 10.0, 2.0)] == [(1.0, 300.0), (3.0, 200.0)]


def test_a_plot_has_its_lines_aim_and_mark_in_place(tmp_path: Path) -> None:
    plot = tmp_path / "plot.svg"
    panels = [Panel("a < b", [Line("c & d", [(0, 0), (10, 100)])], 100.0), Panel("empty", [Line("", [])])]
    write_plot(plot, panels, 10.0, 5.0, "half & half")
    root = ET.parse(plot).getroot()
    first, empty = root.findall(f"{SVG}polyline")
    (x1, y1), (x2, y2) = (map(float, corner.split(",")) for corner in first.attrib["points"].split())
    aim, *_ = [line for line in root.findall(f"{SVG}line") if line.attrib["class"] == "aim"]
    mark, *_ = [line for line in root.findall(f"{SVG}line") if line.attrib["class"] == "mark"]
    assert x1 < float(mark.attrib["x1"]) < x2
    assert y2 == float(aim.attrib["y1"]) < y1
    assert empty.attrib["points"] == ""
    assert "half & half" in [text.text for text in root.findall(f"{SVG}text")]
    assert [name.text for name in root.iter(f"{SVG}tspan")] == [" c & d", " "]


def test_a_recorded_run_replaces_the_one_before_it(tmp_path: Path) -> None:
    page = tmp_path / "performance.md"
    page.write_text(f"# Before\n\n{BEGIN}\n\nold\n\n{END}\n\n# After\n")
    for _ in range(2):
        record_report(
            page, ["the mix", "| ms | p50 |", "|---|---:|", "| move | 1 |", "| MB (PSS) | Alone |", "REACHED: all"], 1.5
        )
    text = page.read_text()
    assert text.startswith(f"# Before\n\n{BEGIN}\n\nRecorded on ")
    assert text.endswith(f"{END}\n\n# After\n")
    assert "the load average before the run was 1.5." in text
    assert "- the mix\n\n| ms | p50 |\n|---|---:|\n| move | 1 |\n\n| MB (PSS) | Alone |\n\n- REACHED: all\n" in text
    assert "old" not in text


def test_the_page_of_measurements_has_a_place_for_a_run() -> None:
    text = PERFORMANCE.read_text()
    assert (text.count(BEGIN), text.count(END)) == (1, 1)
    assert text.index(BEGIN) < text.index(END)
