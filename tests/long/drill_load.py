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
from deploy.bench.load.samples import KINDS
from deploy.cli import main
from tests.support.lifelines import bound
from tests.support.running_program import PATIENCE, PROJECT, descendants, eventually

FEW = ("--connections", "20", "--games", "2")
SVG = "{http://www.w3.org/2000/svg}"


def test_ordinary_users_are_measured_alone_and_beside_abusers(tmp_path: Path) -> None:
    plot = tmp_path / "load.svg"
    ran = CliRunner().invoke(main, ["bench", "load", "--seconds", "6", *FEW, "--plot", str(plot)])
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
