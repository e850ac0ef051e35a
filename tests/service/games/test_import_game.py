"""Scribe mode over HTTP: a record becomes a game that can be replayed, and comes back word for word."""

from typing import Any

import pytest
from flask.testing import FlaskClient
from freezegun import freeze_time

from projections.rules.registry import GAMES
from service import settings
from service.app import create_app
from tests.service.games.test_queries import a_played_game, read
from tests.support.projections.random_games import random_game, written
from tests.support.service.players import Person, answer, problem, somebody

SPICE = GAMES["spice_road"]
COMMENTED = """\
; the final of the spring tournament
game: {game}
seats: Anna, Birgir, Carla
place: Reykjavík; the old harbour
"""


def a_record(game: str = "spice_road", moves: int = 2_000) -> list[str]:
    """The lines of a record of three players, with comments, in canonical spelling."""
    lines = written(random_game(GAMES[game], 3, seed=11, longest=moves + 2)).splitlines(keepends=True)[2:]
    lines[1] = f"\n; the opening\n{lines[1]}"
    lines[2] = lines[2].rstrip() + " ; too early?\n"
    return [COMMENTED.format(game=game), *lines]


def enter(scribe: Person, text: str, status: int = 201, **more: Any) -> dict[str, Any]:
    return scribe.post("/v1/games/import", {"record": text, **more}, status)


def text_of(client: FlaskClient, game: str) -> str:
    response = client.get(f"/v1/games/{game}/record")
    assert response.content_type == "text/plain; charset=utf-8"
    return response.text


@pytest.mark.parametrize("game", GAMES)
def test_a_record_becomes_a_finished_game_and_comes_back_word_for_word(client: FlaskClient, game: str) -> None:
    text = "".join(a_record(game))
    entered = enter(somebody(client), text)
    assert (entered["status"], entered["imported"], entered["chance"]["commitment"]) == ("finished", True, None)
    assert sorted(entered["result"]["places"])[0] == 1
    assert text_of(client, entered["id"]) == text
    again = enter(somebody(client), text_of(client, entered["id"]))
    assert text_of(client, again["id"]) == text
    assert again["result"] == entered["result"]


def test_what_was_entered_is_read_and_replayed_like_every_game(client: FlaskClient) -> None:
    game = enter(somebody(client), "".join(a_record(moves=20)))["id"]
    steps = read(client, f"/v1/games/{game}/replay")["steps"]
    assert len(steps) == 21
    assert read(client, f"/v1/games/{game}/position")["version"] == 22
    assert read(client, f"/v1/games/{game}/legal")["moves"]


def test_a_record_may_be_entered_line_by_line(client: FlaskClient) -> None:
    scribe, lines = somebody(client), a_record()
    game = enter(scribe, "".join([*lines[:4], "; to be continued\n"]))["id"]
    assert text_of(client, game) == "".join([*lines[:4], "; to be continued\n"])
    for at in (4, 5):
        scribe.post(f"/v1/games/{game}/record", {"lines": lines[at]})
    before = client.get(f"/v1/games/{game}/record").headers["ETag"]
    for _ in range(2):  # the second time as if the first answer had been lost
        scribe.post(f"/v1/games/{game}/record", {"lines": "; tea at half past four\n"}, Idempotency_Key="tea")
    assert client.get(f"/v1/games/{game}/record").headers["ETag"] != before
    finished = scribe.post(f"/v1/games/{game}/record", {"lines": "".join(lines[6:])})
    assert finished["status"] == "finished"
    entered = [*lines[:4], "; to be continued\n", *lines[4:6], "; tea at half past four\n", *lines[6:]]
    assert text_of(client, game) == "".join(entered)
    assert problem(scribe.post(f"/v1/games/{game}/record", {"lines": "rest"}, 409)) == "not_running"


def test_a_record_grows_over_days_and_separate_processes(environ: dict[str, str]) -> None:
    lines = a_record(moves=40)
    game, token = "", ""
    for day, part in enumerate((lines[:9], lines[9:20], lines[20:])):
        app = create_app(settings.load(environ))
        with freeze_time(f"2026-03-{10 + day:02} 21:00:00", tick=True):
            scribe = somebody(app.test_client())
            token = scribe.token = token or scribe.token
            if not game:
                game = enter(scribe, "".join(part))["id"]
            else:
                scribe.post(f"/v1/games/{game}/record", {"lines": "".join(part)})
            assert text_of(scribe.client, game) == "".join(lines[: lines.index(part[-1]) + 1])
        app.extensions["cabildo"].close()


