"""Bundles over HTTP: what is handed out verifies at home, and the service judges what it is shown."""

import base64
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from uuid import UUID

import pytest
from cabildo_client import verify_standalone
from click.testing import CliRunner
from flask.testing import FlaskClient

from deploy.cli import main
from events.event import Event, received
from events.log.bundle import Bundle
from events.log.receipts import open_receipt, vouched_keys
from events.log.sequencer import sequence_once
from events.merkle.checkpoint import Checkpoint
from events.merkle.policy import Policy
from events.store.connections import connect
from events.store.postgres import write
from projections.verify.archive import pack, verify_archive
from projections.verify.bundle import verify
from service import settings as config
from service.proof.judgement import LARGEST_HERE
from tests.support.projections.bundles import GAME
from tests.support.projections.played_games import played
from tests.support.service.players import two_at_a_table
from workers.keeper.log import PublishLog, SealLog

LOG_KEY = {"CABILDO_LOG_KEY": base64.b64encode(bytes(range(32))).decode()}


def keep(environ: dict[str, str], batches: Sequence[Sequence[Event]]) -> None:
    """Write batches of events, each sealed and published before the next."""
    settings = config.load(environ)
    with connect(environ["DATABASE_URL"]) as connection:
        for batch in batches:
            if batch:
                write(connection, batch, None, b"", ())
            sequence_once(connection)
            SealLog(settings, environ | LOG_KEY)(connection)
            PublishLog(settings, environ | LOG_KEY)(connection)


def batches(events: Sequence[Event]) -> list[Sequence[Event]]:
    closing = next(event.seq for event in events if event.kind == "commitments_closed")
    return [events[:closing], events[closing:]]


@pytest.fixture
def sealed(environ: dict[str, str]) -> None:
    keep(environ, batches(played()))


def policy_of(client: FlaskClient) -> Policy:
    return Policy.parse(client.get("/log/policy").data)


@pytest.mark.usefixtures("sealed")
def test_the_bundle_of_a_game_verifies_offline(client: FlaskClient) -> None:
    answer = client.get(f"/v1/games/{GAME}/bundle")
    assert answer.status_code == 200
    assert f"{GAME}.bundle.json" in answer.headers["Content-Disposition"]
    report = verify(answer.data, policy_of(client))
    assert report.failure is None
    assert (report.verdict, report.exit_status) == ("valid", 0)
    assert {found.reason for found in report.notes} == {"no_witnesses", "undated", "level", "unsigned"}


def two_at_a_table_after(environ: dict[str, str], client: FlaskClient) -> str:
    """A game that starts when the log has been published before, and is sealed then."""
    game, first, _ = two_at_a_table(client, start_player=0)
    first.move(game, "play create_2")
    keep(environ, [()])
    return game


@pytest.mark.usefixtures("sealed")
def test_a_game_names_the_tree_that_was_public_when_it_began(client: FlaskClient, environ: dict[str, str]) -> None:
    game = two_at_a_table_after(environ, client)
    made = Bundle.read(client.get(f"/v1/games/{game}/bundle").data)
    (root,) = made.roots
    started = received(made.events[root.seq - 1])
    tree = Checkpoint.parse(root.checkpoint.text)
    assert (started.kind, started.data["after"]) == ("game_started", {"size": tree.size, "root": tree.root.hex()})
    report = verify(made.encode(), policy_of(client))
    assert report.failure is None
    assert "undated" not in [found.reason for found in report.remarks]
    forged = replace(made, roots=(root._replace(seq=1),))
    failure = verify(forged.encode(), policy_of(client)).failure
    assert failure is not None
    assert (failure.code, failure.reason, failure.seq) == ("V4", "root", 1)


@pytest.mark.usefixtures("sealed")
def test_a_bundle_made_later_shows_the_first_seal(client: FlaskClient, environ: dict[str, str]) -> None:
    """The witnesses of the first checkpoint with the last event tell best when it happened."""
    earlier = Bundle.read(client.get(f"/v1/games/{GAME}/bundle").data)
    two_at_a_table_after(environ, client)
    later = Bundle.read(data := client.get(f"/v1/games/{GAME}/bundle").data)
    assert earlier.proof is not None
    first = later.barriers[-1]
    assert (first.seq, first.proof.checkpoint.text) == (len(later.events), earlier.proof.checkpoint.text)
    assert verify(data, policy_of(client)).exit_status == 0
    other = verify_standalone.verify(data, verify_standalone.LogPolicy(client.get("/log/policy").data))
    assert other["failed"] is None


