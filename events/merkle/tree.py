"""The Merkle tree of RFC 6962: hashes, roots, growth, proofs and their verification."""

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

from events.merkle.errors import BadProof

HASH_SIZE = 32
EMPTY_ROOT = sha256(b"").digest()

# The hash of a complete subtree: nodes(level, number) stands over the leaves number * 2^level and following.
Nodes = Callable[[int, int], bytes]


def leaf_hash(entry: bytes) -> bytes:
    """Returns the hash of one entry."""
    return sha256(b"\x00" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Returns the hash of an inner node."""
    return sha256(b"\x01" + left + right).digest()


class RightEdge:
    """The state from which a tree can grow: the roots of its complete subtrees, largest first."""

    def __init__(self, size: int = 0, hashes: Sequence[bytes] = ()) -> None:
        if len(hashes) != size.bit_count() or any(len(each) != HASH_SIZE for each in hashes):
            raise BadProof(f"the right edge of {size} leaves has {size.bit_count()} hashes of {HASH_SIZE} bytes")
        self.size = size
        self.hashes = list(hashes)

    def append(self, leaf: bytes) -> None:
        """Appends the next leaf hash."""
        full = self.size
        while full & 1:
            leaf = node_hash(self.hashes.pop(), leaf)
            full >>= 1
        self.hashes.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Returns the root of the tree as it is now."""
        if not self.hashes:
            return EMPTY_ROOT
        *lefts, root = self.hashes
        for left in reversed(lefts):
            root = node_hash(left, root)
        return root


class Tree:
    """A whole tree in memory; its `node` reads any complete subtree."""

    def __init__(self, leaves: Iterable[bytes] = ()) -> None:
        self._levels: list[list[bytes]] = [[]]
        for leaf in leaves:
            self.append(leaf)

    def __len__(self) -> int:
        return len(self._levels[0])

    def append(self, leaf: bytes) -> None:
        """Appends the next leaf hash."""
        for level in self._levels:
            level.append(leaf)
            if len(level) % 2:
                return
            leaf = node_hash(level[-2], level[-1])
        self._levels.append([leaf])

    def node(self, level: int, number: int) -> bytes:
        return self._levels[level][number]

    def root(self, size: int | None = None) -> bytes:
        """Returns the root of the first `size` leaves; of all when no size is named."""
        return root_of(len(self) if size is None else size, self.node)


def root_over(hashes: Sequence[bytes]) -> bytes:
    """Returns the root of a complete subtree over these hashes, as many as a power of two."""
    while len(hashes) > 1:
        hashes = [node_hash(left, right) for left, right in zip(hashes[::2], hashes[1::2], strict=True)]
    return hashes[0]


def root_of(size: int, nodes: Nodes) -> bytes:
    """Returns the root of the first `size` leaves."""
    return _range_hash(0, size, nodes) if size else EMPTY_ROOT


def inclusion_proof(index: int, size: int, nodes: Nodes) -> list[bytes]:
    """Returns the hashes that lead from leaf `index` to the root of `size` leaves, leaf side first."""
    if not 0 <= index < size:
        raise BadProof(f"a tree of {size} leaves has no leaf {index}")
    begin, end, proof = 0, size, list[bytes]()
    while end - begin > 1:
        middle = begin + _split(end - begin)
        if index < middle:
            proof.append(_range_hash(middle, end, nodes))
            end = middle
        else:
            proof.append(_range_hash(begin, middle, nodes))
            begin = middle
    return proof[::-1]


def consistency_proof(old: int, size: int, nodes: Nodes) -> list[bytes]:
    """Returns the hashes that prove that the tree of `size` leaves extends the tree of `old` leaves."""
    if not 0 <= old <= size:
        raise BadProof(f"a tree of {size} leaves does not grow out of one of {old}")
    if old in (0, size):
        return []
    begin, end, proof = 0, size, list[bytes]()
    while end != old:
        middle = begin + _split(end - begin)
        if old <= middle:
            proof.append(_range_hash(middle, end, nodes))
            end = middle
        else:
            proof.append(_range_hash(begin, middle, nodes))
            begin = middle
    if begin:
        proof.append(_range_hash(begin, end, nodes))
    return proof[::-1]


def verify_inclusion(index: int, size: int, leaf: bytes, proof: Sequence[bytes], root: bytes) -> None:
    """Raises BadProof unless the leaf stands at `index` under the root (RFC 9162, 2.1.3.2)."""
    _check_lengths(leaf, root, *proof)
    if not 0 <= index < size:
        raise BadProof(f"a tree of {size} leaves has no leaf {index}")
    number, last, found = index, size - 1, leaf
    for each in proof:
        if last == 0:
            raise BadProof("the inclusion proof is too long")
        if number & 1 or number == last:
            found = node_hash(each, found)
            number, last = _up_to_left_sibling(number, last)
        else:
            found = node_hash(found, each)
        number, last = number >> 1, last >> 1
    if last:
        raise BadProof("the inclusion proof is too short")
    if found != root:
        raise BadProof(f"the inclusion proof of leaf {index} leads to another root")


def verify_consistency(old: int, size: int, old_root: bytes, root: bytes, proof: Sequence[bytes]) -> None:
    """Raises BadProof unless the tree of `size` leaves begins with that of `old` (RFC 9162, 2.1.4.2)."""
    _check_lengths(*proof)
    if not 0 < old <= size:
        raise BadProof(f"nothing proves growth from {old} to {size} leaves")
    if old == size:
        if proof or old_root != root:
            raise BadProof("one size has two roots" if old_root != root else "the consistency proof is too long")
        return
    _check_lengths(old_root, root)
    first_found, found, last = _climb(old, size, old_root, proof)
    if last:
        raise BadProof("the consistency proof is too short")
    if first_found != old_root or found != root:
        raise BadProof(f"the tree of {size} leaves does not begin with the tree of {old}")


def _climb(old: int, size: int, old_root: bytes, proof: Sequence[bytes]) -> tuple[bytes, bytes, int]:
    """Returns the old and the new root computed from the proof, and how many levels are left."""
    path = [old_root, *proof] if old.bit_count() == 1 else list(proof)
    if not path:
        raise BadProof("the consistency proof is empty")
    number, last = old - 1, size - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    old_found = found = path[0]
    for each in path[1:]:
        if last == 0:
            raise BadProof("the consistency proof is too long")
        if number & 1 or number == last:
            old_found, found = node_hash(each, old_found), node_hash(each, found)
            number, last = _up_to_left_sibling(number, last)
        else:
            found = node_hash(found, each)
        number, last = number >> 1, last >> 1
    return old_found, found, last


def _up_to_left_sibling(number: int, last: int) -> tuple[int, int]:
    """Skips the levels where the rightmost node has no sibling."""
    while not number & 1 and number:
        number, last = number >> 1, last >> 1
    return number, last


def _range_hash(begin: int, end: int, nodes: Nodes) -> bytes:
    """Returns the hash over the leaves from `begin` to before `end`, where the first half of the range is complete."""
    count = end - begin
    if count.bit_count() == 1:
        level = count.bit_length() - 1
        return nodes(level, begin >> level)
    middle = begin + _split(count)
    return node_hash(_range_hash(begin, middle, nodes), _range_hash(middle, end, nodes))


def _split(count: int) -> int:
    """Returns the largest power of two smaller than the count."""
    return 1 << (count - 1).bit_length() - 1


def _check_lengths(*hashes: bytes) -> None:
    """Raises BadProof for a hash of another length, which would be hashed like several."""
    if any(len(each) != HASH_SIZE for each in hashes):
        raise BadProof(f"a hash is not {HASH_SIZE} bytes long")