def test_lines_entered_by_mistake_are_struck_out_and_the_log_keeps_them(client: FlaskClient) -> None:
    scribe, lines = somebody(client), a_record()
    game = enter(scribe, "".join(lines[:6]))
    version = game["version"]
    scribe.post(f"/v1/games/{game['id']}/record", {"lines": lines[6] + "; a mistake\n"})
    scribe.post(f"/v1/games/{game['id']}/record", {"back_to": version, "lines": lines[6] + lines[7]})
    assert text_of(client, game["id"]) == "".join(lines[:8])
    log = read(client, f"/v1/games/{game['id']}/events")["events"]
    assert [event["kind"] for event in log[version:]] == ["moved", "ruled", "moved", "moved"]
    shown = read(client, f"/v1/games/{game['id']}/replay?undone=true&positions=false&after={version}")["steps"]
    assert [step["kept"] for step in shown] == [False, True, True, True]


def test_the_first_impossible_line_is_named_and_nothing_is_stored(client: FlaskClient) -> None:
    scribe, lines = somebody(client), a_record(moves=6)
    refused = enter(scribe, "".join([*lines, "buy 6 b,b,b,b,b\n", "sing\n"]), 422)
    assert (problem(refused), refused["text"], refused["reason"]) == (
        "impossible_line",
        "buy 6 b,b,b,b,b",
        "cubes_missing",
    )
    assert refused["line"] == "".join(lines).count("\n") + 1
    assert refused["legal"]
    game = enter(scribe, "".join(lines))
    later = scribe.post(f"/v1/games/{game['id']}/record", {"lines": "rest\nclaim 9\n"}, 422)
    assert (later["line"], later["text"]) in ((1, "rest"), (2, "claim 9"))
    assert read(client, f"/v1/games/{game['id']}")["version"] == game["version"]


@pytest.mark.parametrize(
    ("text", "status", "name"),
    [
        ("game: chess\nseats: 2\n", 400, "unreadable_record"),
        ("seats: 2\n", 400, "unreadable_record"),
        ("game: spice_road\n", 400, "unreadable_record"),
        ("game: spice_road\nseats: 9\n", 422, "bad_options"),
        ("game: spice_road\nseats: 2\ndraws: nothing\n", 422, "impossible_line"),
        ("[", 400, "unreadable_record"),
    ],
)
def test_what_is_no_record_is_refused(client: FlaskClient, text: str, status: int, name: str) -> None:
    assert problem(enter(somebody(client), text, status)) == name


def test_only_the_scribe_goes_on_and_only_with_a_record(client: FlaskClient) -> None:
    scribe, lines = somebody(client), a_record(moves=4)
    game = enter(scribe, "".join(lines))["id"]
    other = somebody(client)
    assert problem(other.post(f"/v1/games/{game}/record", {"lines": "rest"}, 403)) == "not_allowed"
    assert problem(other.post(f"/v1/games/{game}/moves", {"move": "rest"}, 403)) == "not_allowed"
    played, host, _ = a_played_game(client)
    assert problem(host.post(f"/v1/games/{played}/record", {"lines": "rest"}, 403)) == "not_allowed"
    assert problem(scribe.post(f"/v1/games/{game}/record", {}, 422)) == "invalid_request"
    assert problem(scribe.post(f"/v1/games/{game}/record", {"back_to": 1}, 404)) == "not_there"


def test_a_private_record_is_nobody_elses_to_read(client: FlaskClient) -> None:
    scribe = somebody(client)
    game = enter(scribe, "".join(a_record(moves=4)), visibility="private")["id"]
    assert client.get(f"/v1/games/{game}/record").status_code == 404
    assert scribe.ask("GET", f"/v1/games/{game}/record").status_code == 200


def test_a_game_played_here_is_a_record_too_that_can_be_entered_again(client: FlaskClient) -> None:
    game, _, _ = a_played_game(client, options={"cube_scoring": "all"})
    text = text_of(client, game)
    assert "option cube_scoring: all" in text
    again = enter(somebody(client), text)["id"]
    assert text_of(client, again) == text
    there, here = (answer(client.get(f"/v1/games/{id}/position"), 200) for id in (game, again))
    assert {**there, "version": 0} == {**here, "version": 0}
