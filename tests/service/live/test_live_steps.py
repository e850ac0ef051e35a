"""Live steps tell each viewer what `/replay`, `/position` and the summary tell the viewer, event by event."""

import json
import random
from statistics import median
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from projections.games.board_diff import changes
from service.games.live_steps import LiveSteps
from service.games.visibility import visibility_of
from service.live.game_source import GameSource
from service.live.step_source import StepSource
from tests.support.service.json_pointers import patched
from tests.support.service.players import Person, answer, in_turn, running, somebody

SMALL = 2_000  # bytes of a usual message
CASES: dict[str, dict[str, Any]] = {
    "puerto_rico": {},
    "puerto_rico, hidden placements and faces": {"mayor_placement": "simultaneous", "forest_face": "owner_only"},
    "spice_road": {},
    "spice_road, hidden hands": {"hand_visibility": "owner_only"},
}


def begin(client: FlaskClient, case: str, seats: int, **more: Any) -> tuple[str, list[Person]]:
    """A running game, and its players in turn order."""
    people = [somebody(client) for _ in range(seats)]
    name, *_ = case.split(",")
    game = people[0].create("me", *["open"] * (seats - 1), game=name, options=CASES[case], **more)
    for person in people[1:]:
        game = person.join(game["id"])
    return game["id"], in_turn(game, *people)


def play(game: str, people: list[Person], moves: int, seed: int = 1) -> None:
    """Play some moves of any kind; take some of them back."""
    chance = random.Random(seed)
    for _ in range(moves):
        turn = answer(people[0].ask("GET", f"/v1/games/{game}"), 200)["turn"]
        person = people[turn["seat"]]
        legal = answer(person.ask("GET", f"/v1/games/{game}/legal"), 200)
        person.move(game, chance.choice(legal["moves"])["move"])
        if chance.random() < 0.2:
            person.ask("POST", f"/v1/games/{game}/undo", {})


def told(app: Flask, game: str, viewer: Person | None, after: int = 0) -> list[dict[str, Any]]:
    """The steps that a live stream tells a viewer."""
    here, player = app.extensions["cabildo"], None if viewer is None else viewer.id
    table = here.games.load(UUID(game))
    sight = visibility_of(here.games, here.deals, table, player)
    with here.event_cache.on(UUID(game)) as feed:
        steps = LiveSteps(here.games, here.stores.pool)
        source = StepSource(here.event_cache, feed, sight, table.head.seq, steps, player, "en")
        messages: list[dict[str, Any]] = []
        while items := source.after(after):  # a page at a time
            after = items[-1].number
            messages += [json.loads(item.document) for item in items]
        return messages


def read(client: FlaskClient, viewer: Person | None, game: str, what: str) -> Any:
    headers = {"Authorization": f"Bearer {viewer.token}"} if viewer else {}
    return answer(client.get(f"/v1/games/{game}{what}", headers=headers), 200)


@pytest.mark.parametrize("case", CASES)
def test_live_steps_are_those_of_the_replay_for_each_viewer(app: Flask, client: FlaskClient, case: str) -> None:
    game, people = begin(client, case, 3)
    play(game, people, 60)
    for viewer in (*people, None):
        replayed = read(client, viewer, game, "/replay?undone=true&positions=false")["steps"]
        steps = [message["step"] for message in told(app, game, viewer) if message["step"]]
        assert [{**step, "kept": None} for step in steps] == [{**step, "kept": None} for step in replayed]


@pytest.mark.parametrize("case", CASES)
def test_changes_turn_each_viewers_board_into_the_next(app: Flask, client: FlaskClient, case: str) -> None:
    game, people = begin(client, case, 3)
    play(game, people, 40)
    for viewer in (*people, None):
        board: Any = None
        for message in told(app, game, viewer):
            board = message["position"] or patched(board, message["changes"])
            if board is not None:
                version = message["version"]
                assert {**board, "version": version} == read(client, viewer, game, f"/position?at={version}")


