#!/usr/bin/env python3
"""A second judge of bundles: checks V1 to V5 in one file that shares no line with the service it judges.

    verify_standalone.py BUNDLE [POLICY]

Needs Python 3.11 and the package `cryptography`. Prints one line of JSON; ends with 0 when nothing is wrong, with
10 + n when check Vn found something wrong, with 2 when it was called wrongly. What it reads is specified in
`deploy/docs/bundle.md`.
"""

import base64
import binascii
import hashlib
import hmac
import json
import re
import sys
import unicodedata
from itertools import pairwise
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

HEX = re.compile(r"[0-9a-f]{64}", re.ASCII)
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.ASCII)
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}", re.ASCII)
NAME = re.compile(r"[a-z0-9][a-z0-9_.:+-]{0,63}", re.ASCII)
RULES = re.compile(r"[a-z0-9][a-z0-9_./+-]{0,63}", re.ASCII)
SALT = re.compile(r"[0-9a-f]{32}", re.ASCII)
LARGEST_BUNDLE, LARGEST_EVENT, LARGEST_NOTE, LARGEST_POLICY = 2**28, 2**16, 1_000_000, 100_000
BIGGEST = 2**53 - 1
DATED, ENDS = ("game_started", "flag_fell", "ruled"), ("game_ended", "game_aborted")
LISTS = {
    "events": 100_000,
    "barriers": 1_000,
    "growth": 1_000,
    "receipt_keys": 100,
    "receipts": 100_000,
    "roots": 1_000,
    "withheld": 100_000,
}


class Wrong(Exception):
    """Something is wrong, perhaps at an event."""

    def __init__(self, sentence: str, seq: int | None = None) -> None:
        super().__init__(sentence)
        self.seq = seq


def need(holds: bool, sentence: str, seq: int | None = None) -> None:
    if not holds:
        raise Wrong(sentence, seq)


# --- canonical JSON (RFC 8785, without floats) ---


def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    need(len(found) == len(pairs), "a key appears twice")
    return found


def integer(digits: str) -> int:
    need(len(digits) <= 17 and abs(int(digits)) <= BIGGEST, "an integer is beyond 2^53")
    return int(digits)


def no_float(text: str) -> Any:
    raise Wrong(f"{text[:20]} is not an integer")


def read_json(data: bytes, limit: int) -> Any:
    need(len(data) <= limit, "too large")
    try:
        text = data.decode("utf-8")
        value = json.loads(
            text, object_pairs_hook=unique, parse_int=integer, parse_float=no_float, parse_constant=no_float
        )
        spelled = canonical(value, 32)
        need(spelled.encode() == data, "not in canonical form")
    except (ValueError, RecursionError) as fault:
        raise Wrong("not JSON in UTF-8") from fault
    need(unicodedata.is_normalized("NFC", text), "text that is not in NFC")
    return value


