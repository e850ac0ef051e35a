"""Which checks of JavaScript and TypeScript are run, and what is said where something for them is missing."""

from pathlib import Path

import pytest

from deploy import script_checks
from tests.support.running_program import PROJECT


def programs(directory: Path, **scripts: str) -> None:
    """Puts shell scripts under these names into a directory."""
    for name, script in scripts.items():
        path = directory / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)


@pytest.fixture
def scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two folders of npm packages; the PATH holds nothing but the programs that a test puts into the folder `bin`."""
    for name in ("bin", "pages", "client"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "package-lock.json").write_text("{}")
    monkeypatch.setattr(script_checks, "PAGES", tmp_path / "pages")
    monkeypatch.setattr(script_checks, "CLIENT", tmp_path / "client")
    monkeypatch.setattr(script_checks, "CHECK_CLIENT", [("npm", "run", "build")])
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.delenv(script_checks.REQUIRED, raising=False)
    return tmp_path / "bin"


def test_without_node_it_says_what_is_not_checked(scripts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert scripts.exists()
    assert script_checks.main() == 0
    assert "the JavaScript of the pages and the TypeScript client are NOT checked" in capfd.readouterr().err


def test_an_older_node_is_named_with_its_version(scripts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    programs(scripts, node="echo v20.18.3", npm="exit 1")
    assert script_checks.main() == 0
    assert "NOT checked: that needs Node 20.19, and this is v20.18.3" in capfd.readouterr().err


@pytest.mark.parametrize("node", ["", "echo v18.20.4", "echo v20.19.0"])
def test_where_scripts_are_required_what_is_missing_is_a_failure(
    scripts: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, node: str
) -> None:
    monkeypatch.setenv(script_checks.REQUIRED, "required")
    if node:
        programs(scripts, node=node, npm="[ $1 = test ]")  # npm finds no packages
    assert script_checks.main() == 1
    assert " NOT " in capfd.readouterr().err


def test_the_run_of_the_forge_requires_the_scripts() -> None:
    assert f"{script_checks.REQUIRED}=required exec deploy/test\n" in (PROJECT / ".ci/run").read_text()


def test_npm_packages_are_installed_once_for_each_lock_file(scripts: Path, capfd: pytest.CaptureFixture[str]) -> None:
    programs(scripts, node="echo v20.19.0", npm="[ $1 = ci ] && /bin/mkdir -p node_modules; exit 0")
    assert script_checks.main() == 0
    assert script_checks.main() == 0
    assert capfd.readouterr().out.count("$ npm ci") == 2
    (script_checks.PAGES / "package-lock.json").write_text('{"changed": true}')
    assert script_checks.main() == 0
    checks = (*script_checks.LINT_PAGES, script_checks.TEST_PAGES, *script_checks.CHECK_CLIENT)
    told = ["$ npm ci --no-audit --no-fund", *(" ".join(("$", *check)) for check in checks)]
    assert capfd.readouterr().out.splitlines() == told


def test_without_npm_packages_the_scripts_of_the_pages_are_still_tested(
    scripts: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    programs(scripts, node="echo v20.19.0", npm="[ $1 = test ]")
    assert script_checks.main() == 0
    said = capfd.readouterr()
    assert "NOT linted and type-checked" in said.err
    assert "the TypeScript client is NOT checked" in said.err
    assert [line for line in said.out.splitlines() if "ci" not in line] == ["$ npm test --silent"]


def test_a_registry_that_hangs_does_not_stop_the_checks(
    scripts: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(script_checks, "NPM_TIMEOUT", 0.2)
    programs(scripts, node="echo v20.19.0", npm="[ $1 = test ] || exec /bin/sleep 60")
    assert script_checks.main() == 0
    assert "NOT linted and type-checked" in capfd.readouterr().err


@pytest.mark.parametrize("failing", ["lint", "build"])
def test_a_fault_that_is_found_is_the_status(scripts: Path, failing: str) -> None:
    command = f'[ $1 = ci ] && /bin/mkdir -p node_modules && exit 0; case "$*" in *{failing}*) exit 1;; esac'
    programs(scripts, node="echo v20.19.0", npm=command)
    assert script_checks.main() == 1
