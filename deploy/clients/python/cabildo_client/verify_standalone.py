#!/usr/bin/env python3
"""Verifies V1 to V5 of a game's bundle, in one file that shares no line with the service.

    verify_standalone.py BUNDLE [POLICY]

Needs Python 3.11 and the package `cryptography`. Prints one line of JSON: each check is "passed", "failed" or "not
checked". Ends with 0 when V1 to V5 passed, 1 when one was not checked, 2 when a file cannot be read, 10 + n when Vn
failed. Draws, moves and the result (V6 to V13) are never checked here. `deploy/docs/bundle.md` specifies what it reads.
"""

import base64
import hashlib
import json
import re
import sys
import unicodedata
import uuid
from itertools import pairwise
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ZIP = b"PK\x03\x04"
LARGEST_BUNDLE, LARGEST_EVENT, LARGEST_NOTE, LARGEST_POLICY = 2**28, 2**16, 1_000_000, 100_000
BIGGEST = 2**53 - 1

# The form of a value: a pattern of texts, a range of integers, the fields of an object, [so many at most, each of a
# form], (of one form, or of another), a type, None.
TEXT, HEX = re.compile(r".*", re.DOTALL), re.compile(r"[0-9a-f]{64}")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
ID, NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,63}"), re.compile(r"[a-z0-9][a-z0-9_.:+-]{0,63}")
RULES, SALT = re.compile(r"[a-z0-9][a-z0-9_./+-]{0,63}"), re.compile(r"[0-9a-f]{32}")
KEY_NAME = re.compile(r"[^\s+\x00-\x1f]+")
NUMBER, SEQ, CHAIR, SECRET = range(BIGGEST + 1), range(1, 100_001), range(256), (None, HEX)
EVENT: dict[str, Any] = {"actor": ID, "kind": NAME, "prev": HEX, "rules": RULES, "salt": SALT, "stream": UUID}
EVENT |= {"at": NUMBER, "data": dict, "seq": SEQ, "shape": range(1, 1_001)}
BUNDLE: dict[str, Any] = {"format": re.compile("cabildo/bundle/v1"), "stream": UUID, "events": [100_000, TEXT]}
BUNDLE |= {"proof": (None, TEXT), "barriers": [1_000, {"seq": SEQ, "proof": TEXT}]}
BUNDLE |= {"growth": [1_000, {"old": NUMBER, "size": NUMBER, "hashes": [63, TEXT]}]}
BUNDLE |= {"roots": [1_000, {"seq": SEQ, "checkpoint": TEXT}], "rules": (None, {"version": RULES, "hash": HEX})}
BUNDLE |= {"receipt_keys": [100, TEXT], "receipts": [100_000, TEXT]}
WITHHELD = {"seq": SEQ, "field": re.compile("reason"), "hash": HEX, "why": re.compile("erased|private")}
BUNDLE |= {"withheld": [100_000, WITHHELD]}
PROMISES: dict[str, Any] = {
    "game_created": {"level": range(4), "seats": CHAIR, "commitment": SECRET, "seed": SECRET, "imported": bool},
    "seat_taken": {"chair": CHAIR, "echo": SECRET, "commitment": SECRET, "entropy": SECRET, "chain": SECRET},
    "seat_left": {"chair": CHAIR},
    "entropy_revealed": {"chair": CHAIR, "entropy": SECRET},
    "game_started": {"order": [256, CHAIR], "drew": [2_000, NAME]},
    "moved": {"seat": CHAIR, "drew": [2_000, NAME], "link": HEX},
    **{gone: {"seat": CHAIR} for gone in ("flag_fell", "resigned", "player_replaced")},
    "seed_revealed": {"seed": HEX, "draws": NUMBER},
}
PROMISES["game_created"]["deal"] = (None, UUID)
MAY_BE_LEFT_OUT = {"deal", "link"}
DATED, ENDS = ("game_started", "flag_fell", "ruled"), ("game_ended", "game_aborted")
NOT_SEALED = "no published checkpoint includes the last event yet"


class Wrong(ValueError):
    """Says what is wrong, and at which event if it is one."""


def need(holds: bool, sentence: str, seq: int = 0) -> None:
    if not holds:
        raise Wrong(sentence, seq)


