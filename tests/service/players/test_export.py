"""The export of an account holds everything stored of its player, and nothing that others keep secret."""

import io
import json
import threading
import tracemalloc
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import UUID, uuid4

import pytest
from flask import Flask
from flask.testing import FlaskClient
from freezegun import freeze_time
from werkzeug.test import TestResponse

from events.log.sequencer import sequence_once
from events.store.connections import connect
from service.core.clock import SECOND
from service.core.errors import ServiceBusy
from service.players.commands.confirmation import CONFIRMED_FOR
from service.players.export import account_archive
from service.players.export.account_archive import PartBudget, write_part
from service.players.export.capacity import MOST_ROWS
from service.players.export.kinds import KINDS
from service.players.export.readme import kind_section
from tests.service.conftest import Environ, opened_app
from tests.support.running_program import PATIENCE, PROJECT, eventually
from tests.support.service.full_account import ADDRESS, PASSWORD, FullAccount
from tests.support.service.players import Person, problem
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
EXPORT: Final = "/v1/me/export"
MANY_NOTIFICATIONS: Final = """
INSERT INTO news (player, number, stream, seq, what)
SELECT %s, number, gen_random_uuid(), 1, 'your_turn' FROM generate_series(1, %s) AS number
"""
Files = Mapping[str, Any]


@pytest.fixture(scope="module")
def account(app: Flask) -> FullAccount:
    return FullAccount(app)


@pytest.fixture(scope="module")
def files(account: FullAccount) -> Files:
    account.confirm()
    return unpacked(account.client.get(EXPORT))


def unpacked(response: TestResponse) -> Files:
    """Returns the files of an export by name; JSON is read."""
    assert response.status_code == 200, response.text
    assert response.content_type == "application/zip"
    with zipfile.ZipFile(io.BytesIO(response.data)) as archive:
        assert archive.testzip() is None
        texts = {name: archive.read(name).decode() for name in archive.namelist()}
    return {name: json.loads(text) if name.endswith(".json") else text for name, text in texts.items()}


def ids(rows: list[dict[str, Any]]) -> set[str]:
    return {row["id"] for row in rows}


def lasting(row: dict[str, Any]) -> dict[str, Any]:
    """Returns a row without the times of its own use, which a request changes."""
    return {field: value for field, value in row.items() if field not in ("used", "confirmed")}


def test_the_export_has_a_file_of_rows_for_each_kind(files: Files) -> None:
    assert set(files) == {"README.md", "export.json", *(f"{kind.name}.json" for kind in KINDS)}
    assert {name: len(files[f"{name}.json"]) for name in files["export.json"]["rows"]} == files["export.json"]["rows"]
    assert [kind.name for kind in KINDS if not files[f"{kind.name}.json"]] == []
    for kind in KINDS:
        assert {field for row in files[f"{kind.name}.json"] for field in row} == set(kind.fields), kind.name


def test_the_export_holds_the_account(account: FullAccount, files: Files) -> None:
    (own,) = files["account.json"]
    assert (own["id"], own["name"], own["has_password"]) == (account.anna.id, account.anna.name, True)
    assert [(bot["name"], bot["engine"]) for bot in files["bots.json"]] == [("Annabot", "own 7")]
    assert {token["label"] for token in files["tokens.json"]} == {"first", "the laptop"}
    (session,) = files["sessions.json"]
    assert (session["address"], session["agent"]) == (ADDRESS, "Firefox, Linux")
    assert len(files["recovery_codes.json"]) == len(account.codes)
    assert [hook["url"] for hook in files["webhooks.json"]] == ["https://93.184.215.14/annas-hook"]
    assert [message["hook"] for message in files["webhook_messages.json"]] == [account.hook["id"]]
    assert [row["words"] for row in files["reports.json"]] == ["Anna thinks that he is rude"]
    assert [(row["act"], row["by_player"]) for row in files["administrative_acts.json"]] == [("token_issued", False)]
    assert [row["confirmed"] is None for row in files["second_factor.json"]] == [False]
    assert [row["key"] for row in files["request_keys.json"]] == ["Annas own key"]


