"""The table of the answer to: may this keeper sign here? Each row is tried, and rules that hold for all facts."""

from collections.abc import Iterator
from itertools import chain, combinations, product

import pytest

from events.log.signing_decision import RULES, Relation, SigningFacts, Verdict, decide
from tests.support.source_tree import PROJECT

COVERS, BEHIND, EMPTY = Relation.COVERS, Relation.BEHIND, Relation.EMPTY
SILENT, CONTRADICTS = Relation.SILENT, Relation.CONTRADICTS
ROWS = [  # the facts, the row that decides, its verdict
    (SigningFacts(own=CONTRADICTS, is_known=True), "contradiction", Verdict.NO),
    (SigningFacts(store=COVERS, peers=frozenset({CONTRADICTS})), "contradiction", Verdict.NO),
    (
        SigningFacts(own=COVERS, witnesses=frozenset({CONTRADICTS, COVERS}), quorum_answered=True),
        "contradiction",
        Verdict.NO,
    ),
    (SigningFacts(own=BEHIND, is_known=True), "known", Verdict.YES),
    (SigningFacts(own=BEHIND, witnesses=frozenset({COVERS, SILENT}), quorum_answered=True), "witnesses", Verdict.YES),
    (SigningFacts(own=COVERS, witnesses=frozenset({EMPTY}), quorum_answered=True), "own files", Verdict.YES),
    (SigningFacts(store=COVERS, witnesses=frozenset({SILENT})), "store", Verdict.YES),
    (SigningFacts(store=BEHIND, peers=frozenset({SILENT})), "store", Verdict.YES),
    (SigningFacts(store=SILENT), "silent store", Verdict.DOUBT),
    (SigningFacts(store=SILENT, has_seals=False), "silent store", Verdict.DOUBT),
    (SigningFacts(store=EMPTY), "empty store", Verdict.DOUBT),
    (SigningFacts(store=EMPTY, has_seals=False), "new log", Verdict.YES),
    (SigningFacts(own=COVERS, witnesses=frozenset({SILENT, COVERS})), "silent witness", Verdict.DOUBT),
    (SigningFacts(own=EMPTY, has_seals=False, witnesses=frozenset({SILENT})), "silent witness", Verdict.DOUBT),
    (SigningFacts(own=COVERS, peers=frozenset({SILENT, COVERS})), "silent peer", Verdict.DOUBT),
    (SigningFacts(own=EMPTY, has_seals=False), "new log", Verdict.YES),
    (SigningFacts(own=BEHIND, peers=frozenset({COVERS}), others_published=True), "peers", Verdict.YES),
    (SigningFacts(own=EMPTY, peers=frozenset({BEHIND})), "peers", Verdict.YES),
    (SigningFacts(own=BEHIND, peers=frozenset({EMPTY})), "peers", Verdict.YES),
    (SigningFacts(own=EMPTY, peers=frozenset({EMPTY})), "no files", Verdict.DOUBT),
    (SigningFacts(own=EMPTY), "no files", Verdict.DOUBT),
    (SigningFacts(own=SILENT), "nothing known", Verdict.DOUBT),
    (SigningFacts(own=BEHIND), "older files", Verdict.DOUBT),
    (SigningFacts(own=BEHIND, witnesses=frozenset({COVERS})), "older files", Verdict.DOUBT),
    (SigningFacts(own=COVERS, others_published=True), "another keeper", Verdict.DOUBT),
    (SigningFacts(own=COVERS), "own files", Verdict.YES),
    (SigningFacts(), "nothing known", Verdict.DOUBT),
]


@pytest.mark.parametrize(("facts", "row", "verdict"), ROWS)
def test_known_facts_lead_to_one_row(facts: SigningFacts, row: str, verdict: Verdict) -> None:
    assert (decide(facts).name, decide(facts).verdict) == (row, verdict)


def test_every_row_is_tried_and_every_refusal_says_what_to_do() -> None:
    assert {row for _, row, _ in ROWS} == {rule.name for rule in RULES}
    assert [rule.name for rule in RULES if bool(rule.advice) is (rule.verdict is Verdict.YES)] == []


def all_facts() -> Iterator[SigningFacts]:
    """Every combination of facts."""
    relations = (None, *Relation)
    sets = [frozenset(some) for some in chain.from_iterable(combinations(Relation, count) for count in range(3))]
    flags = (False, True)
    for known, sealed, others, quorum in product(flags, repeat=4):
        for store, own, peers, witnesses in product(relations, relations, sets, sets):
            if store is None or own is None:
                yield SigningFacts(known, sealed, store, own, others, peers, witnesses, quorum)


def test_no_yes_against_a_contradiction_nor_to_an_unknown_database_alone() -> None:
    for facts in all_facts():
        verdict = decide(facts).verdict
        if CONTRADICTS in facts.everything:
            assert verdict is Verdict.NO, facts
        elif not facts.is_known and facts.own in (BEHIND, EMPTY, SILENT) and facts.has_seals:
            asked = facts.peers or (facts.quorum_answered and facts.witnesses)
            assert verdict is Verdict.DOUBT or asked, facts


def test_the_guide_has_every_row() -> None:
    guide = (PROJECT / "deploy/docs/log.md").read_text()
    assert [rule.reason for rule in RULES if rule.reason not in guide] == []