def fits(form: Any, value: Any) -> bool:
    match form:
        case re.Pattern():
            return isinstance(value, str) and form.fullmatch(value) is not None
        case range():
            return type(value) is int and value in form
        case dict():
            named = isinstance(value, dict) and value.keys() == form.keys()
            return named and all(fits(form[name], value[name]) for name in form)
        case [int(most), each]:
            return isinstance(value, list) and len(value) <= most and all(fits(each, item) for item in value)
        case tuple():
            return any(fits(each, value) for each in form)
    return value is None if form is None else isinstance(value, form)


def read_json(data: bytes, limit: int) -> Any:
    need(len(data) <= limit, "too large")
    text = data.decode()
    value = json.loads(text)
    need(canonical(value, 32) == text, "not in canonical form")
    need(unicodedata.is_normalized("NFC", text), "text that is not in NFC")
    return value


def canonical(value: Any, room: int) -> str:
    """The only spelling of a value without floats (RFC 8785); what was read from another one differs from it."""
    need(room > 0 or not isinstance(value, dict | list), "too deep")
    if isinstance(value, dict):
        names = sorted(value, key=lambda name: name.encode("utf-16-be"))
        return "{" + ",".join(f"{canonical(name, 0)}:{canonical(value[name], room - 1)}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(canonical(item, room - 1) for item in value) + "]"
    need(not isinstance(value, float), "a number that is no integer")
    need(type(value) is not int or abs(value) <= BIGGEST, "an integer beyond 2^53")
    return json.dumps(value, ensure_ascii=False)


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def from_base64(text: str, length: int | None = None) -> bytes:
    data = base64.b64decode(text, validate=True)
    need(base64.b64encode(data).decode() == text and length in (None, len(data)), "base64 of another form or length")
    return data


def decimal(text: str) -> int:
    need(re.fullmatch(r"0|[1-9][0-9]{0,18}", text) is not None and int(text) < 2**63, "not a plain decimal")
    return int(text)


