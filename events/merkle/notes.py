"""Signed notes and their keys (C2SP signed-note, tlog-cosignature)."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from events.merkle.curve import check_public_key
from events.merkle.errors import BadKey, UnreadableText, UnverifiedNote
from events.merkle.text import from_base64, to_base64

ED25519 = 0x01
COSIGNATURE = 0x04  # Ed25519 over the time and the text
KINDS = (ED25519, COSIGNATURE)

MAX_NOTE = 1_000_000
MAX_SIGNATURES = 100
_DASH = "\u2014 "


class Signature(NamedTuple):
    """One signature line: the key's name and id, and the signature bytes."""

    name: str
    key_id: bytes
    data: bytes

    @property
    def line(self) -> str:
        return f"{_DASH}{self.name} {to_base64(self.key_id + self.data)}\n"


@dataclass(frozen=True)
class VerifierKey:
    """A public key with the name under which it signs."""

    name: str
    kind: int
    public: bytes
    _key: Ed25519PublicKey = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_name(self.name)
        if self.kind not in KINDS:
            raise BadKey(f"the key of {self.name} is of kind {self.kind:02x}, which is not known here")
        check_public_key(self.public)
        object.__setattr__(self, "_key", Ed25519PublicKey.from_public_bytes(self.public))

    @cached_property
    def key_id(self) -> bytes:
        return sha256(self.name.encode() + b"\n" + bytes([self.kind]) + self.public).digest()[:4]

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{to_base64(bytes([self.kind]) + self.public)}"

    @classmethod
    def parse(cls, text: str) -> "VerifierKey":
        """Parses `name+id+key`; raises BadKey when the id is not the key's."""
        name, _, rest = text.partition("+")
        key_id, _, encoded = rest.partition("+")
        try:
            data = from_base64(encoded, "verifier key", 33)
        except UnreadableText as error:
            raise BadKey(str(error)) from error
        key = cls(name, data[0], data[1:])
        if key_id != key.key_id.hex():
            raise BadKey(f"the key of {name} has the id {key.key_id.hex()}, not {key_id[:20]!r}")
        return key

    def owns(self, signature: Signature) -> bool:
        """Returns whether the line names this key."""
        return signature.name == self.name and signature.key_id == self.key_id

    def verify(self, text: str, signature: Signature) -> bool:
        """Returns whether the line is a valid signature of the text."""
        head = 8 if self.kind == COSIGNATURE else 0
        stamp, data = signature.data[:head], signature.data[head:]
        if not self.owns(signature) or len(stamp) != head or len(data) != 64:
            return False
        try:
            self._key.verify(data, _message(self.kind, text, stamp))
        except InvalidSignature:
            return False
        return True


@dataclass(frozen=True)
class SigningKey:
    """A private key with the name under which it signs."""

    name: str
    kind: int
    _key: Ed25519PrivateKey = field(repr=False)

    @classmethod
    def generate(cls, name: str, kind: int = ED25519) -> "SigningKey":
        """Returns a fresh key."""
        return cls(name, kind, Ed25519PrivateKey.generate())

    @classmethod
    def from_seed(cls, name: str, seed: bytes, kind: int = ED25519) -> "SigningKey":
        """Returns the key of 32 secret bytes."""
        return cls(name, kind, Ed25519PrivateKey.from_private_bytes(seed))

    @classmethod
    def parse(cls, text: str) -> "SigningKey":
        """Parses `PRIVATE+KEY+name+id+key`."""
        parts = text.strip().split("+", 4)
        if len(parts) != 5 or parts[:2] != ["PRIVATE", "KEY"]:
            raise BadKey("this is not a signing key")
        try:
            data = from_base64(parts[4], "signing key", 33)
        except UnreadableText as error:
            raise BadKey(str(error)) from error
        key = cls.from_seed(parts[2], data[1:], data[0])
        if parts[3] != key.verifier.key_id.hex():
            raise BadKey(f"the signing key of {key.name} has the id {key.verifier.key_id.hex()}")
        return key

    def secret(self) -> str:
        """Returns the key in the form of a key file."""
        data = to_base64(bytes([self.kind]) + self._key.private_bytes_raw())
        return f"PRIVATE+KEY+{self.name}+{self.verifier.key_id.hex()}+{data}"

    @cached_property
    def verifier(self) -> VerifierKey:
        """The public half."""
        return VerifierKey(self.name, self.kind, self._key.public_key().public_bytes_raw())

    def sign(self, text: str, time: int = 0) -> Signature:
        """Signs the text; a cosignature also states the time in POSIX seconds."""
        stamp = time.to_bytes(8, "big") if self.kind == COSIGNATURE else b""
        data = stamp + self._key.sign(_message(self.kind, text, stamp))
        return Signature(self.name, self.verifier.key_id, data)


def _message(kind: int, text: str, stamp: bytes) -> bytes:
    if kind == COSIGNATURE:
        return f"cosignature/v1\ntime {int.from_bytes(stamp, 'big')}\n{text}".encode()
    return text.encode()


def cosigned_at(signature: Signature) -> int:
    """Returns the POSIX seconds a cosignature states."""
    return int.from_bytes(signature.data[:8], "big")


@dataclass(frozen=True)
class Note:
    """A text and the signatures below it, not verified yet."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(signature.line for signature in self.signatures)

    @classmethod
    def parse(cls, data: bytes) -> "Note":
        """Parses a note; raises UnreadableText for any other form."""
        text, separator, below = _text_of(data).rpartition("\n\n")
        if not separator or not below.endswith("\n"):
            raise UnreadableText("note", "no signatures below an empty line")
        lines = below[:-1].split("\n")
        if len(lines) > MAX_SIGNATURES:
            raise UnreadableText("note", f"more than {MAX_SIGNATURES} signatures")
        return cls(text + "\n", tuple(read_signature(line) for line in lines))

    def verified(self, keys: Iterable[VerifierKey]) -> tuple[tuple[VerifierKey, Signature], ...]:
        """Returns the known keys that signed the text; raises UnverifiedNote for a false signature of one."""
        found: dict[VerifierKey, Signature] = {}
        for key in keys:
            for signature in filter(key.owns, self.signatures):
                if not key.verify(self.text, signature):
                    raise UnverifiedNote(f"the signature of {key.name} is false")
                found.setdefault(key, signature)
        return tuple(found.items())


def _text_of(data: bytes) -> str:
    if len(data) > MAX_NOTE:
        raise UnreadableText("note", f"longer than {MAX_NOTE} bytes")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UnreadableText("note", "not UTF-8") from error
    if any(char < " " and char != "\n" for char in text):
        raise UnreadableText("note", "a control character")
    return text


def read_signature(line: str) -> Signature:
    """Parses one signature line, without its line feed."""
    name, _, encoded = line.removeprefix(_DASH).partition(" ")
    if not line.startswith(_DASH):
        raise UnreadableText("note", "a signature line without its dash")
    data = from_base64(encoded, "note signature")
    if len(data) < 5:
        raise UnreadableText("note", "a signature line without a signature")
    try:
        check_name(name)
    except BadKey as error:
        raise UnreadableText("note", str(error)) from error
    return Signature(name, data[:4], data[4:])


def check_name(name: str) -> None:
    """Raises BadKey unless this can be the name of a key."""
    if not name or "+" in name or any(char.isspace() or char < " " for char in name):
        raise BadKey(f"{name[:60]!r} cannot be the name of a key")
