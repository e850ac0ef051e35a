"""The rules can be compiled into a copy of the project; the whole of them with `cabildo compile --test`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deploy.compiled_modules import modules
from deploy.compiling import KEPT, build, compile_rules, present
from deploy.errors import CannotCompile
from deploy.local import compiled_rules
from deploy.local.compiled_rules import BackgroundBuild
from projections.rules.compiled import SOURCES, SUFFIX, VARIABLE, folder_name
from tests.support.running_program import PROJECT, eventually

PROGRAM = """
import projections.rules.dealer as dealer, projections.rules.fact_recorder as recorder
print(dealer.__file__, recorder.__file__, dealer.pick({'corn': 2, 'sugar': 1}, 2))
"""


def loaded(folder: Path) -> list[str]:
    """What a process loads when its environment names a folder of compiled modules, and what it draws."""
    environ = {**os.environ, VARIABLE: str(folder)}
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=PROJECT, env=environ, capture_output=True, text=True, check=True
    )
    return ran.stdout.split()


def test_a_process_takes_only_compiled_modules_that_fit_the_sources(tmp_path: Path) -> None:
    assert present(tmp_path) is None
    older = [tmp_path / f"rules-{number}" for number in range(KEPT + 1)]
    for folder in older:
        folder.mkdir()
    folder = build(tmp_path, ["projections/rules/dealer.py"])
    assert folder == present(tmp_path) == build(tmp_path, ["nowhere.py"])  # once for these sources
    assert len([left for left in older if left.exists()]) == KEPT
    dealer, recorder, drawn = loaded(folder)
    assert dealer.startswith(str(folder))
    assert dealer.endswith(SUFFIX)
    assert recorder == str(PROJECT / "projections/rules/fact_recorder.py")
    assert drawn == "sugar"
    of_others = folder.rename(tmp_path / "rules-of-other-sources")
    assert loaded(of_others) == [str(PROJECT / "projections/rules/dealer.py"), recorder, "sugar"]


def test_any_change_of_the_rules_and_bots_wants_another_build(tmp_path: Path) -> None:
    for source in SOURCES:
        place = tmp_path / source
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.suffix:
            place.touch()
        else:
            place.mkdir()
            (place / "one.py").touch()
    names = {folder_name(tmp_path)}
    for change in ("events/json_types.py", "projections/rules/one.py", "workers/bots/one.py", "workers/bots/two.py"):
        (tmp_path / change).write_text("CHANGED = 1\n")
        names.add(folder_name(tmp_path))
    assert len(names) == 5


class Told:
    """A build in the background: what it said, and whether it told that it is done."""

    def __init__(self, builds: Path) -> None:
        self.said: list[str] = []
        self.done = 0
        self._builds = builds

    def run(self) -> str:
        """Builds until there is a result; what was said last."""
        with BackgroundBuild(self.said.append, self._note, self._builds).running():
            assert eventually(lambda: bool(self.said) and "in the background" not in self.said[-1])
        return self.said[-1]

    def _note(self) -> None:
        self.done += 1


def test_a_build_in_the_background_is_told_and_done_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / folder_name()
    monkeypatch.setattr(compiled_rules, "COMMAND", (sys.executable, "-c", f"import os; os.mkdir({str(folder)!r})"))
    told = Told(tmp_path)
    assert "the rules are compiled" in told.run()
    assert "compiling the rules in the background" in told.said[0]
    assert eventually(lambda: told.done == 1)
    told.said.clear()
    with BackgroundBuild(told.said.append, told._note, tmp_path).running():
        assert told.said == []  # nothing to do


def test_a_build_that_fails_is_told_and_not_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_rules, "COMMAND", (sys.executable, "-c", "raise SystemExit('no room')"))
    told = Told(tmp_path)
    assert told.run() == "the rules are not compiled and run in Python: no room"
    again = Told(tmp_path)
    assert "could not be compiled (no room)" in again.run()
    assert len(again.said) == 1
    assert told.done == again.done == 0


def test_the_compiler_ends_with_the_service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled_rules, "COMMAND", ("sleep", "600"))
    told = Told(tmp_path)
    with BackgroundBuild(told.said.append, told._note, tmp_path).running():
        assert len(told.said) == 1
    assert len(told.said) == 1
    assert not list(tmp_path.iterdir())


def test_every_module_of_the_rules_but_values_and_documents_is_compiled() -> None:
    names = modules()
    assert "projections/rules/puerto_rico/engine/flow.py" in names
    assert "projections/rules/puerto_rico/phases/captain.py" in names
    assert "projections/rules/puerto_rico/changes/goods.py" in names
    assert "projections/rules/spice_road/choices.py" in names
    assert "projections/rules/spice_road/changes/cards.py" in names
    assert "projections/rules/spice_road/actions/claim.py" in names
    assert "workers/bots/tree_search.py" in names
    assert "workers/bots/puerto_rico/expert.py" in names
    assert "projections/rules/puerto_rico/state/document.py" not in names
    assert "projections/rules/puerto_rico/facts/goods.py" not in names


def test_without_a_compiler_it_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(CannotCompile, match="no C compiler"):
        compile_rules(tmp_path / "compiled")
    assert not (tmp_path / "compiled").exists()
    told = Told(tmp_path)
    assert "no C compiler" in told.run()
    assert told.done == 0


def test_what_does_not_compile_is_refused_with_the_compilers_words(tmp_path: Path) -> None:
    with pytest.raises(CannotCompile, match="nowhere"):
        compile_rules(tmp_path / "compiled", ["projections/nowhere.py"])
