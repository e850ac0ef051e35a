"""An archive: the bundles of a set of games in one zip file, and their verification game by game.

`deploy/docs/bundle.md` specifies it, section 10.
"""

import io
import zipfile
import zlib
from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from events.bundle import LARGEST_BUNDLE
from events.canonical import canonical, read_canonical
from events.errors import CabildoError
from events.json_types import Json
from events.kinds.fields import HASH, UUID_TEXT, Fields, each, first_fault, one_of, record
from events.merkle.errors import UnreadableText
from events.merkle.policy import Policy
from projections.audit import FIRST_EXIT, INVALID, REMARKS, VALID, Report, verify

FORMAT = "cabildo/archive/v1"
MANIFEST = "archive.json"
MAGIC = b"PK\x03\x04"
MOST_GAMES = 10_000
LARGEST_ARCHIVE = 4 * 2**30  # unpacked
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # of the others, one decoder may be told to take gigabytes
DAMAGED = (  # what `zipfile` raises when bytes are no zip file, or a damaged one
    zipfile.BadZipFile,  # no directory, a header of another file, a false checksum
    zlib.error,  # what was deflated does not inflate
    EOFError,  # a file ends before its size
    ValueError,  # an offset before the beginning; UnicodeDecodeError: a name that is not in UTF-8
    OverflowError,  # an offset beyond anything
    RuntimeError,  # an encrypted file; NotImplementedError: a later version of the format
)
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same games make the same file
_FIELDS: Fields = {
    "format": one_of(FORMAT),
    "games": each(record(stream=UUID_TEXT, hash=HASH), MOST_GAMES),
}


def pack(bundles: Iterable[tuple[UUID, bytes]]) -> bytes:
    """The archive of these games' bundles."""
    games = sorted(bundles)
    rows: list[Json] = [{"stream": str(stream), "hash": sha256(data).hexdigest()} for stream, data in games]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(MANIFEST, EPOCH), canonical({"format": FORMAT, "games": rows}))
        for stream, data in games:
            archive.writestr(zipfile.ZipInfo(_name(stream), EPOCH), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def unpack(data: bytes) -> list[tuple[UUID, bytes]]:
    """The bundles of an archive, as its manifest names them; refuses with UnreadableText what is not exactly one."""
    if unpacked_size(data) > LARGEST_ARCHIVE:
        raise UnreadableText("archive", "too large")
    files = _files(data)
    if MANIFEST not in files:
        raise UnreadableText("archive", "no manifest")
    return _listed(files)


def unpacked_size(data: bytes) -> int:
    """How many bytes an archive says it unpacks to; 0 for what is none."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return sum(info.file_size for info in archive.infolist())
    except DAMAGED:
        return 0


def _files(data: bytes) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            infos = archive.infolist()
            if len({info.filename for info in infos}) < len(infos):
                raise UnreadableText("archive", "a file twice")
            if any(info.compress_type not in METHODS for info in infos):
                raise UnreadableText("archive", "a file that is neither stored nor deflated")
            return {info.filename: archive.read(info) for info in infos}
    except DAMAGED as fault:
        raise UnreadableText("archive", f"not a zip file ({fault})") from fault


def _listed(files: dict[str, bytes]) -> list[tuple[UUID, bytes]]:
    manifest = read_canonical(files.pop(MANIFEST), LARGEST_BUNDLE)
    fault = first_fault(_FIELDS, manifest) if isinstance(manifest, dict) else ("it", "is not an object")
    if fault is not None or not isinstance(manifest, dict):
        raise UnreadableText("archive", " ".join(fault or ()))
    rows: list[dict[str, str]] = manifest["games"]
    streams = [UUID(row["stream"]) for row in rows]
    if files.keys() != {_name(stream) for stream in streams} or len(set(streams)) < len(streams):
        raise UnreadableText("archive", "its games are not those of its manifest")
    for stream, row in zip(streams, rows, strict=True):
        if sha256(files[_name(stream)]).hexdigest() != row["hash"]:
            raise UnreadableText("archive", f"game {stream} is not the one of the manifest")
    return [(stream, files[_name(stream)]) for stream in streams]


class ArchiveReport(NamedTuple):
    """What became of each game, or why the archive as such is refused."""

    games: tuple[tuple[UUID, Report], ...]
    refused: str | None = None

    @property
    def exit_status(self) -> int:
        """11 for an archive that is none; else that of the first game that is invalid, or 1 when remarks are left."""
        if self.refused is not None:
            return FIRST_EXIT + 1
        statuses = [report.exit_status for _, report in self.games]
        return next((status for status in statuses if status >= FIRST_EXIT), max(statuses, default=0))

    @property
    def verdict(self) -> str:
        return {0: VALID, 1: REMARKS}.get(self.exit_status, INVALID)

    def document(self, tell: Callable[[str], str] = str) -> dict[str, Json]:
        """The report as JSON; `tell` says a sentence in the language of its reader."""
        return {
            "verdict": self.verdict,
            "exit_status": self.exit_status,
            "refused": self.refused,
            "games": [{"stream": str(stream), **report.document(tell)} for stream, report in self.games],
        }


def verify_archive(data: bytes, policy: Policy | None) -> ArchiveReport:
    """Examine an archive: every game of its manifest, and nothing else, is there; each is verified by itself."""
    try:
        games = unpack(data)
    except CabildoError as fault:
        return ArchiveReport((), str(fault))
    whole = dict(games)
    return ArchiveReport(tuple((stream, verify(bundle, policy, stream, whole)) for stream, bundle in games))


def _name(stream: UUID) -> str:
    return f"{stream}.bundle.json"
