"""Wheels with compiled rules: the configuration for cibuildwheel and the build backend belong together."""

import tomllib
from fnmatch import fnmatch

import pytest

from deploy.compiled_modules import modules
from deploy.wheels import build_backend, check_compiled
from tests.support.running_program import PROJECT

CONFIGURED = tomllib.loads((PROJECT / "pyproject.toml").read_text())
WHEELS = CONFIGURED["tool"]["cibuildwheel"]


def test_the_backend_is_the_one_of_the_project() -> None:
    system = CONFIGURED["build-system"]
    assert system["build-backend"] == build_backend.__name__.rpartition(".")[2]
    assert (PROJECT / system["backend-path"][0] / f"{system['build-backend']}.py").is_file()


def test_wheels_for_every_python_of_the_project_are_compiled() -> None:
    assert WHEELS["environment"] == {build_backend.COMPILED: "1"}
    assert CONFIGURED["project"]["requires-python"] == ">=3.11"
    usual = ("cp311-manylinux_x86_64", "cp313-musllinux_x86_64", "cp312-macosx_arm64", "cp314-macosx_x86_64")
    skipped = ("cp310-manylinux_x86_64", "pp311-manylinux_x86_64")
    built = [name for name in (*usual, *skipped) if any(fnmatch(name, pattern) for pattern in WHEELS["build"])]
    assert built == [*usual]
    assert not [name for name in usual if fnmatch(name, WHEELS["skip"][0])]


@pytest.mark.parametrize(("compiled", "needed"), [("1", [*build_backend.MYPYC]), ("", [])])
def test_a_compiled_wheel_needs_the_compiler_of_the_extra(
    monkeypatch: pytest.MonkeyPatch, compiled: str, needed: list[str]
) -> None:
    monkeypatch.setenv(build_backend.COMPILED, compiled)
    if compiled:  # setuptools itself reads the project to answer
        assert build_backend.get_requires_for_build_wheel() == needed
    assert {*build_backend.MYPYC} < {*CONFIGURED["project"]["optional-dependencies"]["compile"]}


def test_what_a_wheel_is_checked_by_is_compiled_in_it() -> None:
    assert {f"{name.replace('.', '/')}.py" for name in check_compiled.ENGINES} <= {*modules()}
    assert WHEELS["test-command"] == f"python -m {check_compiled.__name__}"


def test_without_compiled_rules_the_check_of_a_wheel_fails(capsys: pytest.CaptureFixture[str]) -> None:
    is_compiled = check_compiled.main() == 0
    assert capsys.readouterr().out.startswith("the rules are compiled" if is_compiled else "not compiled: projections")