@pytest.mark.parametrize("case", ["puerto_rico", "spice_road"])
def test_changes_of_the_summary_lead_to_the_newest(app: Flask, client: FlaskClient, case: str) -> None:
    clock = {"kind": "bank", "seconds": 600, "increment": 5}
    game, people = begin(client, case, 2, clock=clock)
    before = read(client, None, game, "")
    play(game, people, 12)
    people[1].post(f"/v1/games/{game}/resign")
    summary = before
    for message in told(app, game, None, before["version"]):
        assert message["prev"] == summary["head"]
        if message["summary"] is None:
            assert message["kind"] == "resigned"  # a bot plays on: names change
            break
        summary = patched(summary, message["summary"])
        assert summary["version"] == message["version"]
    else:
        raise AssertionError("no change of seats was told")
    people[0].post(f"/v1/games/{game}/abort")


def test_usual_messages_are_small(app: Flask, client: FlaskClient) -> None:
    for case in ("puerto_rico", "spice_road"):
        game, people = begin(client, case, 4)
        play(game, people, 80)
        sizes = [len(json.dumps(message)) for message in told(app, game, None) if message["kind"] == "moved"]
        assert median(sizes) < SMALL, case


def test_live_steps_keep_spectators_behind(app: Flask, client: FlaskClient) -> None:
    game, people = begin(client, "spice_road", 3, spectator_delay=4)
    play(game, people, 12)
    newest = read(client, people[0], game, "")["version"]
    assert [message["version"] for message in told(app, game, None)] == [*range(1, newest - 3)]
    assert told(app, game, people[0])[-1]["version"] == newest


def test_notes_are_told_as_the_replay_tells_them(app: Flask, client: FlaskClient) -> None:
    game, (first, _) = running(client)
    first.move(game, "play create_2")
    first.post(f"/v1/games/{game}/resign")
    notes = [message["note"] for message in told(app, game, None) if message["note"]]
    assert notes == read(client, None, game, "/replay")["notes"] != []


def test_stream_of_steps_is_asked_for_and_events_stay_the_default(app: Flask, client: FlaskClient) -> None:
    game, people = begin(client, "spice_road", 2)
    people[0].post(f"/v1/games/{game}/abort")
    headers = {"Accept": "application/x-ndjson"}
    lines = client.get(f"/v1/games/{game}/events?items=steps", headers=headers).text.splitlines()
    assert [json.loads(line) for line in lines if line][:-1] == told(app, game, None)
    here = app.extensions["cabildo"]
    with here.event_cache.on(UUID(game)) as feed:
        table = here.games.load(UUID(game))
        sight = visibility_of(here.games, here.deals, table, None)
        source = GameSource(here.event_cache, feed, sight, table.head.seq)
        expected = [item.document for item in source.after(0)]
    plain = client.get(f"/v1/games/{game}/events", headers=headers).text.splitlines()
    assert [line for line in plain if line][:-1] == expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1, "b": [1, 2]}, {"a": 1, "b": [2]}, {"/b": [2]}),
        ({"a": [{"n": 1}, {"n": 2}]}, {"a": [{"n": 1}, {"n": 3}]}, {"/a/1/n": 3}),
        ({"a": {"x/y": 1}}, {"a": {"x/y": 2, "z~": 3}}, {"/a/x~1y": 2, "/a/z~0": 3}),
        ({"a": {"x": 1, "y": 2}}, {"a": {"x": 1}}, {"/a": {"x": 1}}),
        ({"a": 1}, {"b": 1}, {"": {"b": 1}}),
        ({"a": None}, {"a": {"seat": 0}}, {"/a": {"seat": 0}}),
        ([1, [2]], [1, [2]], {}),
    ],
)
def test_changes_name_new_values_by_pointer(before: Any, after: Any, expected: dict[str, Any]) -> None:
    assert changes(before, after) == expected
    assert patched(before, expected) == after
