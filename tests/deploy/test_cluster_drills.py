"""The drills of a cluster: where programs are found, what is installed, what fails, what is told at the end."""

import os
from pathlib import Path

import pytest

from deploy import cluster_drills
from deploy.cluster_drills import Drill, find_program, main

GOOD = 'def test_it(record_property):\n    record_property("told", "500 watchers heard 6 moves")\n'
BAD = "def test_it():\n    raise AssertionError\n"
LEFT_OUT = "import pytest\n\n\ndef test_it():\n    pytest.skip()\n"


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A system without any program."""
    (tmp_path / "bin").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setattr(cluster_drills, "BESIDE_PATH", (str(tmp_path / "sbin"),))
    monkeypatch.setattr(cluster_drills, "POSTGRESQL", f"{tmp_path}/postgresql/*/bin")
    return tmp_path


def a_program(path: Path, script: str = "exit 0") -> Path:
    """A program that runs a script."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


def a_drill(place: Path, tests: str = GOOD, programs: tuple[str, ...] = ()) -> Drill:
    """A drill of one test, whose programs are in a package of the same name."""
    module = place / "drill_edge.py"
    module.write_text(tests)
    return Drill("edge", "streams", module, programs, programs)


def test_programs_are_found_beside_path_as_well(place: Path) -> None:
    assert find_program("nginx") is None
    assert find_program("nginx") or a_program(place / "sbin" / "nginx") == find_program("nginx")
    assert a_program(place / "bin" / "nginx") == find_program("nginx")


def test_the_newest_postgresql_of_debian_is_found_before_links_in_path(place: Path) -> None:
    a_program(place / "bin" / "initdb")
    a_program(place / "postgresql" / "9" / "bin" / "initdb")
    newest = a_program(place / "postgresql" / "15" / "bin" / "initdb")
    assert find_program("initdb") == newest


def test_a_drill_without_its_program_fails_and_names_the_package(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    a_program(place / "bin" / "apt-get", f": > {place}/asked")
    drills = (a_drill(place, programs=("etcd",)), a_drill(place))
    assert main(drills) == 1
    said = capfd.readouterr().out
    assert "edge is NOT run without etcd: on Debian, apt install etcd" in said
    assert "edge: NOT RUN, etcd missing" in said
    assert "edge: 1 passed" in said
    assert not (place / "asked").exists()


def test_root_installs_what_a_drill_takes_and_runs_it(
    place: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    found = place / "bin" / "etcd"
    a_program(place / "bin" / "apt-get", f'case "$*" in *etcd*) : > {found}; /bin/chmod 755 {found};; esac')
    assert main((a_drill(place, programs=("etcd",)),)) == 0
    assert "NOT" not in capfd.readouterr().out


@pytest.mark.parametrize(("tests", "status"), [(GOOD, 0), (BAD, 1), (LEFT_OUT, 1), ("no Python", 1)])
def test_the_status_is_good_only_when_every_test_has_passed(
    place: Path, capfd: pytest.CaptureFixture[str], tests: str, status: int
) -> None:
    assert main((a_drill(place, tests),)) == status
    summary = capfd.readouterr().out.rpartition("load average")[2]
    assert ("1 passed" in summary) is (status == 0)
    assert ("500 watchers heard 6 moves" in summary) is (status == 0)


def test_every_drill_of_the_folder_is_run() -> None:
    there = {path.name for path in cluster_drills.TESTS.glob("drill_*.py")}
    assert {drill.tests.name for drill in cluster_drills.DRILLS} == there
