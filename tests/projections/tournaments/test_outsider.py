"""Who has the documents alone recomputes the draws and pairings of every frozen tournament."""

import ast
from pathlib import Path

import pytest

from tests.projections.tournaments.test_frozen import FILES
from tests.support.tournaments import outsider
from tests.support.tournaments.outsider import Outsider, events_of

STATED = {
    "swiss_and_final.zip": 20,
    "round_robin_and_pods.zip": 30,
    "heats_and_rulings.zip": 10,
    "stand_in_and_correction.zip": 5,
}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_an_outsider_computes_all_that_was_drawn(path: Path) -> None:
    findings = Outsider(events_of(path.read_bytes())).findings
    assert len(findings) >= STATED[path.name]
    for stated, computed in findings:
        assert computed == stated


def test_the_outsider_has_nothing_of_the_product() -> None:
    tree = ast.parse(Path(outsider.__file__).read_text("utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    plain = "collections fractions hashlib hmac io itertools json pathlib re typing uuid zipfile"
    assert {str(name).split(".")[0] for name in modules} <= {*plain.split()}