def test_the_export_holds_what_the_player_did(account: FullAccount, files: Files) -> None:
    played = {account.hidden, account.rated, account.offered, account.at_screen}
    games = {account.open_table, account.kept, account.imported, *played}
    assert ids(files["games.json"]) == games
    assert [row["id"] for row in files["games.json"] if row["kept_chairs"]] == [account.kept]
    assert ids(files["records.json"]) == {account.imported}
    assert ids(files["tournaments.json"]) == {account.own_tournament.id, account.entered.id}
    assert ids(files["studies.json"]) == {account.study.id}
    assert ids(files["analyses.json"]) == {account.analysis}
    assert [row["games"] for row in files["ratings.json"]] == [1]
    assert [row["stream"] for row in files["rating_changes.json"]] == [account.rated]
    acts = files["acts.json"]
    assert {act["kind"] for act in acts if act["stream"] == account.offered} >= {"game_created", "moved", "offer_made"}
    assert {account.directed.id, account.left_study.id} <= {act["stream"] for act in acts}
    assert [act["kind"] for act in acts if act["stream"] == account.left_table] == ["seat_taken", "seat_left"]
    said = {text for act in acts for text in act["texts"].values()}
    assert said >= {"Annas openings", "Anna likes this move", "Anna was here once"}
    assert "; They shook hands" in files["records.json"][0]["below"]


def test_the_export_holds_no_secret_and_nothing_of_others(account: FullAccount, files: Files) -> None:
    everything = json.dumps(files)
    secrets = (PASSWORD, account.anna.token, account.token["token"], account.bot["token"], account.hook["secret"])
    for secret in (*secrets, *account.codes, *account.csrf.values(), account.factor_secret, "argon2"):
        assert secret not in everything
    for private in (
        account.secret_study.id,
        "Birgirs secret study",
        "Birgir does not",
        "she is rude",
        account.birgir.name,
    ):
        assert private not in everything


def test_the_export_hides_the_cards_of_others_in_a_running_game(account: FullAccount, files: Files) -> None:
    (start,) = (act for act in files["acts.json"] if act["stream"] == account.hidden and act["kind"] == "game_started")
    dealt = [fact for fact in start["data"]["facts"] if fact[0] == "hand_dealt"]
    assert [fact[1] for fact in dealt] == [1]  # the player's own seat
    assert start["data"]["digest"] is None
    assert "salt" not in json.dumps(files["acts.json"])


def test_the_export_tells_how_far_lists_are_behind(app: Flask, files: Files) -> None:
    assert files["export.json"]["behind"] == 0
    guest = Person(app.test_client(), f"Guest {uuid4().hex[:12]}")
    guest.create("me", "open")
    with connect(app.extensions["cabildo"].settings.database_url) as connection:
        while sequence_once(connection):
            pass
    assert unpacked(guest.ask("GET", EXPORT))["export.json"]["behind"] > 0


def test_the_readme_describes_every_field(files: Files) -> None:
    for kind in KINDS:
        assert f"## {kind.name}.json" in files["README.md"]
        assert all(f"| `{field}` |" in files["README.md"] for field in kind.fields)


@pytest.mark.parametrize(("rows", "seconds"), [(7, 60.0), (10**6, -1.0)])
def test_a_long_export_comes_in_parts(
    account: FullAccount, files: Files, monkeypatch: pytest.MonkeyPatch, rows: int, seconds: float
) -> None:
    monkeypatch.setattr(account_archive, "MOST_ROWS", rows)
    monkeypatch.setattr(account_archive, "MOST_SECONDS", seconds)
    found: dict[str, list[Any]] = {}
    path: str | None = EXPORT
    parts = 0
    while path is not None:
        response = account.client.get(path)
        part = unpacked(response)
        lists = {name: more for name, more in part.items() if isinstance(more, list)}
        assert sum(map(len, lists.values())) <= (rows if seconds > 0 else 1)
        for name, more in lists.items():
            found.setdefault(name, []).extend(more)
        path = response.headers["Link"].split(">")[0][1:] if "Link" in response.headers else None
        assert (path is None) == (part["export.json"]["next"] is None)
        parts += 1
    assert parts > 5
    assert {name: list(map(lasting, more)) for name, more in found.items()} == {
        name: list(map(lasting, more)) for name, more in files.items() if isinstance(more, list)
    }


