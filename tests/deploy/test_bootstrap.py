"""The two commands before anything is installed: which Python they take, what they say, when they install again."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy import bootstrap
from tests.support.running_program import PROJECT


def command(name: str, python: str) -> "subprocess.CompletedProcess[str]":
    """One of the two commands with the Python that CABILDO_PYTHON names."""
    environ = {**os.environ, "CABILDO_PYTHON": python}
    return subprocess.run([PROJECT / "deploy" / name], env=environ, capture_output=True, text=True)


@pytest.mark.parametrize("name", ["up", "test"])
def test_without_python_it_says_what_is_needed(name: str) -> None:
    refused = command(name, "no-such-python")
    assert refused.returncode == 1
    assert "needs Python 3.11 or newer" in refused.stderr
    assert "no Python at all" in refused.stderr


def a_python(path: Path, version: str, *, is_old: bool) -> str:
    """A program that answers like a Python of a version, one without the venv module."""
    path.write_text(
        f'#!/bin/sh\ncase "$2" in *print*) echo {version};; *exit*) exit {int(is_old)};; *) exit 1;; esac\n'
    )
    path.chmod(0o755)
    return str(path)


def test_an_old_python_is_named_with_its_version(tmp_path: Path) -> None:
    old = a_python(tmp_path / "python3", "3.9", is_old=True)
    assert f"{old} is Python 3.9" in command("up", old).stderr


def test_a_python_without_venv_is_told_how_to_get_it(tmp_path: Path) -> None:
    bare = a_python(tmp_path / "python3", "3.11", is_old=False)
    assert "has no venv module (on Debian: apt install python3.11-venv)" in command("up", bare).stderr


@pytest.fixture
def checkout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A checkout with its two pyproject.toml only; records the requested installations."""
    installed: list[str] = []
    (tmp_path / bootstrap.CLIENT).mkdir(parents=True)
    for folder in (tmp_path, tmp_path / bootstrap.CLIENT):
        (folder / "pyproject.toml").write_text("[project]\n")
    monkeypatch.setattr(bootstrap, "PROJECT", tmp_path)
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", tmp_path / ".venv")
    monkeypatch.setattr(bootstrap, "make_environment", borrow_this_python)
    monkeypatch.setattr(bootstrap, "pip_install", installed.append)
    return installed


def borrow_this_python() -> None:
    """An environment in no time: the Python of the tests."""
    python = bootstrap.ENVIRONMENT / "bin" / "python"
    python.parent.mkdir(parents=True, exist_ok=True)
    python.symlink_to(sys.executable)


def test_it_installs_again_only_for_another_pyproject(checkout: list[str]) -> None:
    bootstrap.ensure_environment("")
    bootstrap.ensure_environment("")
    assert checkout == [str(bootstrap.PROJECT)]
    (bootstrap.PROJECT / "pyproject.toml").write_text("[project]\ndependencies = []\n")
    bootstrap.ensure_environment("")
    assert len(checkout) == 2
    (bootstrap.PROJECT / bootstrap.CLIENT / "pyproject.toml").write_text("[project]\ndependencies = []\n")
    bootstrap.ensure_environment("")
    assert len(checkout) == 3


def test_what_the_tests_need_includes_what_the_service_needs(checkout: list[str]) -> None:
    bootstrap.ensure_environment("[test]")
    bootstrap.ensure_environment("")
    assert checkout == [f"{bootstrap.PROJECT}[test]"]


@pytest.mark.parametrize(("compilers", "extras"), [((), ""), (("cc",), "[compile]"), (("gcc",), "[compile]")])
def test_the_service_installs_what_compiles_its_rules_where_a_compiler_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, compilers: tuple[str, ...], extras: str
) -> None:
    programs(tmp_path, **dict.fromkeys(compilers, "exit 0"))
    monkeypatch.setenv("PATH", str(tmp_path))
    assert bootstrap.extras_of("up") == extras
    assert bootstrap.extras_of("test") == "[test]"


def test_an_environment_whose_python_is_gone_is_made_anew(checkout: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    bootstrap.ensure_environment("")
    python = bootstrap.ENVIRONMENT / "bin" / "python"
    python.unlink()
    monkeypatch.undo()
    monkeypatch.setattr(bootstrap, "PROJECT", python.parents[2])
    monkeypatch.setattr(bootstrap, "ENVIRONMENT", python.parents[1])
    monkeypatch.setattr(bootstrap, "pip_install", checkout.append)
    (bootstrap.PROJECT / "pyproject.toml").write_text("[project]\nname = 'moved'\n")
    bootstrap.ensure_environment("")
    assert bootstrap.is_usable(python)
    assert len(checkout) == 2


def test_an_installation_that_fails_is_shown_and_tried_again(
    checkout: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_what: str) -> None:
        raise subprocess.CalledProcessError(1, ["pip", "install", "project"], "ERROR: no matching distribution")

    monkeypatch.setattr(bootstrap, "pip_install", fail)
    assert bootstrap.main("up", []) == 1
    said = capsys.readouterr().err
    assert "no matching distribution" in said
    assert "is a package index reachable?" in said
    monkeypatch.setattr(bootstrap, "pip_install", checkout.append)
    bootstrap.ensure_environment("")
    assert len(checkout) == 1


def test_a_checkout_that_cannot_be_written_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bootstrap, "PROJECT", Path("/dev/null"))
    assert bootstrap.main("up", []) == 1
    assert "the virtual environment cannot be made" in capsys.readouterr().err