def canonical(value: Any, room: int) -> str:
    if isinstance(value, dict):
        need(room > 0, "too deep")
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name, 0)}:{canonical(value[name], room - 1)}" for name in names) + "}"
    if isinstance(value, list):
        need(room > 0, "too deep")
        return "[" + ",".join(canonical(item, room - 1) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def fits(pattern: re.Pattern[str], value: Any) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def whole(value: Any, least: int, most: int) -> bool:
    return type(value) is int and least <= value <= most


def has(value: Any, *names: str) -> bool:
    return isinstance(value, dict) and value.keys() == set(names)


# --- notes, keys, checkpoints (C2SP) ---

P = 2**255 - 19
D = -121665 * pow(121666, -1, P) % P
ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826


def from_base64(text: str, length: int | None = None) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as fault:
        raise Wrong("not base64") from fault
    need(base64.b64encode(data).decode() == text and length in (None, len(data)), "base64 of another form or length")
    return data


def decimal(text: str) -> int:
    need(re.fullmatch(r"0|[1-9][0-9]{0,18}", text, re.ASCII) is not None and int(text) < 2**63, "not a plain decimal")
    return int(text)


class Key:
    """A verifier key: name, kind (1 signs, 4 cosigns), public key."""

    def __init__(self, text: str) -> None:
        self.name, _, rest = text.partition("+")
        key_id, _, encoded = rest.partition("+")
        data = from_base64(encoded, 33)
        self.kind, self.public = data[0], data[1:]
        self.id = hashlib.sha256(self.name.encode() + b"\n" + data).digest()[:4]
        need(self.kind in (1, 4) and key_id == self.id.hex() and good_name(self.name), "not a verifier key")
        y = int.from_bytes(self.public, "little") % 2**255
        need(y < P and y not in (0, 1, P - 1, ORDER_8, P - ORDER_8), "a key that libraries disagree about")
        need(pow((y * y - 1) * pow(D * y * y + 1, -1, P), (P - 1) // 2, P) == 1, "a key that is no point of the curve")

    def signed(self, text: str, signature: bytes) -> bool:
        message = text.encode()
        if self.kind == 4:
            time, signature = signature[:8], signature[8:]
            message = f"cosignature/v1\ntime {int.from_bytes(time, 'big')}\n".encode() + message
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except InvalidSignature:
            return False
        return True


def good_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(char.isspace() or char < " " for char in name)


class Note:
    """A signed note that holds a checkpoint."""

    def __init__(self, text: str) -> None:
        need(len(text.encode()) <= LARGEST_NOTE, "too long a note")
        need(not any(char < " " and char != "\n" for char in text), "a control character in a note")
        body, separator, below = text.rpartition("\n\n")
        need(bool(separator) and below.endswith("\n"), "a note without signatures")
        self.text, self.lines = body + "\n", [signature(line) for line in below[:-1].split("\n")]
        need(len(self.lines) <= 100, "too many signatures")

    def checkpoint(self) -> tuple[str, int, bytes]:
        lines = self.text[:-1].split("\n")
        need(len(lines) >= 3 and "" not in lines, "a checkpoint has three lines")
        return lines[0], decimal(lines[1]), from_base64(lines[2], 32)

    def verified(self, keys: list[Key]) -> list[tuple[Key, bytes]]:
        found: dict[int, tuple[Key, bytes]] = {}
        for number, key in enumerate(keys):
            for name, key_id, data in self.lines:
                if (name, key_id) == (key.name, key.id):
                    need(key.signed(self.text, data), f"the signature of {key.name} is false")
                    found.setdefault(number, (key, data))
        return list(found.values())


def signature(line: str) -> tuple[str, bytes, bytes]:
    need(line.startswith("\u2014 "), "a signature line without its dash")
    name, _, encoded = line[2:].partition(" ")
    data = from_base64(encoded)
    need(len(data) > 4 and good_name(name), "a signature line without a name or a signature")
    return name, data[:4], data[4:]


# --- policies (C2SP tlog-policy) ---


class Policy:
    """Logs, witnesses by name, groups by name, the name of the quorum."""

    def __init__(self, data: bytes) -> None:
        need(len(data) <= LARGEST_POLICY, "too long a policy")
        need(all(octet in b"\t\n" or (octet >= 0x20 and octet != 0x7F) for octet in data), "a control character")
        self.logs: list[Key] = []
        self.witnesses: dict[str, Key] = {}
        self.groups: dict[str, tuple[int, list[str]]] = {}
        quorums: list[str] = []
        for line in data.decode("utf-8", "surrogateescape").split("\n"):
            words = [word for word in line.replace("\t", " ").split(" ") if word]
            if words and not words[0].startswith("#"):
                self.read(words, quorums)
        need(len(quorums) == 1, "a policy has one quorum line")
        self.quorum = quorums[0]

    def read(self, words: list[str], quorums: list[str]) -> None:
        what, *rest = words
        need(what in ("log", "witness", "group", "quorum"), f"unknown line {what}")
        if what == "log":
            need(1 <= len(rest) <= 2, "a log line")
            self.logs.append(self.new_key(rest[0], 1, self.logs))
        elif what == "witness":
            need(2 <= len(rest) <= 3 and self.is_new(rest[0]), "a witness line")
            self.witnesses[rest[0]] = self.new_key(rest[1], 4, list(self.witnesses.values()))
        elif what == "group":
            self.read_group(rest)
        else:
            need(len(rest) == 1 and (rest[0] == "none" or not self.is_new(rest[0])), "a quorum line")
            quorums.append(rest[0])

    def read_group(self, rest: list[str]) -> None:
        need(len(rest) >= 3 and self.is_new(rest[0]), "a group line")
        name, threshold, *members = rest
        used = [member for _, group in self.groups.values() for member in group] + members
        need(len(set(used)) == len(used), "a member is listed twice")
        need(all(m in self.witnesses or m in self.groups for m in members), "an unknown member")
        k = {"any": 1, "all": len(members)}.get(threshold) or decimal(threshold)
        need(1 <= k <= len(members), "a threshold that cannot be")
        self.groups[name] = (k, members)

    def is_new(self, name: str) -> bool:
        return name != "none" and name not in self.witnesses and name not in self.groups

    def new_key(self, text: str, kind: int, others: list[Key]) -> Key:
        key = Key(text)
        need(
            key.kind == kind and all(key.public != other.public for other in others), "a key of another kind, or twice"
        )
        return key

    def met(self, name: str, cosigned: dict[str, int]) -> bool:
        if name not in self.groups:
            return name in cosigned
        k, members = self.groups[name]
        return sum(self.met(member, cosigned) for member in members) >= k

    def since(self, note: Note) -> int | None:
        """The first second at which those who had cosigned a checkpoint made a quorum."""
        times = {} if self.quorum == "none" else self.judge(note)
        for second in sorted(set(times.values())):
            if self.met(self.quorum, {name: at for name, at in times.items() if at <= second}):
                return second
        return None

    def judge(self, note: Note) -> dict[str, int]:
        """When each witness cosigned a checkpoint that a known log signed."""
        origin, _, _ = note.checkpoint()
        need(
            bool(note.verified([key for key in self.logs if key.name == origin])), "no known log signed the checkpoint"
        )
        found = {id(key): int.from_bytes(data[:8], "big") for key, data in note.verified(list(self.witnesses.values()))}
        return {name: found[id(key)] for name, key in self.witnesses.items() if id(key) in found}


# --- the tree (RFC 6962, RFC 9162) ---


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def check_inclusion(index: int, size: int, leaf: bytes, proof: list[bytes], root: bytes) -> None:
    need(index < size, "no such leaf")
    number, last, found = index, size - 1, leaf
    for each in proof:
        need(last > 0, "too long a proof")
        if number & 1 or number == last:
            found = sha(b"\x01", each, found)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            found = sha(b"\x01", found, each)
        number, last = number >> 1, last >> 1
    need(last == 0 and found == root, "the inclusion proof leads to another root")


def check_growth(old: int, size: int, old_root: bytes, root: bytes, proof: list[bytes]) -> None:
    need(0 < old < size, "nothing proves this growth")
    path = [old_root, *proof] if old & (old - 1) == 0 else proof
    need(bool(path), "an empty proof")
    number, last = old - 1, size - 1
    while number & 1:
        number, last = number >> 1, last >> 1
    first, second = path[0], path[0]
    for each in path[1:]:
        need(last > 0, "too long a proof")
        if number & 1 or number == last:
            first, second = sha(b"\x01", each, first), sha(b"\x01", each, second)
            while number and not number & 1:
                number, last = number >> 1, last >> 1
        else:
            second = sha(b"\x01", second, each)
        number, last = number >> 1, last >> 1
    need(last == 0 and first == old_root and second == root, "the later tree does not begin with the earlier")


# --- the checks ---


class Proof:
    """A tlog-proof: index, hashes, note."""

    def __init__(self, text: str) -> None:
        head, separator, note = text.partition("\n\n")
        lines = head.split("\n")
        need(bool(separator) and lines[0] == "c2sp.org/tlog-proof@v1" and len(lines) >= 2, "not a log proof")
        need(lines[1].startswith("index ") and len(lines) <= 65, "a log proof without an index, or too long")
        self.index = decimal(lines[1][6:])
        self.hashes = [from_base64(line, 32) for line in lines[2:]]
        self.note = Note(note)


class Bundle:
    """What the checks find out, one after the other."""

    def __init__(self, data: bytes, policy: Policy | None) -> None:
        self.data, self.policy = data, policy
        self.events: list[dict[str, Any]] = []
        self.hashes: list[bytes] = []

    def v1(self) -> None:
        """The file is exactly one bundle."""
        d = read_json(self.data, LARGEST_BUNDLE)
        need(has(d, "format", "stream", "proof", "rules", *LISTS), "not a bundle")
        need(d["format"] == "cabildo/bundle/v1" and fits(UUID, d["stream"]), "not a bundle")
        need(all(isinstance(d[name], list) and len(d[name]) <= most for name, most in LISTS.items()), "not a list")
        need(all(isinstance(text, str) for text in (*d["events"], *d["receipt_keys"], *d["receipts"])), "not a text")
        need(d["proof"] is None or isinstance(d["proof"], str), "the proof is not a text")
        need(all(has(b, "seq", "proof") and whole(b["seq"], 1, 100_000) for b in d["barriers"]), "not a barrier")
        need(all(isinstance(b["proof"], str) for b in d["barriers"]), "not a barrier")
        need(all(growth_row(g) for g in d["growth"]), "not a proof of growth")
        need(all(map(root_row, d["roots"])) and all(map(withheld_row, d["withheld"])), "a row of another form")
        need(d["rules"] is None or rules_row(d["rules"]), "rules of another form")
        need(bool(d["events"]), "no events")
        for text in (*d["receipt_keys"], *d["receipts"]):
            Note(text)
        self.final = None if d["proof"] is None else Proof(d["proof"])
        self.barriers = [(row["seq"], Proof(row["proof"])) for row in d["barriers"]]
        self.roots = [(row["seq"], Note(row["checkpoint"])) for row in d["roots"]]
        self.growth = [(g["old"], g["size"], [from_base64(each, 32) for each in g["hashes"]]) for g in d["growth"]]
        self.stream, self.bodies = d["stream"], [text.encode() for text in d["events"]]

    def v2(self) -> None:
        """The events form one chain."""
        prev = bytes(32)
        for seq, body in enumerate(self.bodies, 1):
            try:
                event = read_json(body, LARGEST_EVENT)
                need(event_form(event), "not an event")
            except Wrong as fault:
                raise Wrong(str(fault), seq) from fault
            need(event["stream"] == self.stream, "of another stream", seq)
            need(event["seq"] == seq and event["prev"] == prev.hex(), "does not follow the event before it", seq)
            prev = sha(b"cabildo/event/v1\n", body)
            self.events.append(event)
            self.hashes.append(prev)

    def v3(self) -> None:
        """A known log signed, and no witness before its time."""
        if self.final is None or self.policy is None:
            return
        roots: dict[int, tuple[str, int, bytes]] = {}
        notes = [proof.note for _, proof in self.barriers] + [self.final.note] + [note for _, note in self.roots]
        for note in notes:
            self.policy.judge(note)
            shown = note.checkpoint()
            need(roots.setdefault(shown[1], shown) == shown, "two roots for one size")
        since, at = self.policy.since(self.final.note), self.events[-1]["at"]
        need(since is None or (since + 60) * 1_000_000 >= at, "witnessed before it happened", len(self.events))
        for seq, note in self.roots:
            since, at = self.policy.since(note), self.events[seq - 1]["at"] if seq <= len(self.events) else BIGGEST
            need(since is None or (since - 60) * 1_000_000 <= at, "names a tree that was not there yet", seq)

    def v4(self) -> None:
        """The log includes the last event and the barriers."""
        if self.final is None:
            need(not self.barriers and not self.growth and not self.roots, "proofs without a last checkpoint")
            return
        trees: dict[int, tuple[str, int, bytes]] = {}
        index, seq = -1, 0
        included = [
            (seq, proof, self.include(seq, proof)) for seq, proof in (*self.barriers, (len(self.events), self.final))
        ]
        trees[included[-1][2][1]] = included[-1][2]
        for at, proof, shown in included:
            need(trees.setdefault(shown[1], shown) == shown, "two roots for one size")
            fine = proof.index == index if at == seq else at > seq and proof.index - index >= at - seq
            need(fine, "its place in the log contradicts the order of events", at)
            index, seq = proof.index, at
        for at, note in self.roots:
            shown = self.named(at, note)
            need(trees.setdefault(shown[1], shown) == shown, "two roots for one size")
        sizes = sorted(trees)
        steps = [(old, size) for old, size, _ in self.growth]
        need(steps == list(pairwise(sizes)), "the checkpoints are not all linked by proofs")
        need(len({origin for origin, _, _ in trees.values()}) == 1, "checkpoints of different logs")
        for old, size, hashes in self.growth:
            check_growth(old, size, trees[old][2], trees[size][2], hashes)

    def named(self, seq: int, note: Note) -> tuple[str, int, bytes]:
        """The tree that an event names as older than itself."""
        need(seq <= len(self.events), "a root for an event that is not there")
        event, shown = self.events[seq - 1], note.checkpoint()
        after = event["data"].get("after")
        names = has(after, "size", "root") and type(after["size"]) is int
        need(names and after == {"size": shown[1], "root": shown[2].hex()}, "names another tree as older", seq)
        need(event["kind"] in DATED, "is not of a kind that names a tree", seq)
        return shown

    def include(self, seq: int, proof: Proof) -> tuple[str, int, bytes]:
        need(seq <= len(self.events), "a proof for an event that is not there")
        stream = bytes.fromhex(self.stream.replace("-", ""))
        leaf = sha(b"\x00\x01", stream, seq.to_bytes(8, "big"), self.hashes[seq - 1])
        shown = proof.note.checkpoint()
        check_inclusion(proof.index, shown[1], leaf, proof.hashes, shown[2])
        return shown

    def v5(self) -> None:
        """Chance was bound before play."""
        chance = Chance(bytes.fromhex(self.stream.replace("-", "")))
        for seq, event in enumerate(self.events, 1):
            try:
                chance.hear(event["kind"], event["data"])
            except Wrong as fault:
                raise Wrong(str(fault), seq) from fault
        over = next((seq for seq, event in enumerate(self.events, 1) if event["kind"] in ENDS), None)
        hidden = over is not None and chance.seed is None and not chance.imported and chance.deal == chance.game
        need(not hidden, "the game is over and the seed is not revealed", over)


def root_row(row: Any) -> bool:
    return has(row, "seq", "checkpoint") and whole(row["seq"], 1, 100_000) and isinstance(row["checkpoint"], str)


def rules_row(row: Any) -> bool:
    return has(row, "version", "hash") and fits(RULES, row["version"]) and fits(HEX, row["hash"])


def growth_row(row: Any) -> bool:
    if not has(row, "old", "size", "hashes") or not isinstance(row["hashes"], list) or len(row["hashes"]) > 63:
        return False
    sizes = whole(row["old"], 0, BIGGEST) and whole(row["size"], 0, BIGGEST)
    return sizes and all(isinstance(each, str) for each in row["hashes"])


def withheld_row(row: Any) -> bool:
    fine = has(row, "seq", "field", "hash", "why") and whole(row["seq"], 1, 100_000) and fits(HEX, row["hash"])
    return fine and row["field"] == "reason" and row["why"] in ("erased", "private")


def event_form(event: Any) -> bool:
    if not has(event, "actor", "at", "data", "kind", "prev", "rules", "salt", "seq", "shape", "stream"):
        return False
    texts = ((ID, "actor"), (NAME, "kind"), (HEX, "prev"), (RULES, "rules"), (SALT, "salt"), (UUID, "stream"))
    numbers = whole(event["at"], 0, BIGGEST) and whole(event["seq"], 1, BIGGEST) and whole(event["shape"], 1, 1_000)
    return numbers and isinstance(event["data"], dict) and all(fits(pattern, event[name]) for pattern, name in texts)


class Chance:
    """The promises of a game, and whether they are kept."""

    def __init__(self, game: bytes) -> None:
        self.game, self.level, self.imported, self.draws = game, 0, False, 0
        self.deal = game  # under whose name the seed is bound
        self.commitment: bytes | None = None
        self.declared: bytes | None = None
        self.seed: bytes | None = None
        self.closed = False
        self.promised: dict[int, bytes] = {}
        self.entropies: dict[int, bytes | None] = {}
        self.links: dict[int, tuple[int, bytes]] = {}
        self.order: list[int] = []

    def hear(self, kind: str, data: dict[str, Any]) -> None:
        reader = getattr(self, "on_" + kind, None)
        if reader:
            reader(data)
        drew = data.get("drew")
        self.draws += len(drew) if isinstance(drew, list) else 0

    def on_game_created(self, data: dict[str, Any]) -> None:
        self.level = number(data, "level", 3)
        number(data, "seats", 255)
        self.commitment, self.declared = secret(data, "commitment"), secret(data, "seed")
        self.imported = data.get("imported") is True
        if data.get("deal") is not None:
            need(self.level == 0, "a deal is shared above level 0")
            need(fits(UUID, data["deal"]), "the deal is not a UUID")
            self.deal = bytes.fromhex(data["deal"].replace("-", ""))
        if self.commitment and self.declared:
            self.check_seed(self.declared)

    def on_seat_taken(self, data: dict[str, Any]) -> None:
        chair = number(data, "chair", 255)
        need(secret(data, "echo") in (None, self.commitment), f"chair {chair} echoed another commitment")
        promised, chain = secret(data, "commitment"), secret(data, "chain")
        self.on_seat_left(data)
        if promised:
            self.promised[chair] = promised
        if chain:
            self.links[chair] = (0, chain)
        if self.level == 1:
            self.entropies[chair] = secret(data, "entropy")

    def on_seat_left(self, data: dict[str, Any]) -> None:
        need(not self.closed, "a seat changes after all commitments were in")
        kept: tuple[dict[int, Any], ...] = (self.promised, self.entropies, self.links)
        for each in kept:
            each.pop(number(data, "chair", 255), None)

    def on_commitments_closed(self, _data: dict[str, Any]) -> None:
        self.closed = True

    def on_entropy_revealed(self, data: dict[str, Any]) -> None:
        chair, entropy = number(data, "chair", 255), secret(data, "entropy")
        need(chair not in self.entropies, f"chair {chair} reveals twice")
        if entropy:
            shown = sha(b"cabildo/entropy/v1", self.game, bytes([chair]), entropy)
            need(hmac.compare_digest(shown, self.promised.get(chair, b"")), f"chair {chair} reveals something else")
        self.entropies[chair] = entropy

    def on_game_started(self, data: dict[str, Any]) -> None:
        order = data.get("order")
        self.order = [number({"order": chair}, "order", 255) for chair in (order if isinstance(order, list) else [])]
        need(self.promised.keys() <= self.entropies.keys(), "an entropy neither revealed nor recorded as absent")

    def on_moved(self, data: dict[str, Any]) -> None:
        link = secret(data, "link")
        if link is None:
            return
        seat = number(data, "seat", 255)
        need(seat < len(self.order) and self.order[seat] in self.links, "a link of no chain")
        chair = self.order[seat]
        k, before = self.links[chair]
        shown = sha(b"cabildo/link/v1", self.game, bytes([chair]), (k + 1).to_bytes(4, "big"), link)
        need(shown == before, f"chair {chair} reveals a link that is not of its chain")
        self.links[chair] = (k + 1, link)

    def on_seed_revealed(self, data: dict[str, Any]) -> None:
        seed = secret(data, "seed")
        need(seed is not None and data.get("draws") == self.draws, "the number of draws is another")
        self.seed = seed
        if self.commitment:
            self.check_seed(seed or b"")
        else:
            need(seed == self.declared, "the seed is not the one declared")

    def check_seed(self, seed: bytes) -> None:
        shown = sha(b"cabildo/seed/v1", self.deal, seed)
        need(shown == self.commitment, "the seed is not the one committed to")


def secret(data: dict[str, Any], name: str) -> bytes | None:
    value = data.get(name)
    need(value is None or fits(HEX, value), f"{name} is not 32 bytes in hexadecimal")
    return None if value is None else bytes.fromhex(value)


def number(data: dict[str, Any], name: str, most: int) -> int:
    value = data.get(name)
    need(whole(value, 0, most), f"{name} is not a small number")
    return int(value or 0)


def verify(data: bytes, policy: Policy | None) -> tuple[str, str, int | None] | None:
    """The code of the first check that finds something wrong, what, and at which event; None when none does."""
    bundle = Bundle(data, policy)
    checks = {"V1": bundle.v1, "V2": bundle.v2, "V3": bundle.v3, "V4": bundle.v4, "V5": bundle.v5}
    for code, check in checks.items():
        try:
            check()
        except Wrong as wrong:
            return code, str(wrong), wrong.seq
    return None


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    try:
        policy = Policy(Path(arguments[1]).read_bytes()) if len(arguments) == 2 else None
        wrong = verify(Path(arguments[0]).read_bytes(), policy)
    except (OSError, Wrong) as fault:
        sys.stderr.write(f"{fault}\n")
        return 2
    code, sentence, seq = wrong or (None, "nothing is wrong in V1 to V5", None)
    sys.stdout.write(json.dumps({"failed": code, "event": seq, "says": sentence}) + "\n")
    return 10 + int(code[1:]) if code else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
