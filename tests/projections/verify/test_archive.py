"""Archives: every game is examined, and nothing can be left out, put in or exchanged beside the manifest."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from uuid import UUID

import pytest

from projections.verify.archive import MAGIC, pack, unpack, verify_archive
from projections.verify.bundle import INVALID, REMARKS, VALID
from tests.support.projections.bundles import GAME, POLICY, SEED, bundle_of, chained, drafts, honest
from tests.support.projections.forgeries import FORGERIES

OTHER = UUID("00000000-0000-4000-8000-000000000002")


def declared(stream: UUID) -> bytes:
    """A game of another stream; its seed is declared beforehand, so that nothing is bound to an id."""
    made = drafts(0)
    opening = made[0]._replace(data={**made[0].data, "commitment": None, "seed": SEED.hex()})
    seats = [seat._replace(data={**seat.data, "echo": None}) for seat in made[1:3]]
    return bundle_of(chained([opening, *seats, *made[3:]], stream), ()).encode()


TWO = ((GAME, honest().encode()), (OTHER, declared(OTHER)))


def test_archives_round_trip_and_are_the_same_for_the_same_games() -> None:
    assert list(unpack(pack(TWO)).games.items()) == sorted(TWO)
    assert pack(TWO) == pack(TWO[::-1])
    assert pack(TWO).startswith(MAGIC)


def test_every_game_is_examined_by_itself() -> None:
    report = verify_archive(pack(TWO), POLICY)
    assert [game.verdict for _, game in report.games] == [VALID, VALID]
    assert (report.verdict, report.exit_status) == (VALID, 0)
    doubtful = replace(honest(), proof=None, barriers=(), growth=()).encode()
    report = verify_archive(pack((TWO[1], (GAME, doubtful))), POLICY)
    assert (report.verdict, report.exit_status) == (REMARKS, 1)
    assert verify_archive(pack(TWO[:1]), POLICY).exit_status == 0
    forged = next(forgery for forgery in FORGERIES if forgery.found_by == "V4")
    mixed = verify_archive(pack((TWO[1], (GAME, forged.make()))), POLICY)
    assert (mixed.verdict, mixed.exit_status) == (INVALID, 14)


def test_a_bundle_of_another_game_is_refused() -> None:
    report = verify_archive(pack([(OTHER, honest().encode())]), POLICY)
    ((_, game),) = report.games
    assert game.failure is not None
    assert (game.failure.code, game.failure.reason) == ("V1", "other_game")


def test_an_archive_of_nothing_is_refused() -> None:
    is_refused(pack([]))


Files = dict[str, bytes]


def without_a_game(files: Files) -> None:
    del files[f"{OTHER}.bundle.json"]


def with_a_game_more(files: Files) -> None:
    files[f"{UUID(int=9)}.bundle.json"] = b"{}"


def exchanged(files: Files) -> None:
    files[f"{GAME}.bundle.json"] = replace(honest(), receipts=(), receipt_keys=()).encode()


def without_manifest(files: Files) -> None:
    del files["archive.json"]


def spaced_manifest(files: Files) -> None:
    files["archive.json"] += b" "


def listed_twice(files: Files) -> None:
    files["archive.json"] = files["archive.json"].replace(str(OTHER).encode(), str(GAME).encode())


@pytest.mark.parametrize(
    "change", [without_a_game, with_a_game_more, exchanged, without_manifest, spaced_manifest, listed_twice]
)
def test_an_archive_beside_its_manifest_is_refused(change: Callable[[Files], None]) -> None:
    with zipfile.ZipFile(io.BytesIO(pack(TWO))) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    change(files)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    is_refused(packed.getvalue())


def is_refused(data: bytes) -> None:
    report = verify_archive(data, POLICY)
    assert (report.verdict, report.exit_status, report.games) == (INVALID, 11, ())
    assert report.refused


@pytest.mark.parametrize("method", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_files_are_stored_or_deflated(method: int) -> None:
    """Other decoders raise errors of their own, and one allocates as much memory as the file asks for."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("archive.json", b"{}")
    for at in range(30, 80):
        data = bytearray(packed.getvalue())
        data[at] ^= 0xFF
        is_refused(bytes(data))


def test_an_offset_beyond_anything_is_refused() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        listed = zipfile.ZipInfo("archive.json")
        archive.writestr(listed, b"{}")
        listed.header_offset = 2**64 - 1
    is_refused(packed.getvalue())


def test_a_damaged_archive_is_never_a_traceback() -> None:
    whole = pack(TWO)
    for at in range(0, len(whole), 31):
        data = bytearray(whole)
        data[at] ^= 0xFF
        report = verify_archive(bytes(data), POLICY)
        untouched = not report.refused and unpack(bytes(data)) == unpack(whole)  # a date in the zip file says nothing
        assert report.verdict == (VALID if untouched else INVALID)
        assert verify_archive(whole[:at], POLICY).exit_status == 11