def programs(directory: Path, **scripts: str) -> None:
    """Small programs under these names."""
    for name, script in scripts.items():
        program = directory / name.replace("_", "-")
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)


def a_debian(directory: Path, packages: dict[str, str]) -> None:
    """An apt-get that has these packages, each with its program."""
    bring = "; ".join(
        f'case " $* " in *" {package} "*) : > {directory}/{program}; /bin/chmod 755 {directory}/{program};; esac'
        for package, program in packages.items()
    )
    programs(directory, apt_get=bring)


@pytest.mark.parametrize(("user", "installed"), [(0, True), (1000, False)])
@pytest.mark.parametrize("browser", ["chromium-headless-shell", "chromium"])
def test_what_the_tests_need_is_installed_by_root_and_asked_for_by_others(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    user: int,
    installed: bool,
    browser: str,
) -> None:
    a_debian(tmp_path, {browser: browser, "gcc": "cc", "nodejs": "npm"})
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CABILDO_CHROMIUM", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: user)
    bootstrap.install_test_programs()
    assert [(tmp_path / program).exists() for program in (browser, "cc", "npm")] == [installed] * 3
    said = capfd.readouterr().err
    assert [missing in said for missing in ("install chromium", "C compiler", "Node 20.19")] == [not installed] * 3


@pytest.mark.parametrize("there", ["chromium-headless-shell", "chromium"])
def test_any_browser_that_is_there_will_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], there: str
) -> None:
    a_debian(tmp_path, {"gcc": "cc", "nodejs": "npm"})
    programs(tmp_path, **{there.replace("-", "_"): "exit 0", "cc": "exit 0"})
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CABILDO_CHROMIUM", raising=False)
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    bootstrap.install_test_programs()
    assert capfd.readouterr().err == ""


# Programs of Python itself: one takes any argument, one finds no such file.
GOOD, BAD = "platform", "json.tool"
STEPS = ("STYLE", "SCRIPTS", "TYPES", "TESTS", "COMPILED")


@pytest.mark.parametrize(
    ("bad", "arguments", "told"),
    [
        ("", [], ["STYLE", "TESTS", "SCRIPTS", "TYPES", "COMPILED"]),
        ("STYLE", [], ["STYLE"]),
        ("SCRIPTS", [], ["STYLE", "TESTS", "SCRIPTS"]),
        ("TYPES", [], ["STYLE", "TESTS", "SCRIPTS", "TYPES"]),
        ("TESTS", [], ["STYLE", "TESTS", "SCRIPTS", "TYPES", "COMPILED"]),
        ("COMPILED", [], ["STYLE", "TESTS", "SCRIPTS", "TYPES", "COMPILED"]),
        ("", ["chosen"], ["STYLE", "TYPES", "TESTS chosen"]),
        ("TYPES", ["chosen"], ["STYLE", "TYPES"]),
    ],
)
def test_what_fails_is_the_status_and_what_was_done_is_told_in_order(
    checkout: list[str],
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    bad: str,
    arguments: list[str],
    told: list[str],
) -> None:
    bootstrap.ensure_environment("[test]")
    monkeypatch.setattr(bootstrap, "install_test_programs", lambda: None)
    for name in STEPS:
        check = (BAD if name == bad else GOOD, name)
        monkeypatch.setattr(bootstrap, name, (check,) if name == "STYLE" else check)
    assert bool(bootstrap.test(arguments)) is bool(bad)
    said = [line.split(" ", 2)[2] for line in capfd.readouterr().out.splitlines() if line.startswith("$ ")]
    assert said == told


def test_checks_keep_what_they_compile_though_somebody_wants_nothing_kept(
    checkout: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bootstrap.ensure_environment("[test]")
    (tmp_path / "keeping.py").write_text("import sys\nsys.exit(sys.dont_write_bytecode)\n")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    assert bootstrap.run_checks(("keeping",)) == 0


@pytest.mark.parametrize(
    ("run", "folder"), [(bootstrap.PAGES, "service/pages"), (bootstrap.LONG, "long"), (bootstrap.CLIENTS, "clients")]
)
def test_a_longer_run_leaves_no_drill_of_its_folder_out(run: tuple[str, ...], folder: str) -> None:
    listed = subprocess.run(
        [sys.executable, "-m", *run, "--collect-only", "-q", "-n", "0"], cwd=PROJECT, capture_output=True, text=True
    )
    left_out = {path.name for path in (PROJECT / "tests" / folder).glob("drill_*.py") if path.name not in listed.stdout}
    assert not left_out, listed.stdout + listed.stderr
