"""The rules can be compiled into a copy of the project; the whole of them with `cabildo compile --test`."""

import subprocess
import sys
from pathlib import Path

import pytest

from deploy.compiling import compile_rules, modules
from deploy.errors import CannotCompile

PROGRAM = "import projections.rules.dealer as d; print(d.__file__); print(d.pick({'corn': 2, 'sugar': 1}, 2))"


def test_a_compiled_module_lies_beside_its_source_in_the_copy(tmp_path: Path) -> None:
    target = tmp_path / "compiled"
    assert compile_rules(target, ["projections/rules/dealer.py"]) == ["projections/rules/dealer.py"]
    ran = subprocess.run([sys.executable, "-c", PROGRAM], cwd=target, capture_output=True, text=True, check=True)
    where, drawn = ran.stdout.split()
    assert where.startswith(str(target))
    assert where.endswith(".so")
    assert drawn == "sugar"


def test_every_module_of_the_rules_but_values_and_documents_is_compiled() -> None:
    names = modules()
    assert "projections/rules/puerto_rico/engine/flow.py" in names
    assert "projections/rules/puerto_rico/phases/captain.py" in names
    assert "projections/rules/puerto_rico/changes/goods.py" in names
    assert "workers/bots/tree_search.py" in names
    assert "workers/bots/puerto_rico/expert.py" in names
    assert "projections/rules/puerto_rico/state/document.py" not in names
    assert "projections/rules/puerto_rico/facts/goods.py" not in names


def test_without_a_compiler_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotCompile, match="no C compiler"):
        compile_rules(tmp_path / "compiled")
    assert not (tmp_path / "compiled").exists()


def test_what_does_not_compile_is_refused_with_the_compilers_words(tmp_path: Path) -> None:
    with pytest.raises(CannotCompile, match="nowhere"):
        compile_rules(tmp_path / "compiled", ["projections/nowhere.py"])