class NoteKey:
    """A verifier key that signs or cosigns (C2SP signed-note)."""

    SIGNS, COSIGNS = 1, 4
    P = 2**255 - 19
    D = -121665 * pow(121666, -1, P) % P
    ORDER_8 = 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826

    def __init__(self, text: str, kind: int) -> None:
        self.name, _, rest = text.partition("+")
        key_id, _, encoded = rest.partition("+")
        data, p = from_base64(encoded, 33), self.P
        self.kind, self.public = kind, data[1:]
        self.id = sha(self.name.encode("utf-8", "surrogateescape"), b"\n", data)[:4]
        need(data[0] == kind and key_id == self.id.hex() and fits(KEY_NAME, self.name), "not a key of its kind")
        y = int.from_bytes(self.public, "little") % 2**255
        need(y < p and y not in (0, 1, p - 1, self.ORDER_8, p - self.ORDER_8), "a key that libraries disagree about")
        need(pow((y * y - 1) * pow(self.D * y * y + 1, -1, p), (p - 1) // 2, p) == 1, "a key off the curve")

    def check(self, text: str, signature: bytes) -> None:
        message = text.encode()
        if self.kind == self.COSIGNS:
            message = f"cosignature/v1\ntime {int.from_bytes(signature[:8], 'big')}\n".encode() + message
            signature = signature[8:]
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, message)
        except InvalidSignature as false:
            raise Wrong(f"a signature of {self.name} is false", 0) from false


class SignedNote:
    """A text and the lines that sign it (C2SP signed-note)."""

    def __init__(self, text: str) -> None:
        need(len(text.encode()) <= LARGEST_NOTE, "too long a note")
        need(not any(char < " " and char != "\n" for char in text), "a control character in a note")
        body, separator, below = text.rpartition("\n\n")
        need(bool(separator) and below.endswith("\n"), "a note without signatures")
        self.text, self.lines = body + "\n", list[tuple[str, bytes, bytes]]()
        for line in below[:-1].split("\n"):
            need(line.startswith("\u2014 "), "a signature line without its dash")
            name, _, encoded = line[2:].partition(" ")
            data = from_base64(encoded)
            need(fits(KEY_NAME, name) and len(data) > 4, "a signature line without a name or a signature")
            self.lines.append((name, data[:4], data[4:]))
        need(len(self.lines) <= 100, "too many signatures")

    def checkpoint(self) -> tuple[str, int, bytes]:
        """Origin, size and root of the checkpoint that the note is."""
        lines = self.text[:-1].split("\n")
        need(len(lines) >= 3 and "" not in lines, "a checkpoint has three lines")
        return lines[0], decimal(lines[1]), from_base64(lines[2], 32)

    def signers(self, keys: list[NoteKey]) -> dict[NoteKey, bytes]:
        """Those of the keys that signed, with their first signature; none of them may be false."""
        owned = [(k, data) for k in keys for name, key_id, data in self.lines if (name, key_id) == (k.name, k.id)]
        for key, data in owned:
            key.check(self.text, data)
        return dict(reversed(owned))


class Proof(SignedNote):
    """A checkpoint below the index of a leaf and the hashes that lead from it to the root (C2SP tlog-proof)."""

    def __init__(self, text: str) -> None:
        head, _, note = text.partition("\n\n")
        title, index, *hashes = *head.split("\n"), ""
        need(title == "c2sp.org/tlog-proof@v1" and index.startswith("index "), "not a log proof")
        need(len(hashes) <= 64, "too long a log proof")
        super().__init__(note)
        self.index, self.hashes = decimal(index[6:]), [from_base64(line, 32) for line in hashes[:-1]]


class LogPolicy:
    """Whose signatures count (C2SP tlog-policy): logs; witnesses and groups by name; the name of the quorum."""

    def __init__(self, data: bytes) -> None:
        sound = len(data) <= LARGEST_POLICY and re.search(rb"[\x00-\x08\x0b-\x1f\x7f]", data) is None
        need(sound, "too long a policy, or a control character in it")
        self.logs: list[NoteKey] = []
        self.witnesses: dict[str, NoteKey] = {}
        self.groups: dict[str, tuple[int, list[str]]] = {}
        self.quorum = ""
        for line in data.decode("utf-8", "surrogateescape").split("\n"):
            words = re.findall(r"[^ \t]+", line)
            if words and not words[0].startswith("#"):
                self.read(words)
        need(bool(self.quorum), "a policy without quorum line")
        for keys in (self.logs, [*self.witnesses.values()]):
            need(len({key.public for key in keys}) == len(keys), "a key twice")

    def read(self, words: list[str]) -> None:
        names = {"none", *self.witnesses, *self.groups}
        match words:
            case ["log", key] | ["log", key, _]:
                self.logs.append(NoteKey(key, NoteKey.SIGNS))
            case ["witness", name, key] | ["witness", name, key, _] if name not in names:
                self.witnesses[name] = NoteKey(key, NoteKey.COSIGNS)
            case ["group", name, threshold, *members] if members and name not in names:
                used = [member for _, group in self.groups.values() for member in group] + members
                need(len(set(used)) == len(used), "a member is listed twice")
                need(names - {"none"} >= set(members), "an unknown member")
                k = {"any": 1, "all": len(members)}.get(threshold) or decimal(threshold)
                need(1 <= k <= len(members), "a threshold that cannot be")
                self.groups[name] = (k, members)
            case ["quorum", name] if name in names and not self.quorum:
                self.quorum = name
            case _:
                raise Wrong(f"a line of the policy that cannot be: {words}", 0)

    def judge(self, note: SignedNote) -> int | None:
        """The first second at which those who cosigned a checkpoint made a quorum; a known log has to have signed."""
        origin, _, _ = note.checkpoint()
        need(bool(note.signers([key for key in self.logs if key.name == origin])), "no known log signed the checkpoint")
        signed = note.signers([*self.witnesses.values()])
        times = {name: int.from_bytes(signed[key][:8], "big") for name, key in self.witnesses.items() if key in signed}
        by_then = {second: {name for name, at in times.items() if at <= second} for second in sorted(times.values())}
        return next((second for second, names in by_then.items() if self.met(self.quorum, names)), None)

    def met(self, name: str, cosigned: set[str]) -> bool:
        k, members = self.groups.get(name, (0, []))
        return sum(self.met(member, cosigned) for member in members) >= k if members else name in cosigned


def included(index: int, size: int, leaf: bytes, proof: list[bytes]) -> bytes:
    """The root of a tree (RFC 6962) in which the leaf stands at the index."""
    need(0 <= index < size and bool(proof) == (size > 1), "no such leaf, or a proof of another length")
    if size == 1:
        return leaf
    (*rest, other), left = proof, 1 << (size - 1).bit_length() - 1
    if index < left:
        return sha(b"\x01", included(index, left, leaf, rest), other)
    return sha(b"\x01", other, included(index - left, size - left, leaf, rest))


def grown(old: int, size: int, known: list[bytes], proof: list[bytes]) -> tuple[bytes, bytes]:
    """The roots of the old tree and of all; the old one is known, or proved where only a part of it is asked for."""
    need(0 < old <= size and bool(known or proof), "no such growth, or too short a proof")
    if old == size:
        (root,) = *known, *proof
        return root, root
    (*rest, other), left = proof, 1 << (size - 1).bit_length() - 1
    if old <= left:
        first, second = grown(old, left, known, rest)
        return first, sha(b"\x01", second, other)
    first, second = grown(old - left, size - left, [], rest)
    return sha(b"\x01", other, first), sha(b"\x01", other, second)


class BundleChecks:
    """Runs the checks; each raises Wrong, or returns why its claim is not established ("" when it is)."""

    def __init__(self, data: bytes, policy: LogPolicy | None) -> None:
        self.data, self.policy = data, policy
        self.seq = 0  # of the event that is looked at
        self.events: list[dict[str, Any]] = []

    def v1(self) -> str:
        """The file is exactly one bundle."""
        d = read_json(self.data, LARGEST_BUNDLE)
        need(fits(BUNDLE, d) and bool(d["events"]), "not a bundle")
        for text in (*d["receipt_keys"], *d["receipts"]):
            SignedNote(text)
        self.final = None if d["proof"] is None else Proof(d["proof"])
        self.barriers = [(row["seq"], Proof(row["proof"])) for row in d["barriers"]]
        self.places = dict(self.barriers)
        self.roots = [(row["seq"], SignedNote(row["checkpoint"])) for row in d["roots"]]
        self.growth = [(g["old"], g["size"], [from_base64(each, 32) for each in g["hashes"]]) for g in d["growth"]]
        self.stream, self.id, self.bodies = d["stream"], uuid.UUID(d["stream"]).bytes, [e.encode() for e in d["events"]]
        return ""

    def v2(self) -> str:
        """The events form one chain."""
        prev = bytes(32)
        for body in self.bodies:
            self.seq += 1
            event = read_json(body, LARGEST_EVENT)
            need(fits(EVENT, event) and event["stream"] == self.stream, "not an event of this stream")
            need((event["seq"], event["prev"]) == (self.seq, prev.hex()), "does not follow the event before it")
            prev = sha(b"cabildo/event/v1\n", body)
            self.events.append(event | {"hash": prev})
        return ""

    def v3(self) -> str:
        """A known log signed, a quorum of witnesses cosigned, and none of them before its time."""
        if self.final is None or self.policy is None:
            return NOT_SEALED if self.final is None else "no policy was given: nobody knows whose signatures these are"
        trees: dict[int, Any] = {}
        cosigned = []
        for _, note in (*self.barriers, (0, self.final), *self.roots):
            cosigned.append(self.policy.judge(note) is not None)
            same(trees, note.checkpoint())
        quorum = self.policy.quorum == "none" or all(cosigned)
        need(quorum, "too few witnesses cosigned: the log may show another history to others")
        since, last = self.policy.judge(self.final), len(self.events)
        need(since is None or (since + 60) * 1_000_000 >= self.events[-1]["at"], "witnessed before it happened", last)
        for seq, note in self.roots:
            since, at = self.policy.judge(note), self.events[seq - 1]["at"] if seq <= last else BIGGEST
            need(since is None or (since - 60) * 1_000_000 <= at, "names a tree that was not there yet", seq)
        return ""

    def v4(self) -> str:
        """The log includes the last event and the barriers."""
        if self.final is None:
            need(not self.barriers and not self.growth and not self.roots, "proofs without a last checkpoint")
            return NOT_SEALED
        proofs = [*self.barriers, (len(self.events), self.final)]
        shown = [self.include(seq, proof) for seq, proof in proofs]
        trees, index, before = {shown[-1][1]: shown[-1]}, -1, 0
        for (seq, proof), tree in zip(proofs, shown, strict=True):
            same(trees, tree)
            fine = proof.index == index if seq == before else 0 < seq - before <= proof.index - index
            need(fine, "its place in the log contradicts the order of events", seq)
            index, before = proof.index, seq
        for seq, note in self.roots:
            same(trees, self.named(seq, note))
        need([g[:2] for g in self.growth] == list(pairwise(sorted(trees))), "checkpoints that no proof links")
        need(len({origin for origin, _, _ in trees.values()}) == 1, "checkpoints of different logs")
        for old, size, hashes in self.growth:
            roots = trees[old][2], trees[size][2]
            need(grown(old, size, [roots[0]], hashes) == roots, "the later tree does not begin with the earlier")
        return "" if self.policy else "no policy was given: nobody knows whose log this is"

    def include(self, seq: int, proof: Proof) -> tuple[str, int, bytes]:
        need(seq <= len(self.events), "a proof for an event that is not there")
        leaf = sha(b"\x00\x01", self.id, seq.to_bytes(8, "big"), self.events[seq - 1]["hash"])
        _, size, root = tree = proof.checkpoint()
        need(included(proof.index, size, leaf, proof.hashes) == root, "the inclusion proof leads to another root")
        return tree

    def named(self, seq: int, note: SignedNote) -> tuple[str, int, bytes]:
        """The tree that an event names as older than itself."""
        need(seq <= len(self.events), "a root for an event that is not there")
        event, tree = self.events[seq - 1], note.checkpoint()
        after, shown = event["data"].get("after"), {"size": tree[1], "root": tree[2].hex()}
        names = after == shown and type(after["size"]) is int and event["kind"] in DATED
        need(names, "does not name this tree as older than itself", seq)
        return tree

    def v5(self) -> str:
        """Chance was bound before play, and the promises were kept."""
        if self.events[0]["kind"] != "game_created":
            return "this is not the stream of a game"
        chance = ChanceChecks(self.id)
        for event in self.events:
            self.seq = event["seq"]
            chance.hear(event["kind"], event["data"])
        if chance.created["imported"]:
            return "the game was written down from another table: its chance is declared, not dealt"
        if not chance.seed:
            over = next((e["seq"] for e in self.events if e["kind"] in ENDS), 0)
            need(not over or bool(chance.created.get("deal")), "the game is over and the seed is not revealed", over)
            return "the server's seed is not revealed yet"
        kinds = [event["kind"] if event["data"].get("entropy", True) else "" for event in self.events]
        if "entropy_revealed" not in kinds:
            return ""
        closed, reveal = (self.places.get(kinds.index(kind) + 1) for kind in ("commitments_closed", "entropy_revealed"))
        sealed = closed and reveal and reveal.index >= closed.checkpoint()[1]
        return "" if sealed else "nothing proves that commitments were sealed before the first reveal"


def same(trees: dict[int, Any], tree: tuple[str, int, bytes]) -> None:
    need(trees.setdefault(tree[1], tree) == tree, "two roots for one size")


class ChanceChecks:
    """The promises of a game, and whether they are kept."""

    def __init__(self, game: bytes) -> None:
        self.game, self.draws, self.closed, self.started = game, 0, False, False
        self.created, self.seed = dict[str, Any](), ""
        self.chairs: dict[int, dict[str, Any]] = {}  # what each promised: an entropy, and links of a chain
        self.order: list[int] = []

    def hear(self, kind: str, data: dict[str, Any]) -> None:
        for name, form in PROMISES.get(kind, {}).items():
            fine = fits(form, data[name]) if name in data else name in MAY_BE_LEFT_OUT
            need(fine, f"{name} is missing or of another form")
        if reader := getattr(self, "on_" + kind, None):
            reader(data)
        self.closed = self.closed or kind == "commitments_closed"
        self.draws += len(data["drew"]) if kind in ("game_started", "moved") else 0

    def on_game_created(self, data: dict[str, Any]) -> None:
        need(not self.created, "a game is created twice")
        self.created, level = data, data["level"]
        need(data.get("deal") is None or level == 0, "a deal is shared above level 0")
        need(not level or data["imported"] or data["commitment"], f"the server commits to no seed at level {level}")
        need(not level or not data["seed"], f"the host chose the seed beforehand, and calls it chance of level {level}")
        early = data["commitment"] and data["seed"]
        need(not early or self.keeps(data["seed"]), "the seed is not the one committed to")

    def on_seat_taken(self, data: dict[str, Any]) -> None:
        self.on_seat_left(data)
        need(data["echo"] in (None, self.created["commitment"]), "a chair echoed another commitment")
        need(data["echo"] or not data["commitment"], "a chair commits without an echo of the server's commitment")
        promised = {"entropy": data["commitment"], "revealed": self.created["level"] == 1}
        self.chairs[data["chair"]] = promised | {"link": data["chain"], "links": 0, "owes": data["chain"] is not None}

    def on_seat_left(self, data: dict[str, Any]) -> None:
        need(not self.closed and not self.started, "a seat changes after all commitments were in")
        self.chairs.pop(data["chair"], None)

    def on_entropy_revealed(self, data: dict[str, Any]) -> None:
        chair, entropy = self.chairs.setdefault(data["chair"], {}), data["entropy"]
        need(not chair.get("revealed"), "a chair reveals twice")
        chair["revealed"] = True
        if entropy is not None:
            need(self.closed, "a chair reveals before all commitments were in")
            shown = sha(b"cabildo/entropy/v1", self.game, bytes([data["chair"]]), bytes.fromhex(entropy)).hex()
            need(shown == chair.get("entropy"), "a chair reveals something else than it promised")

    def on_game_started(self, data: dict[str, Any]) -> None:
        need(not self.started, "a game starts twice")
        self.order, self.started = data["order"], True
        kept = all(chair.get("revealed") or not chair.get("entropy") for chair in self.chairs.values())
        need(kept, "an entropy neither revealed nor recorded as absent")

    def chair_of(self, data: dict[str, Any]) -> dict[str, Any]:
        need(data["seat"] < len(self.order), "names a seat that is not there")
        return self.chairs.setdefault(self.order[data["seat"]], {})

    def on_moved(self, data: dict[str, Any]) -> None:
        chair, link = self.chair_of(data), data.get("link")
        need(link or not chair.get("owes"), "the seat has a hash chain, and moves without its next link")
        if link is not None:
            chair["links"] = k = chair.get("links", 0) + 1
            parts = bytes([self.order[data["seat"]]]), k.to_bytes(4, "big"), bytes.fromhex(link)
            shown = sha(b"cabildo/link/v1", self.game, *parts).hex()
            need(shown == chair.get("link"), "a chair reveals a link that is not of its chain")
            chair["link"] = link

    def on_resigned(self, data: dict[str, Any]) -> None:
        self.chair_of(data)["owes"] = False  # who plays on for a player has no links of the player's chain

    on_flag_fell = on_player_replaced = on_resigned

    def on_seed_revealed(self, data: dict[str, Any]) -> None:
        self.seed = data["seed"]
        need(data["draws"] == self.draws, "the number of draws is another")
        kept = self.keeps(data["seed"]) if self.created["commitment"] else self.seed == self.created["seed"]
        need(kept, "the seed is not the one committed to or declared")

    def keeps(self, seed: str) -> bool:
        """Whether this is the seed that the server committed to, for this game or for a deal that several share."""
        deal = self.created.get("deal")
        bound = self.game if deal is None else uuid.UUID(deal).bytes
        return sha(b"cabildo/seed/v1", bound, bytes.fromhex(seed)) == bytes.fromhex(self.created["commitment"])


def verify(data: bytes, policy: LogPolicy | None) -> dict[str, Any]:
    """What there is to say: each check with its status, and the first that failed with its reason and its event."""
    bundle = BundleChecks(data, policy)
    said = {f"V{number}": "not reached" for number in range(1, 6)}
    for check in (bundle.v1, bundle.v2, bundle.v3, bundle.v4, bundle.v5):
        bundle.seq, code = 0, check.__name__.upper()
        try:
            reason = check()
        except (ValueError, RecursionError) as fault:
            sentence, seq = fault.args if isinstance(fault, Wrong) else (f"cannot be read: {fault}", 0)
            said[code] = "failed"
            return {"failed": code, "event": seq or bundle.seq or None, "says": sentence, "checks": said}
        said[code] = f"not checked: {reason}" if reason else "passed"
    says = "nothing is wrong in what was checked of V1 to V5; V6 to V13 (draws, moves, result) are not checked here"
    return {"failed": None, "event": None, "says": says, "checks": said}


def main(arguments: list[str]) -> int:
    if not 1 <= len(arguments) <= 2:
        sys.stderr.write((__doc__ or "") + "\n")
        return 2
    try:
        policy = LogPolicy(Path(arguments[1]).read_bytes()) if len(arguments) == 2 else None
        data = Path(arguments[0]).read_bytes()
        need(not data.startswith(ZIP), "this is an archive: unpack it, and call this with each *.bundle.json")
    except (OSError, ValueError) as fault:
        sys.stderr.write(f"{fault.args[0] if isinstance(fault, Wrong) else fault}\n")
        return 2
    found = verify(data, policy)
    sys.stdout.write(json.dumps(found) + "\n")
    if found["failed"]:
        return 10 + int(found["failed"][1:])
    return int(any(status != "passed" for status in found["checks"].values()))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
