"""RFC 6962 trees: published answers, and everything against the RFC's own recursive definition."""

import base64
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.merkle.errors import BadProof
from events.merkle.tree import (
    EMPTY_ROOT,
    RightEdge,
    Tree,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    node_hash,
    root_of,
    verify_consistency,
    verify_inclusion,
)
from tests.support.events import published_vectors

CT_TREE = Tree(leaf_hash(entry) for entry in published_vectors.CT_ENTRIES)


def test_hashes_of_leaf_and_node_are_the_published_ones() -> None:
    assert leaf_hash(b"").hex() == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    assert leaf_hash(b"L123456").hex() == "395aa064aa4c29f7010acfe3f25db9485bbd4b91897b6ad7ad547639252b4d56"
    assert node_hash(b"N123", b"N456").hex() == "aa217fe888e47007fa15edab33c2b492a722cb106c64667fc2b044444de66bbb"
    assert [leaf_hash(entry).hex() for entry in published_vectors.CT_ENTRIES] == published_vectors.CT_LEAVES


@pytest.mark.parametrize(("size", "root"), published_vectors.CT_ROOTS.items())
def test_roots_of_the_certificate_transparency_entries(size: int, root: str) -> None:
    edge = RightEdge()
    for entry in published_vectors.CT_ENTRIES[:size]:
        edge.append(leaf_hash(entry))
    assert edge.root().hex() == CT_TREE.root(size).hex() == root


A = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
B = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
C = "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0"
E = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"
L = published_vectors.CT_LEAVES
R = published_vectors.CT_ROOTS


@pytest.mark.parametrize(
    ("index", "size", "proof"),
    [(0, 8, [L[1], A, B]), (5, 8, [L[4], C, R[4]]), (2, 3, [R[2]]), (1, 5, [L[0], A, L[4]])],
)
def test_published_inclusion_proofs(index: int, size: int, proof: list[str]) -> None:
    assert [each.hex() for each in inclusion_proof(index, size, CT_TREE.node)] == proof


@pytest.mark.parametrize(("old", "size", "proof"), [(1, 8, [L[1], A, B]), (6, 8, [E, C, R[4]]), (2, 5, [A, L[4]])])
def test_published_consistency_proofs(old: int, size: int, proof: list[str]) -> None:
    assert [each.hex() for each in consistency_proof(old, size, CT_TREE.node)] == proof


def bytes_of(encoded: str | None) -> bytes:
    return base64.b64decode(encoded or "")


def run_probe(name: str, probe: dict[str, Any]) -> None:
    proof = [bytes_of(each) for each in probe["proof"] or ()]
    if name.startswith("inclusion"):
        leaf, root = bytes_of(probe["leafHash"]), bytes_of(probe["root"])
        verify_inclusion(probe["leafIdx"], probe["treeSize"], leaf, proof, root)
    else:
        roots = bytes_of(probe["root1"]), bytes_of(probe["root2"])
        verify_consistency(probe["size1"], probe["size2"], *roots, proof)


def refuses(name: str, probe: dict[str, Any]) -> bool:
    try:
        run_probe(name, probe)
    except BadProof:
        return True
    return False


def test_every_published_probe_is_judged_as_published() -> None:
    judged = {name: refuses(name, probe) for name, probe in published_vectors.probes().items()}
    assert judged == {name: probe["wantErr"] for name, probe in published_vectors.probes().items()}
    assert len(judged) in (196, 0)  # none where the folder is absent; the summary says so


def test_growth_from_nothing_is_not_provable() -> None:
    with pytest.raises(BadProof):
        verify_consistency(0, 8, EMPTY_ROOT, CT_TREE.root(), [])


def test_a_hash_of_another_length_is_refused_everywhere() -> None:
    proof = inclusion_proof(5, 8, CT_TREE.node)
    for at in range(3):
        joined = [*proof[:at], proof[at] + b"\x00", *proof[at + 1 :]]
        with pytest.raises(BadProof):
            verify_inclusion(5, 8, leaf_hash(published_vectors.CT_ENTRIES[5]), joined, CT_TREE.root())
    with pytest.raises(BadProof):
        RightEdge(1, [b"short"])


def reference_root(leaves: Sequence[bytes]) -> bytes:
    """MTH of RFC 6962, section 2.1, over leaf hashes."""
    if len(leaves) <= 1:
        return leaves[0] if leaves else EMPTY_ROOT
    k = reference_split(len(leaves))
    return node_hash(reference_root(leaves[:k]), reference_root(leaves[k:]))


