"""Tiles: names, sizes, contents, and proofs read out of them."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.merkle.errors import UnreadableText
from events.merkle.tiles import Tile, TiledTree, read_bundle, read_hashes, read_path, tiles_between, write_bundle
from events.merkle.tree import Tree, consistency_proof, inclusion_proof, leaf_hash, root_of
from tests.support.events import published_vectors


@pytest.mark.parametrize(
    ("tile", "path"),
    [
        (Tile(0, 0), "tile/0/000"),
        (Tile(0, 1234067), "tile/0/x001/x234/067"),
        (Tile(3, 1000, 1), "tile/3/x001/000.p/1"),
        (Tile(None, 999, 255), "tile/entries/999.p/255"),
        (Tile(None, 123456), "tile/entries/x123/456"),
    ],
)
def test_paths_of_tiles_round_trip(tile: Tile, path: str) -> None:
    assert tile.path == path
    assert read_path(path) == tile


@pytest.mark.parametrize(
    "path",
    [
        "tile/0/000.p/256",
        "tile/0/000.p/0",
        "tile/0/000.p/",
        "tile/0/000.p/01",
        "tile/0/x001",
        "tile/64/000",
        "tile/00/000",
        "tile/-1/000",
        "tile/0/001/002",
        "tile/0/x001/0002",
        "tile/0/x000/001",
        "tile/0/0",
        "tile/0/00٣",
        "tile/entry/000",
        "tile/0/000\n",
        "tile/0/../000",
        "tile/0/" + "x999/" * 9 + "999",
        "",
    ],
)
def test_other_spellings_are_refused(path: str) -> None:
    with pytest.raises(UnreadableText):
        read_path(path)


def shapes(size: int) -> Counter[tuple[int | None, int]]:
    return Counter((tile.level, tile.width) for tile in tiles_between(0, size))


def test_a_log_of_70000_has_the_published_tiles() -> None:
    found = shapes(70_000)
    assert {key: count for key, count in found.items() if key[0] is not None} == {
        (0, 256): 273,
        (0, 112): 1,
        (1, 256): 1,
        (1, 17): 1,
        (2, 1): 1,
    }
    assert found[(None, 256)] == 273
    assert found[(None, 112)] == 1


def test_a_log_of_256_has_one_full_tile_and_one_hash_above() -> None:
    assert shapes(256) == {(None, 256): 1, (0, 256): 1, (1, 1): 1}


@given(st.integers(0, 200_000), st.integers(0, 3000))
@settings(max_examples=60, deadline=None)
def test_growth_writes_exactly_what_changed(old: int, more: int) -> None:
    before, after = set(tiles_between(0, old)), set(tiles_between(0, old + more))
    assert set(tiles_between(old, old + more)) == after - before


def test_the_published_log_comes_out_byte_for_byte() -> None:
    leaves = [leaf_hash(entry) for entry in published_vectors.TESSERA_ENTRIES]
    made = {}
    for size in range(1, 16):
        made[Tile(0, 0, size).path] = b"".join(leaves[:size])
        made[Tile(None, 0, size).path] = write_bundle(published_vectors.TESSERA_ENTRIES[:size])
    assert made["tile/entries/000.p/3"] == b"\0\3one\0\3two\0\5three"
    log = {path: data for path, data in published_vectors.tessera_log().items() if path.startswith("tile")}
    assert log in (made, {})  # none where the folder is absent; the summary says so


@given(st.lists(st.binary(max_size=300), max_size=256))
@settings(max_examples=50, deadline=None)
def test_bundles_round_trip(entries: list[bytes]) -> None:
    data = write_bundle(entries)
    assert read_bundle(data, len(entries)) == entries
    if entries:
        with pytest.raises(UnreadableText):
            read_bundle(data[:-1], len(entries))
        with pytest.raises(UnreadableText):
            read_bundle(data, len(entries) - 1)


def test_an_entry_too_long_for_its_length_is_refused() -> None:
    assert len(write_bundle([b"x" * 65_535])) == 65_537
    with pytest.raises(UnreadableText):
        write_bundle([b"x" * 65_536])


def test_a_tile_of_another_length_is_refused() -> None:
    with pytest.raises(UnreadableText):
        read_hashes(b"x" * 33, 1)


@pytest.fixture(scope="module")
def big_tree() -> Tree:
    return Tree(leaf_hash(number.to_bytes(4, "big")) for number in range(70_000))


def content(tree: Tree, tile: Tile) -> bytes:
    assert tile.level is not None
    begin = tile.number * 256
    return b"".join(tree.node(8 * tile.level, number) for number in range(begin, begin + tile.width))


@pytest.mark.parametrize("size", [1, 255, 256, 257, 511, 65_535, 65_536, 65_537, 70_000])
def test_proofs_read_from_tiles_are_those_of_the_tree(big_tree: Tree, size: int) -> None:
    written = {tile: content(big_tree, tile) for tile in tiles_between(0, size) if tile.level is not None}
    tiled = TiledTree(size, written.__getitem__)
    assert root_of(size, tiled.node) == big_tree.root(size)
    for index in {0, 1, size // 3, size // 2, size - 1} & set(range(size)):
        assert inclusion_proof(index, size, tiled.node) == inclusion_proof(index, size, big_tree.node)
        assert consistency_proof(index, size, tiled.node) == consistency_proof(index, size, big_tree.node)
