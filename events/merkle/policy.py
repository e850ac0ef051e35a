"""Trust policies (C2SP tlog-policy): the trusted logs, and the witnesses that make a quorum."""

from collections.abc import Callable, Container, Mapping, Set
from dataclasses import dataclass
from typing import NamedTuple

from events.merkle.checkpoint import Checkpoint, open_checkpoint
from events.merkle.errors import UnreadableText
from events.merkle.notes import COSIGNATURE, ED25519, Note, VerifierKey, cosigned_at
from events.merkle.text import from_decimal

MAX_POLICY = 100_000


class Party(NamedTuple):
    """A log or a witness, with its URL if the policy has one."""

    key: VerifierKey
    url: str | None


class Group(NamedTuple):
    """Names of witnesses or groups, and how many of them must have cosigned."""

    threshold: int
    members: tuple[str, ...]


class Witnessed(NamedTuple):
    """The result of a policy for a checkpoint: the cosigners with their times, and whether they are a quorum."""

    checkpoint: Checkpoint
    times: Mapping[str, int]
    quorum: bool


@dataclass(frozen=True)
class Policy:
    """The trust anchors of a verifier."""

    logs: tuple[Party, ...]
    witnesses: Mapping[str, Party]
    groups: Mapping[str, Group]
    quorum: str | None

    def __str__(self) -> str:
        logs = (("log", str(log.key), log.url or "") for log in self.logs)
        witnesses = (("witness", name, str(party.key), party.url or "") for name, party in self.witnesses.items())
        groups = (("group", name, str(group.threshold), *group.members) for name, group in self.groups.items())
        rows = (*logs, *witnesses, *groups, ("quorum", self.quorum or "none"))
        return "".join(" ".join(row).rstrip() + "\n" for row in rows)

    @classmethod
    def parse(cls, data: bytes) -> "Policy":
        """Parses a policy file; names are compared as bytes."""
        if len(data) > MAX_POLICY or any((octet < 0x20 and octet not in b"\t\n") or octet == 0x7F for octet in data):
            raise UnreadableText("policy", "too long, or a control character")
        reader = _Reader()
        for line in data.decode("utf-8", "surrogateescape").split("\n"):
            words = line.replace("\t", " ").split(" ")
            if (items := [word for word in words if word]) and not items[0].startswith("#"):
                reader.read(items)
        return reader.policy()

    def judge(self, note: Note) -> Witnessed:
        """Opens a checkpoint signed by a trusted log and counts its cosignatures; raises UnverifiedNote."""
        checkpoint = open_checkpoint(note, [log.key for log in self.logs])
        names = {witness.key: name for name, witness in self.witnesses.items()}
        times = {names[key]: cosigned_at(line) for key, line in note.verified(names)}
        return Witnessed(checkpoint, times, self.quorum is None or self._witnessed(self.quorum, times))

    def witnessed_since(self, times: Mapping[str, int]) -> int | None:
        """Returns the earliest second at which a quorum had cosigned, or None without a quorum."""
        if self.quorum is None:
            return None
        for second in sorted(set(times.values())):
            if self._witnessed(self.quorum, {name: at for name, at in times.items() if at <= second}):
                return second
        return None

    def is_quorum(self, names: Set[str]) -> bool:
        """Returns whether some witnesses make the policy's quorum; every set does where it asks for none."""
        return self.quorum is None or self._witnessed(self.quorum, names)

    def _witnessed(self, name: str, times: Container[str]) -> bool:
        group = self.groups.get(name)
        if group is None:
            return name in times
        return sum(self._witnessed(member, times) for member in group.members) >= group.threshold


class _Reader:
    """Parses a policy line by line; a name must be defined before its use."""

    def __init__(self) -> None:
        self._logs: list[Party] = []
        self._witnesses: dict[str, Party] = {}
        self._groups: dict[str, Group] = {}
        self._quorums: list[str | None] = []

    def read(self, items: list[str]) -> None:
        readers: dict[str, Callable[[list[str]], None]] = {
            "log": self._log,
            "witness": self._witness,
            "group": self._group,
            "quorum": self._quorum,
        }
        if items[0] not in readers:
            raise UnreadableText("policy", f"unknown line {items[0][:30]!r}")
        readers[items[0]](items[1:])

    def policy(self) -> Policy:
        if len(self._quorums) != 1:
            raise UnreadableText("policy", f"{len(self._quorums)} quorum lines instead of one")
        return Policy(tuple(self._logs), self._witnesses, self._groups, self._quorums[0])

    def _log(self, items: list[str]) -> None:
        _count("log", items, 1, 2)
        self._logs.append(_party(items, ED25519, self._logs))

    def _witness(self, items: list[str]) -> None:
        _count("witness", items, 2, 3)
        self._check_new(items[0])
        self._witnesses[items[0]] = _party(items[1:], COSIGNATURE, list(self._witnesses.values()))

    def _group(self, items: list[str]) -> None:
        _count("group", items, 3, 1000)
        name, threshold, *members = items
        self._check_new(name)
        for member in members:
            self._check_known(member)
        used = [member for group in self._groups.values() for member in group.members]
        if len({*used, *members}) != len(used) + len(members):
            raise UnreadableText("policy", f"a member of group {name!r} is listed twice")
        needed = {"any": 1, "all": len(members)}.get(threshold) or from_decimal(threshold, "policy threshold")
        if not 1 <= needed <= len(members):
            raise UnreadableText("policy", f"group {name!r} needs {needed} of {len(members)}")
        self._groups[name] = Group(needed, tuple(members))

    def _quorum(self, items: list[str]) -> None:
        _count("quorum", items, 1, 1)
        if items[0] != "none":
            self._check_known(items[0])
        self._quorums.append(None if items[0] == "none" else items[0])

    def _check_new(self, name: str) -> None:
        if name == "none" or name in self._witnesses or name in self._groups:
            raise UnreadableText("policy", f"the name {name!r} is taken")

    def _check_known(self, name: str) -> None:
        if name not in self._witnesses and name not in self._groups:
            raise UnreadableText("policy", f"the name {name!r} is used before it is defined")


def _count(what: str, items: list[str], least: int, most: int) -> None:
    if not least <= len(items) <= most:
        raise UnreadableText("policy", f"a {what} line with {len(items)} items")


def _party(items: list[str], kind: int, others: list[Party]) -> Party:
    key = VerifierKey.parse(items[0])
    if key.kind != kind:
        raise UnreadableText("policy", f"the key of {key.name} is not of kind {kind:02x}")
    if any(key.public == other.key.public for other in others):
        raise UnreadableText("policy", f"the key of {key.name} is listed twice")
    return Party(key, items[1] if len(items) > 1 else None)
