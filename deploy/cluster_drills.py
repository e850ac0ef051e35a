"""Runs the drills of a cluster, each with the programs it takes, and sums them up; `deploy/test --cluster` runs it."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple
from xml.etree import ElementTree as ET

from deploy.bootstrap import install_packages
from deploy.console import say

PROJECT: Final = Path(__file__).resolve().parent.parent
BESIDE_PATH: Final = ("/usr/sbin", "/usr/local/sbin", "/usr/local/bin")  # Debian's servers; PATH of users lacks sbin
POSTGRESQL: Final = "/usr/lib/postgresql/*/bin"  # Debian's, newest first
WITH_PROPERTIES: Final = ("-o", "junit_family=xunit1")
TOLD: Final = "told"  # the property of a test that holds a sentence for the summary
Status = int


class Drill(NamedTuple):
    """A module of tests, and what it takes."""

    name: str
    subject: str
    tests: Path
    programs: Sequence[str] = ()
    packages: Sequence[str] = ()  # Debian's


class DrillResult(NamedTuple):
    """How a drill went."""

    drill: Drill
    status: Status = 0
    missing: Sequence[str] = ()
    passed: int = 0
    other: int = 0  # tests that failed, or were left out
    seconds: float = 0.0
    told: Sequence[str] = ()

    @property
    def is_good(self) -> bool:
        """Whether every test ran and passed."""
        return not self.status and not self.missing and not self.other and self.passed > 0

    @property
    def line(self) -> str:
        """Returns the line of the summary."""
        if self.missing:
            return f"{self.drill.name}: NOT RUN, {', '.join(self.missing)} missing"
        counted = f"{self.passed} passed" + (f", {self.other} FAILED or left out" if self.other else "")
        ended = "" if self.is_good else f", status {self.status}"
        return f"{self.drill.name}: {counted}{ended}, {self.seconds:.0f} s; {self.drill.subject}"


TESTS: Final = PROJECT / "tests" / "cluster"
DRILLS: Final = (
    Drill("failover", "a frozen primary, a vanished one, one that hands over", TESTS / "drill_failover.py"),
    Drill(
        "pgbouncer",
        "roles and transactions behind PgBouncer",
        TESTS / "drill_pgbouncer.py",
        ("pgbouncer",),
        ("pgbouncer",),
    ),
    Drill("nginx", "streams and kept games behind nginx", TESTS / "drill_nginx.py", ("nginx",), ("nginx",)),
    Drill(
        "redis_cluster",
        "wake-ups on a Redis Cluster",
        TESTS / "drill_redis_cluster.py",
        ("redis-server",),
        ("redis-server",),
    ),
    Drill(
        "patroni",
        "a failover by Patroni and etcd",
        TESTS / "drill_patroni.py",
        ("patroni", "etcd", "postgres", "initdb", "pg_rewind"),
        ("patroni", "etcd-server", "postgresql"),
    ),
)


def main(drills: Sequence[Drill] = DRILLS) -> Status:
    """Runs the drills and prints the summary; returns 0 when all of them ran and passed.

    Missing programs are installed when run as root on Debian. Elsewhere it says which packages are missing.
    """
    install_missing(drills)
    load = os.getloadavg()[0]
    outcomes = [run(drill) for drill in drills]
    say(f"\n{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, load average {load:.1f}, {os.cpu_count()} processors")
    for outcome in outcomes:
        say(outcome.line)
        for sentence in outcome.told:
            say(f"  {sentence}")
    return int(not all(outcome.is_good for outcome in outcomes))


def install_missing(drills: Sequence[Drill]) -> None:
    """Installs the programs that are missing when run as root with apt; otherwise says how they are installed."""
    packages = [package for drill in drills if missing_programs(drill) for package in drill.packages]
    if packages and os.geteuid() == 0 and shutil.which("apt-get"):
        install_packages(packages)
    for drill in drills:
        if missing := missing_programs(drill):
            say(f"{drill.name} is NOT run without {', '.join(missing)}: on Debian, apt install {' '.join(packages)}")


def missing_programs(drill: Drill) -> list[str]:
    """Returns the programs of a drill that are not installed."""
    return [program for program in drill.programs if find_program(program) is None]


def find_program(name: str) -> Path | None:
    """Returns where a program is installed: in a folder that Debian keeps servers in, or in PATH.

    The folders of PostgreSQL come first: they hold all its programs, of one version.
    """
    root = Path(POSTGRESQL).anchor
    versions = sorted(Path(root).glob(POSTGRESQL.removeprefix(root)), key=_version, reverse=True)
    folders = (*map(str, versions), *os.get_exec_path(), *BESIDE_PATH)
    found = shutil.which(name, path=os.pathsep.join(folders))
    return None if found is None else Path(found)


def run(drill: Drill) -> DrillResult:
    """Runs a drill whose programs are installed; returns how it went."""
    if missing := missing_programs(drill):
        return DrillResult(drill, missing=missing)
    with tempfile.TemporaryDirectory() as directory:
        report = Path(directory, "report.xml")
        command = (sys.executable, "-m", "pytest", "-v", str(drill.tests), "--junitxml", str(report), *WITH_PROPERTIES)
        say(f"$ {' '.join(command[1:5])}")
        began = time.monotonic()
        status = subprocess.run(command, cwd=PROJECT, check=False).returncode
        seconds = time.monotonic() - began
        tests = [*_tests(report)]
    passed = sum(not [*test.iter("failure"), *test.iter("error"), *test.iter("skipped")] for test in tests)
    told = [one.get("value", "") for test in tests for one in test.iter("property") if one.get("name") == TOLD]
    return DrillResult(drill, status, (), passed, len(tests) - passed, seconds, told)


def _tests(report: Path) -> Iterator[ET.Element]:
    """Yields the tests of a report; none when pytest could not begin."""
    if report.exists():
        yield from ET.parse(report).iter("testcase")  # noqa: S314 - pytest has just written it


def _version(folder: Path) -> int:
    digits = re.search(r"\d+", folder.parent.name)
    return int(digits[0]) if digits else 0


if __name__ == "__main__":
    sys.exit(main())