def reference_path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH of RFC 6962, section 2.1.1."""
    if len(leaves) == 1:
        return []
    k = reference_split(len(leaves))
    if m < k:
        return [*reference_path(m, leaves[:k]), reference_root(leaves[k:])]
    return [*reference_path(m - k, leaves[k:]), reference_root(leaves[:k])]


def reference_subproof(m: int, leaves: Sequence[bytes], whole: bool) -> list[bytes]:
    """SUBPROOF of RFC 6962, section 2.1.2."""
    if m == len(leaves):
        return [] if whole else [reference_root(leaves)]
    k = reference_split(len(leaves))
    if m <= k:
        return [*reference_subproof(m, leaves[:k], whole), reference_root(leaves[k:])]
    return [*reference_subproof(m - k, leaves[k:], False), reference_root(leaves[:k])]


def reference_split(n: int) -> int:
    k = 1
    while k * 2 < n:
        k *= 2
    return k


def leaves_of(size: int) -> list[bytes]:
    return [leaf_hash(number.to_bytes(4, "big")) for number in range(size)]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_tree_edge_and_proofs_agree_with_the_recursive_definition(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 140))
    index = data.draw(st.integers(0, size - 1))
    old = data.draw(st.integers(1, size))
    leaves = leaves_of(size)
    tree, edge = Tree(leaves), RightEdge()
    for leaf in leaves:
        edge.append(leaf)
    root = reference_root(leaves)
    assert root == tree.root() == edge.root()
    inclusion = inclusion_proof(index, size, tree.node)
    consistency = consistency_proof(old, size, tree.node)
    assert inclusion == reference_path(index, leaves)
    assert consistency == reference_subproof(old, leaves, True)
    verify_inclusion(index, size, leaves[index], inclusion, root)
    verify_consistency(old, size, tree.root(old), root, consistency)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_no_changed_proof_is_believed(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 90))
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size - 1))
    leaves = leaves_of(size)
    tree = Tree(leaves)

    def check_inclusion(proof: Sequence[bytes]) -> None:
        verify_inclusion(index, size, leaves[index], proof, tree.root())

    def check_consistency(proof: Sequence[bytes]) -> None:
        verify_consistency(old, size, tree.root(old), tree.root(), proof)

    included, consistent = inclusion_proof(index, size, tree.node), consistency_proof(old, size, tree.node)
    for proof, check in ((included, check_inclusion), (consistent, check_consistency)):
        at = data.draw(st.integers(0, len(proof) - 1))
        bit = 1 << data.draw(st.integers(0, 255))
        flipped = (int.from_bytes(proof[at], "big") ^ bit).to_bytes(32, "big")
        for forged in ([*proof[:at], flipped, *proof[at + 1 :]], proof[:at] + proof[at + 1 :], [*proof, flipped]):
            with pytest.raises(BadProof):
                check(forged)


@pytest.mark.parametrize(("index", "size"), [(8, 8), (-1, 8), (0, 0)])
def test_a_leaf_outside_the_tree_has_no_proof(index: int, size: int) -> None:
    with pytest.raises(BadProof):
        inclusion_proof(index, size, CT_TREE.node)
    with pytest.raises(BadProof):
        verify_inclusion(index, size, EMPTY_ROOT, [], EMPTY_ROOT)


LEAF_1 = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
NODE_2_3 = "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e"
BEYOND: Sequence[tuple[int, int, list[str]]] = (  # index, size, hashes: the path of leaf 0 under another index
    (1, 1, []),
    (2**40, 1, []),
    (2, 2, [LEAF_1]),
    (4, 2, [LEAF_1]),
    (8, 4, [LEAF_1, NODE_2_3]),
)


@pytest.mark.parametrize(("index", "size", "proof"), BEYOND)
def test_a_leaf_beyond_the_tree_is_refused(index: int, size: int, proof: list[str]) -> None:
    """The path of leaf 0, said to be that of a leaf that is not there."""
    leaf, root = leaf_hash(b""), CT_TREE.root(size)
    hashes = [bytes.fromhex(each) for each in proof]
    verify_inclusion(0, size, leaf, hashes, root)
    with pytest.raises(BadProof, match="has no leaf"):
        verify_inclusion(index, size, leaf, hashes, root)


def test_the_empty_tree_has_the_root_of_nothing() -> None:
    assert root_of(0, CT_TREE.node) == RightEdge().root() == EMPTY_ROOT
    assert consistency_proof(0, 8, CT_TREE.node) == consistency_proof(8, 8, CT_TREE.node) == []
    with pytest.raises(BadProof):
        consistency_proof(9, 8, CT_TREE.node)