@pytest.mark.usefixtures("sealed")
def test_a_bundle_carries_the_services_word_for_its_newest_event(client: FlaskClient, environ: dict[str, str]) -> None:
    game, first, _ = two_at_a_table(client, start_player=0)
    first.move(game, "play create_2")
    made = Bundle.read(client.get(f"/v1/games/{game}/bundle").data)
    (note,) = made.receipts
    keys = vouched_keys(made.receipt_keys[0], [log.key for log in policy_of(client).logs])
    promised, last = open_receipt(note, keys), received(made.events[-1])
    assert (str(promised.stream), promised.seq, promised.hash) == (game, last.seq, last.hash)
    assert made.proof is None  # nothing else vouches for it yet


@pytest.mark.usefixtures("sealed")
def test_the_service_judges_a_bundle_byte_by_byte(client: FlaskClient) -> None:
    data = client.get(f"/v1/games/{GAME}/bundle").data
    honest = client.post("/v1/verify", data=data, content_type="application/json")
    assert (honest.status_code, honest.get_json()["verdict"]) == (200, "valid")
    forged = data.replace(b"player-a", b"player-c", 1)
    told = client.post("/v1/verify", data=forged, content_type="application/json").get_json()
    assert (told["verdict"], told["failure"]["code"]) == ("invalid", "V2")
    assert client.post("/v1/verify").get_json()["failure"]["code"] == "V1"


def test_a_game_that_is_not_sealed_yet_says_so(client: FlaskClient, environ: dict[str, str]) -> None:
    with connect(environ["DATABASE_URL"]) as connection:
        write(connection, played(most=10), None, b"", ())
    told = client.post("/v1/verify", data=client.get(f"/v1/games/{GAME}/bundle").data).get_json()
    assert told["failure"] is None
    assert "the log proves nothing here" in json.dumps(told["not_proved"])


def test_there_is_no_bundle_of_what_is_not_there(client: FlaskClient) -> None:
    assert client.get(f"/v1/games/{GAME}/bundle").status_code == 404


@pytest.mark.usefixtures("sealed")
def test_an_archive_holds_the_bundles_of_its_games(environ: dict[str, str], tmp_path: Path) -> None:
    file = tmp_path / "games.zip"
    arguments = ["--data-dir", environ["CABILDO_DATA_DIR"], "archive", str(file), str(GAME)]
    done = CliRunner(env=environ).invoke(main, arguments)
    assert done.exit_code == 0, done.output
    report = verify_archive(file.read_bytes(), None)
    assert [(stream, game.failure) for stream, game in report.games] == [(GAME, None)]
    done = CliRunner(env=environ).invoke(main, [*arguments, str(UUID(int=3))])
    assert (done.exit_code, "there is no game" in done.output) == (1, True)


@pytest.mark.usefixtures("sealed")
def test_the_service_judges_an_archive_game_by_game(client: FlaskClient) -> None:
    data = client.get(f"/v1/games/{GAME}/bundle").data
    told = client.post("/v1/verify", data=pack([(GAME, data)]), content_type="application/zip").get_json()
    assert (told["verdict"], told["exit_status"], told["refused"]) == ("valid", 0, None)
    assert [(game["stream"], game["failure"]) for game in told["games"]] == [(str(GAME), None)]
    forged = pack([(GAME, data.replace(b"player-a", b"player-c", 1))])
    told = client.post("/v1/verify", data=forged, content_type="application/zip").get_json()
    assert (told["exit_status"], told["games"][0]["failure"]["code"]) == (12, "V2")
    told = client.post("/v1/verify", data=forged[:-40], content_type="application/zip").get_json()
    assert (told["exit_status"], told["verdict"], told["games"]) == (11, "invalid", [])


def test_an_archive_that_unpacks_to_too_much_is_refused_early(client: FlaskClient) -> None:
    bomb = pack([(GAME, bytes(LARGEST_HERE))])
    assert len(bomb) < 100_000
    told = client.post("/v1/verify", data=bomb, content_type="application/zip")
    assert (told.status_code, told.get_json()["type"]) == (413, "/problems#too_much_to_verify")
    assert told.get_json()["most"] == LARGEST_HERE
