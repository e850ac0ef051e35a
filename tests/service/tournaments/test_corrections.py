"""A tournament that was closed is corrected by a ruling, which issues another archive and says which holds."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from click.testing import CliRunner
from flask import Flask

from deploy.cli import main
from events.event import START, Event, EventDraft, compose, received
from events.json_types import JsonObject
from events.log.bundle import Bundle
from projections.verify.archive import ArchiveReport, pack, unpack, verify_archive
from projections.verify.bundle import INVALID
from projections.verify.editions import editions_known
from tests.service.conftest import Environ
from tests.service.tournaments.test_archives import changed, judged, said_by
from tests.service.tournaments.test_rated import PAIRS, give_up
from tests.support.service.players import answer, problem
from tests.support.service.running_service import keep
from tests.support.service.tournament_fixture import Hall

Change = Callable[[list[Event]], Sequence[tuple[Event, JsonObject]]]
SWISS = {"format": "swiss", "rounds": 1, "sizes": [3]}
TURNED: dict[str, Any] = {
    "round": 1,
    "table": 1,
    "points": [1, 2, 3],
    "places": [3, 2, 1],
    "reason": "Read upside down",
}


def played(app: Flask) -> Hall:
    """A tournament of three bots, closed."""
    hall = Hall(app, [SWISS], bots="random").open(bots=3)
    hall.direct("stages")
    hall.round()
    hall.direct("stages/current/closing")
    hall.direct("closing")
    return hall


@pytest.fixture(scope="module")
def closed(app: Flask) -> Hall:
    """A tournament without corrections."""
    return played(app)


@pytest.fixture(scope="module")
def corrected(app: Flask) -> tuple[Hall, bytes]:
    """A tournament that is corrected twice, and its archive of before."""
    hall = played(app)
    first = archive(hall)
    hall.direct("rulings/result", TURNED)
    hall.direct("rulings/void", {"round": 1, "table": 1, "reason": "The box was incomplete"})
    return hall, first


def archive(hall: Hall, edition: int | None = None) -> bytes:
    response = hall.client.get(f"{hall.path}/archive", query_string={} if edition is None else {"edition": edition})
    assert response.status_code == 200
    return bytes(response.data)


def editions(hall: Hall) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hall.read("archives")["archives"]
    return found


def test_before_the_end_there_is_no_edition(app: Flask) -> None:
    hall = Hall(app, [SWISS]).open()
    assert (editions(hall), hall.read()["edition"]) == ([], None)


def test_a_correction_turns_the_standings_and_issues_an_edition(app: Flask) -> None:
    hall = played(app)
    result = hall.read("rounds/1")["tables"][0]["result"]
    before, end = hall.read("standings"), hall.read()
    places = [4 - place for place in result["places"]]
    hall.direct("rulings/result", {**TURNED, "places": places})
    after = hall.read("standings")
    assert after["lines"][0]["player"] == before["lines"][-1]["player"]
    assert (hall.read()["status"], hall.read()["edition"]) == ("finished", 2)
    ruling, event = hall.read("events", limit=500)["events"][-2:]
    order = [after["people"][line["player"]]["entrant"] for line in after["lines"]]
    assert event["data"] == {
        "edition": 2, "ruling": ruling["seq"], "of": end["version"], "head": end["head"], "order": order
    }  # fmt: skip


def test_the_list_of_archives_tells_which_holds_and_why(corrected: tuple[Hall, bytes]) -> None:
    hall, _ = corrected
    found = editions(hall)
    assert [(one["edition"], one["holds"], one["reason"]) for one in found] == [
        (1, False, None),
        (2, False, "Read upside down"),
        (3, True, "The box was incomplete"),
    ]
    assert (found[-1]["version"], found[-1]["head"]) == (hall.read()["version"], hall.read()["head"])
    assert [one["by"] and one["by"]["id"] for one in found] == [None, hall.host.id, hall.host.id]


def test_every_edition_verifies_and_the_old_ones_stay_what_they_were(corrected: tuple[Hall, bytes]) -> None:
    hall, first = corrected
    for edition in (1, 2, 3):
        assert verify_archive(archive(hall, edition), None).verdict != INVALID
    assert verify_archive(first, None).verdict != INVALID
    assert archive(hall, 1) == first
    assert archive(hall) == archive(hall, 3) != archive(hall, 2)
    assert problem(answer(hall.client.get(f"{hall.path}/archive?edition=4"), 404)) == "not_there"


def test_a_disqualification_after_the_end_is_a_correction_too(app: Flask) -> None:
    hall = played(app)
    winner = hall.read("standings")["lines"][0]["player"]
    entrant = hall.read("standings")["people"][winner]["entrant"]
    hall.direct("rulings/disqualification", {"entrant": entrant, "reason": "Two accounts"})
    assert hall.read("standings")["lines"][-1]["player"] == winner
    assert editions(hall)[-1]["reason"] == "Two accounts"
    assert verify_archive(archive(hall), None).verdict != INVALID


def test_only_directors_correct_and_only_results(closed: Hall) -> None:
    hall, at = closed, {"round": 1, "table": 1, "reason": "Because"}
    assert hall.direct("rulings/time", {**at, "entrant": 1, "seconds": 5}, 409)["type"]
    assert hall.direct("rulings/substitution", {**at, "entrant": 1, "by": 2}, 409)["type"]
    other = Hall(hall.app, [SWISS]).host
    assert problem(other.post(f"{hall.path}/rulings/void", at, 403)) == "not_allowed"
    assert problem(hall.direct("rulings/void", {"round": 1, "table": 1}, 422)) == "invalid_request"
    assert [one["edition"] for one in editions(hall)] == [1]


def test_a_cancelled_tournament_is_not_corrected(app: Flask) -> None:
    hall = Hall(app, [SWISS], bots="random").open(bots=3)
    hall.direct("stages")
    hall.round()
    hall.direct("cancellation", {"reason": "Storm"})
    assert problem(hall.direct("rulings/result", TURNED, 409)) == "not_at_this_stage"
    assert [one["holds"] for one in editions(hall)] == [True]


def test_the_stream_of_a_corrected_tournament_ends(corrected: tuple[Hall, bytes]) -> None:
    hall, _ = corrected
    followed = hall.client.get(f"{hall.path}/events?after=0", headers={"Accept": "application/x-ndjson"})
    assert "tournament_corrected" in [line for line in followed.text.splitlines() if line][-2]


def cut(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
    """All but the last edition."""
    return [(event, event.data) for event in events[:-1]]


def twice(events: list[Event]) -> Sequence[tuple[Event, JsonObject]]:
    """A second ruling before the edition."""
    return [(event, event.data) for event in (*events[:-1], events[-2], events[-1])]


def forged(data: bytes, change: Change) -> bytes:
    """A bundle changed by a forger, with a new chain and new hashes in all references."""
    bundle = Bundle.read(data)
    events = [received(body) for body in bundle.events]
    known, made, head = {event.hash.hex(): event.seq for event in events}, list[Event](), START
    for event, said in change(events):
        at = known.get(str(said.get("head", "")))
        named = said if at is None or at > len(made) else {**said, "head": made[at - 1].hash.hex()}
        draft = EventDraft(event.kind, named, event.actor, event.at, event.rules)
        made.append(compose(bundle.stream, head, draft, event.salt))
        head = made[-1].head
    return Bundle(bundle.stream, tuple(event.body for event in made)).encode()


FORGERIES: dict[str, tuple[Change, str]] = {
    "an edition left out": (changed("tournament_corrected", 1, edition=4), "correction"),
    "another edition before": (changed("tournament_corrected", 0, of=1), "correction"),
    "another hash before": (changed("tournament_corrected", 0, head="ab" * 32), "correction"),
    "another ruling": (changed("tournament_corrected", 0, ruling=1), "correction"),
    "another order": (changed("tournament_corrected", 0, order=[3]), "standings"),
    "a ruling without an edition": (cut, "correction"),
    "two rulings and one edition": (twice, "correction"),
    "a correction by another player": (said_by("table_voided", 0, "somebody-else"), "after_the_end"),
    "a correction by the service": (said_by("tournament_corrected", 0, "service"), "after_the_end"),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_correction_is_named(name: str, corrected: tuple[Hall, bytes]) -> None:
    hall, _ = corrected
    change, reason = FORGERIES[name]
    files, stream = dict(unpack(archive(hall)).games), UUID(hall.id)
    assert judged({**files, stream: forged(files[stream], change)}, stream) == ("failed", reason)
    assert verify_archive(pack(files.items()), None).verdict != INVALID


def v12(report: ArchiveReport) -> list[str]:
    """Returns the reasons of what V12 did not prove."""
    answers = (answer for _, game in report.games for answer in game.answers if answer.code == "V12")
    return [finding.reason for answer in answers for finding in answer.findings]


def test_a_replaced_archive_says_so_when_the_newer_is_known(corrected: tuple[Hall, bytes], tmp_path: Path) -> None:
    hall, first = corrected
    assert "superseded" not in v12(verify_archive(first, None))
    old, new = tmp_path / "old.zip", tmp_path / "new.zip"
    old.write_bytes(first)
    new.write_bytes(archive(hall))
    told = CliRunner().invoke(main, ["verify", str(old), "--newer", str(new)])
    assert (told.exit_code, "edition 1 of the archive was replaced: edition 3 holds" in told.output) == (1, True)
    told = CliRunner().invoke(main, ["verify", str(new), "--newer", str(old)])
    assert "was replaced" not in told.output


def test_the_service_says_of_an_archive_whether_it_was_replaced(corrected: tuple[Hall, bytes]) -> None:
    hall, first = corrected
    for data, replaced in ((first, True), (archive(hall), False)):
        response = hall.client.post("/v1/verify", data=data, content_type="application/zip")
        assert ("edition 1 of the archive was replaced" in response.text) is replaced


def test_the_archive_of_another_tournament_is_no_newer_one(corrected: tuple[Hall, bytes], closed: Hall) -> None:
    _, first = corrected
    other = unpack(archive(closed)).games
    report = verify_archive(first, None, lambda contents: editions_known(contents.games, other))
    assert report.refused is not None


def test_the_ratings_of_a_corrected_tournament_are_recomputed(app: Flask, environ: Environ) -> None:
    hall = Hall(app, [PAIRS], rated=True, leaver="forfeit").open(people=2)
    hall.direct("stages")
    hall.start()
    give_up(hall, hall.games()[0], hall.people)
    hall.keep()
    hall.direct("rounds/current/closing")
    hall.direct("stages/current/closing")
    hall.direct("closing")
    keep(environ)
    first = unpack(archive(hall))
    hall.direct("rulings/result", {**TURNED, "points": [1, 2], "places": [1, 2]})
    keep(environ)
    second = unpack(archive(hall))
    (before,), (after,) = first.ratings, second.ratings
    assert (after.hash, after.ratings) == (before.hash, before.ratings)  # a ruling changes the rating of no game
    report = verify_archive(archive(hall), None)
    assert report.refused is None
    assert [game.failure for _, game in report.games] == [None, None]
