"""Archives: a zip file of the bundles of several games and a tournament's ratings, and its verification.

`deploy/docs/archive.md` specifies it.
"""

import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

from events.canonical import canonical, read_canonical
from events.errors import CabildoError
from events.json_types import Json
from events.kinds.field_types import HASH, UUID_TEXT, Fields, each, first_fault, one_of, record
from events.log.bundle import LARGEST_BUNDLE
from events.merkle.errors import UnreadableText
from events.merkle.policy import Policy
from projections.ratings.input_files import RatingFile
from projections.ratings.model import POOLS
from projections.verify.bundle import (
    FIRST_EXIT,
    INVALID,
    NOT_APPLICABLE,
    REMARKS,
    UNDECIDED,
    UNDECIDED_EXIT,
    VALID,
    BundleReport,
    verify,
)
from projections.verify.checks.case import Contents

FORMAT = "cabildo/archive/v1"
WITH_RATINGS = "cabildo/archive/v2"
MANIFEST = "archive.json"
MAGIC = b"PK\x03\x04"
MOST_GAMES = 10_000
LARGEST_ARCHIVE = 4 * 2**30  # unpacked
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # other decoders may allocate gigabytes
DAMAGED = (  # raised by `zipfile` for bytes that are no zip file, or a damaged one
    zipfile.BadZipFile,  # no directory, a header of another file, a false checksum
    zlib.error,  # a stream does not inflate
    EOFError,  # a file ends before its size
    ValueError,  # an offset before the beginning; UnicodeDecodeError: a name that is not in UTF-8
    OverflowError,  # an offset beyond anything
    RuntimeError,  # an encrypted file; NotImplementedError: a later version of the format
)
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same games make the same file
_GAMES = each(record(stream=UUID_TEXT, hash=HASH), MOST_GAMES)
_RATINGS = each(record(pool=one_of(*POOLS), hash=HASH), len(POOLS))
_FIELDS: Mapping[str, Fields] = {
    FORMAT: {"format": one_of(FORMAT), "games": _GAMES},
    WITH_RATINGS: {"format": one_of(WITH_RATINGS), "games": _GAMES, "ratings": _RATINGS},
}
Named = tuple[str, Mapping[str, str], bytes]  # a file: name, entry of the manifest, content


def pack(bundles: Iterable[tuple[UUID, bytes]], ratings: Iterable[RatingFile] = ()) -> bytes:
    """Returns the archive of these bundles and rating files."""
    games = [(_name(stream), {"stream": str(stream)}, data) for stream, data in sorted(bundles)]
    pools = [(_name_of(file.pool), {"pool": file.pool}, file.encode()) for file in sorted(ratings)]
    manifest: dict[str, Json] = {"format": WITH_RATINGS if pools else FORMAT, "games": _rows(games)}
    if pools:
        manifest["ratings"] = _rows(pools)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(zipfile.ZipInfo(MANIFEST, EPOCH), canonical(manifest))
        for name, _, data in (*games, *pools):
            archive.writestr(zipfile.ZipInfo(name, EPOCH), data, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def _rows(files: Iterable[Named]) -> list[Json]:
    return [{**called, "hash": sha256(data).hexdigest()} for _, called, data in files]


def unpack(data: bytes) -> Contents:
    """Parses an archive by its manifest; raises UnreadableText."""
    if unpacked_size(data) > LARGEST_ARCHIVE:
        raise UnreadableText("archive", "too large")
    files = _files(data)
    if MANIFEST not in files:
        raise UnreadableText("archive", "no manifest")
    return _listed(files)


def unpacked_size(data: bytes) -> int:
    """Returns the unpacked size that an archive states; 0 for bytes that are no archive."""
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


def _listed(files: dict[str, bytes]) -> Contents:
    manifest = _manifest(files.pop(MANIFEST))
    games = [(UUID(row["stream"]), row["hash"]) for row in manifest["games"]]
    pools = [(row["pool"], row["hash"]) for row in manifest.get("ratings", ())]
    hashes = {_name(stream): hash for stream, hash in games} | {_name_of(pool): hash for pool, hash in pools}
    if files.keys() != hashes.keys() or len(hashes) < len(games) + len(pools):
        raise UnreadableText("archive", "its games are not those of its manifest")
    for name, hash in hashes.items():
        if sha256(files[name]).hexdigest() != hash:
            raise UnreadableText("archive", f"{name} is not the one of the manifest")
    ratings = tuple(RatingFile.read(files[_name_of(pool)]) for pool, _ in pools)
    if [file.pool for file in ratings] != [pool for pool, _ in pools]:
        raise UnreadableText("archive", "a file of ratings is of another pool")
    return Contents({stream: files[_name(stream)] for stream, _ in games}, ratings)


def _manifest(raw: bytes) -> Any:
    manifest = read_canonical(raw, LARGEST_BUNDLE)
    fault: tuple[str, str] | None = ("it", "is not an object")
    if isinstance(manifest, dict):
        form = WITH_RATINGS if manifest.get("format") == WITH_RATINGS else FORMAT
        fault = first_fault(_FIELDS[form], manifest)
    if fault is not None:
        raise UnreadableText("archive", " ".join(fault))
    return manifest


class ArchiveReport(NamedTuple):
    """The report of each game, or the reason why the archive is refused."""

    games: tuple[tuple[UUID, BundleReport], ...]
    refused: str | None = None

    @property
    def exit_status(self) -> int:
        """The status of the first invalid game, else the gravest of all, or 11 for an unreadable archive."""
        if self.refused is not None:
            return FIRST_EXIT + 1
        statuses = [report.exit_status for _, report in self.games]
        failed = (report.exit_status for _, report in self.games if report.failure)
        return next(failed, max(statuses, default=FIRST_EXIT + 1))

    @property
    def verdict(self) -> str:
        return {0: VALID, 1: REMARKS, UNDECIDED_EXIT: UNDECIDED}.get(self.exit_status, INVALID)

    def document(self, tell: Callable[[str], str] = str) -> dict[str, Json]:
        """Returns the report as JSON; `tell` translates a sentence for the reader."""
        return {
            "verdict": self.verdict,
            "exit_status": self.exit_status,
            "refused": self.refused,
            "games": [{"stream": str(stream), **report.document(tell)} for stream, report in self.games],
        }


def verify_archive(
    data: bytes, policy: Policy | None, known: Callable[[Contents], int] = lambda _contents: 0
) -> ArchiveReport:
    """Verifies that an archive holds exactly the games of its manifest, and verifies each game.

    `known` returns the number of editions that the caller knows; a replaced edition yields a remark.
    """
    try:
        contents = unpack(data)
        contents = contents._replace(editions=known(contents))
    except CabildoError as fault:
        return ArchiveReport((), str(fault))
    if not contents.games:
        return ArchiveReport((), "it holds no games")
    reports = tuple((stream, verify(data, policy, stream, contents)) for stream, data in contents.games.items())
    if contents.ratings and not any(_judges_ratings(report) for _, report in reports):
        return ArchiveReport(reports, "there is no tournament that the ratings are of")
    return ArchiveReport(reports)


def _judges_ratings(report: BundleReport) -> bool:
    return any(answer.code == "V12" and answer.status != NOT_APPLICABLE for answer in report.answers)


def _name(stream: UUID) -> str:
    return f"{stream}.bundle.json"


def _name_of(pool: str) -> str:
    return f"{pool}.ratings.json"
