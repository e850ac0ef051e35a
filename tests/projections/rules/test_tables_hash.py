"""What the rules read is frozen by its hash: another number in a released version is found here first."""

from dataclasses import replace

import pytest

from events.log.bundle import Bundle, RulesData
from projections.rules.constants import as_document
from projections.rules.registry import VERSIONS
from projections.rules.tables_hash import rules_data
from projections.verify.bundle import verify
from tests.support.projections.bundles import POLICY
from tests.support.projections.played_games import played
from tests.support.projections.rewritten_history import bundle

FROZEN = {
    ("puerto_rico", "1"): "0b0e2de859852e72bf5da40512a3a3eec0acf5b02bcce89a8a317e047ac991a4",
    ("puerto_rico", "2"): "e4b5c22695bb2b17fcb648182b4096769c662762ef16da877f3ee99d2cbf5389",
    ("spice_road", "1"): "dac82c4f51a3e86b787c0c756fb4d8f9939b600d27c2254c8df8e9ae4ed3b2e0",
}


def test_no_number_of_a_released_version_changes() -> None:
    known = {(game, version) for game, versions in VERSIONS.items() for version in versions}
    hashes = {one: data.hash.hex() for one in known if (data := rules_data(*one)) is not None}
    assert hashes == FROZEN


def test_nothing_is_said_of_rules_that_are_not_known() -> None:
    assert rules_data("halma", "1") is None
    assert rules_data("spice_road", "0") is None


def test_code_is_not_data() -> None:
    with pytest.raises(TypeError, match="function"):
        as_document({"price": lambda: 3})


def made_by(rules: RulesData | None) -> Bundle:
    return replace(bundle(played()), rules=rules)


def test_a_bundle_made_by_other_tables_is_named() -> None:
    assert verify(made_by(rules_data("spice_road", "1")).encode(), POLICY).failure is None
    for other in (RulesData("1", bytes(32)), rules_data("puerto_rico", "1")):
        failure = verify(made_by(other).encode(), POLICY).failure
        assert failure is not None
        assert (failure.code, failure.reason) == ("V6", "rules_data")
