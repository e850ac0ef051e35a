"""Writes the export of an account: a zip file with a file of JSON for each kind of stored thing, and a README.

A part holds a bounded number of rows and is made within a bounded time; what is left follows in the next part. The
rows are written to a temporary file as they are read, so that neither memory nor a connection waits for the client.
"""

import json
import re
import tempfile
import time
import zipfile
from collections.abc import Iterator
from contextlib import closing
from typing import IO, Final, NamedTuple
from uuid import UUID

from events.messages import Message
from projections.read_models.projector import statuses
from service.container import Container
from service.core.clock import iso_time
from service.core.errors import InvalidRequest
from service.players.commands.confirmation import check_confirmed
from service.players.export.activity_kinds import ACTS
from service.players.export.capacity import MOST_ROWS, MOST_SECONDS
from service.players.export.kind import ExportKind, PlacedRow
from service.players.export.kinds import KINDS
from service.players.export.readme import README, readme
from service.players.identity import Identity

FORMAT: Final = "cabildo/export/v1"
MEDIA_TYPE: Final = "application/zip"
FILE_NAME: Final = "cabildo-account.zip"
MANIFEST: Final = "export.json"
IN_MEMORY: Final = 2**20  # bytes; a larger archive is written to a temporary file
NUMBER: Final = re.compile(r"([0-9]{1,15})?")
ACT: Final = re.compile(r"([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\.[0-9]{1,15})?")  # a stream and an event
Kinds = tuple[ExportKind, ...]
ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class ExportPart(NamedTuple):
    """A part of an export: the file at its beginning, its length, and where the next part begins."""

    file: IO[bytes]
    size: int
    next: str | None


class PartBudget:
    """What a part may still hold."""

    def __init__(self, rows: int, seconds: float) -> None:
        self._rows = rows
        self._until = time.monotonic() + seconds

    def take(self) -> None:
        """Counts a row."""
        self._rows -= 1

    @property
    def is_spent(self) -> bool:
        """Returns whether the part ends here."""
        return self._rows <= 0 or time.monotonic() > self._until


def export_account(here: Container, client: Identity, after: str | None) -> ExportPart:
    """Returns a part of everything stored of the client. Writes nothing to the database.

    Raises ConfirmationRequired, InvalidRequest for a place that no part named, ServiceBusy.
    """
    kinds, place = _begin(after)
    with here.stores.pool.connection() as connection:
        check_confirmed(connection, here.now(), client)
    with here.exports.passed():
        return write_part(here, client.player, kinds, place, PartBudget(MOST_ROWS, MOST_SECONDS))


def write_part(here: Container, player: UUID, kinds: Kinds, place: str, budget: PartBudget) -> ExportPart:
    """Writes the rows of these kinds after a place of the first one, until the budget is spent."""
    file: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115 - the caller sends and closes it
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(README, readme(KINDS))
        counts, following = _write_kinds(archive, here, player, kinds, place, budget)
        manifest = {
            "format": FORMAT,
            "player": str(player),
            "service": here.settings.public_url,
            "made": iso_time(here.now()),
            "began": f"{kinds[0].name}:{place}" if place or kinds != KINDS else None,
            "next": following,
            "rows": counts,
            "behind": _behind(here),
        }
        archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
    size = file.tell()
    file.seek(0)
    return ExportPart(file, size, following)


def _behind(here: Container) -> int:
    """Returns how many events of the log are missing in the read model that is furthest behind."""
    with here.stores.pool.connection() as connection:
        return max((status.behind for status in statuses(connection) if not status.shadow), default=0)


def _write_kinds(
    archive: zipfile.ZipFile, here: Container, player: UUID, kinds: Kinds, place: str, budget: PartBudget
) -> tuple[dict[str, int], str | None]:
    """Writes a file for each kind. Returns the numbers of rows, and where the next part begins."""
    counts: dict[str, int] = {}
    for kind in kinds:
        if counts and budget.is_spent:
            return counts, f"{kind.name}:"
        with closing(kind.read(here, player, "" if counts else place)) as rows:
            counts[kind.name], last = _write_rows(archive, kind.name, rows, budget)
        if last is not None:
            return counts, f"{kind.name}:{last}"
    return counts, None


def _write_rows(
    archive: zipfile.ZipFile, name: str, rows: Iterator[PlacedRow], budget: PartBudget
) -> tuple[int, str | None]:
    """Writes a file of rows, one in a line. Returns their number, and the last place when the budget was spent."""
    written = 0
    with archive.open(f"{name}.json", "w", force_zip64=True) as file:
        file.write(b"[")
        for place, row in rows:
            file.write((b",\n" if written else b"\n") + ENCODER.encode(row).encode())
            written += 1
            budget.take()
            if budget.is_spent:
                file.write(b"\n]\n")
                return written, place
        file.write(b"\n]\n")
    return written, None


def _begin(after: str | None) -> tuple[Kinds, str]:
    """Returns the kinds that a part begins with, and the place in the first of them. Raises InvalidRequest."""
    if not after:
        return KINDS, ""
    name, _, place = after.partition(":")
    names = [kind.name for kind in KINDS]
    if name not in names or not (ACT if name == ACTS else NUMBER).fullmatch(place):
        raise InvalidRequest({"query": {"after": [Message("is not a cursor of an earlier answer")]}})
    return KINDS[names.index(name) :], place