@pytest.mark.parametrize("after", ["nothing:3", "games:x", "acts:3", "account:1.5", "acts:../../x", "7"])
def test_a_place_that_no_part_named_is_refused(account: FullAccount, after: str) -> None:
    refused = account.client.get(EXPORT, query_string={"after": after})
    assert (refused.status_code, problem(refused.get_json())) == (422, "invalid_request")


def test_an_export_takes_the_password_again(account: FullAccount, app: Flask) -> None:
    assert problem(account.anna.ask("GET", EXPORT).get_json()) == "confirmation_required"
    assert app.test_client().get(EXPORT).status_code == 401
    container = app.extensions["cabildo"]
    with container.stores.pool.connection() as connection:
        connection.execute("UPDATE sessions SET confirmed = confirmed - %s", (CONFIRMED_FOR + SECOND,))
    try:
        assert problem(account.client.get(EXPORT).get_json()) == "confirmation_required"
    finally:
        account.confirm()


def test_a_player_without_a_password_exports_by_token(client: FlaskClient) -> None:
    guest = Person(client, "Guest of the export")
    files = unpacked(guest.ask("GET", EXPORT))
    assert files["account.json"][0]["has_password"] is False
    assert files["acts.json"] == []


def test_a_long_export_takes_little_memory_and_ends_at_its_most_rows(app: Flask) -> None:
    guest, container = Person(app.test_client(), f"Guest {uuid4().hex[:12]}"), app.extensions["cabildo"]
    with container.stores.pool.connection() as connection:
        connection.execute(MANY_NOTIFICATIONS, (guest.id, MOST_ROWS + 5_000))
    tracemalloc.start()
    try:
        part = write_part(container, UUID(guest.id), KINDS, "", PartBudget(MOST_ROWS, PATIENCE))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    with part.file, zipfile.ZipFile(part.file) as archive:
        counted = json.loads(archive.read("export.json"))
        assert (sum(counted["rows"].values()), counted["next"]) == (MOST_ROWS, part.next)
        assert part.next is not None
        assert part.next.startswith("notifications:")
    assert peak < 16 * 2**20  # of some 10 MB of rows, a batch and the file's memory


def test_exports_beyond_those_that_may_wait_are_refused(account: FullAccount, app: Flask) -> None:
    gate = app.extensions["cabildo"].exports
    places = gate.capacity.at_once + gate.capacity.waiting
    release = threading.Event()

    def wait_in_line() -> None:
        with suppress(ServiceBusy), gate.passed():
            release.wait(PATIENCE)

    waiting = [threading.Thread(target=wait_in_line) for _ in range(places)]
    for thread in waiting:
        thread.start()
    try:
        eventually(lambda: redis_places(app) == places)
        refused = account.client.get(EXPORT)
        assert (refused.status_code, problem(refused.get_json())) == (503, "service_busy")
        assert "Retry-After" in refused.headers
    finally:
        release.set()
        for thread in waiting:
            thread.join(PATIENCE)


def test_account_asks_for_three_exports_in_a_minute(app: Flask, environ: Environ) -> None:
    guest = Person(app.test_client(), f"Guest {uuid4().hex[:12]}")
    bearer, address = {"Authorization": f"Bearer {guest.token}"}, {"REMOTE_ADDR": "198.51.100.77"}
    with opened_app(environ, CABILDO_REQUESTS_PER_MINUTE="12000") as limited, freeze_time(ignore=["psycopg_pool"]):
        client = limited.test_client()
        assert client.get("/v1/me", headers=bearer, environ_base=address).status_code == 200
        asked = [client.get(EXPORT, headers=bearer, environ_base=address) for _ in range(4)]
    assert [answer.status_code for answer in asked] == [200, 200, 200, 429]
    assert "Retry-After" in asked[-1].headers


def redis_places(app: Flask) -> int:
    """Returns how many exports are made or wait."""
    client = app.extensions["cabildo"].stores.redis
    return int(client.zcard("cabildo:gate:{exports}:places"))


def test_the_documentation_describes_every_file() -> None:
    page = (PROJECT / "deploy/docs/export.md").read_text()
    assert page.endswith("\n".join(map(kind_section, KINDS)))
