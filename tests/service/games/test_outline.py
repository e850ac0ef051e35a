"""The outline of a game: what the replay tells, without words, as columns; under the same rights, within bounds."""

import gzip
from itertools import accumulate
from typing import Any

import pytest
from flask.testing import FlaskClient

from service.games.replays.outline import MOST_POINTS
from tests.service.games.test_kept_boards import long_record
from tests.service.games.test_queries import a_played_game, read
from tests.support.service.players import Person, problem, running, somebody, two_at_a_table

FACTS = "turn_passed,round_begun,cubes_taken"
HIDDEN = {"hand_visibility": "owner_only"}


def steps_of(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the steps that an outline describes."""
    undone = {number for first, count in told["undone"] for number in range(first, first + count)}
    facts, points = dict(told["facts"]), dict(told["points"])
    return [
        {
            "version": version,
            "kind": told["kinds"][kind],
            "seat": seat,
            "kept": number not in undone,
            "over": number in told["ends"],
            "facts": facts.get(number, []),
            "points": points[number],
        }
        for number, (version, kind, seat) in enumerate(
            zip(accumulate(told["steps"]), told["kind"], told["seats"], strict=True)
        )
    ]


def shortened(steps: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns the steps of a replay as an outline describes them."""
    return [
        {
            **{name: step[name] for name in ("version", "kind", "seat", "kept")},
            "over": step["turn"] is None,
            "facts": [fact for fact in step["facts"] if fact[0] in FACTS.split(",")] if step["kept"] else [],
            "points": [score and score["total"] for score in step["scores"]],
        }
        for step in steps
    ]


def assert_outline_tells_the_replay(reader: Person, game: str, **query: str) -> list[dict[str, Any]]:
    """Asserts that both tell the same to a reader, with undone moves and without. Returns the steps with them."""
    for undone in ("false", "true"):
        asked = "".join(f"&{name}={value}" for name, value in query.items())
        told = reader.ask("GET", f"/v1/games/{game}/outline?undone={undone}&facts={FACTS}{asked}").get_json()
        replayed = reader.ask("GET", f"/v1/games/{game}/replay?undone={undone}{asked}").get_json()["steps"]
        assert steps_of(told) == shortened(replayed)
    return steps_of(told)


def test_an_outline_tells_what_the_replay_tells_also_of_undone_moves(client: FlaskClient) -> None:
    game, first, _ = a_played_game(client)
    first.move(game, "play create_2")
    first.post(f"/v1/games/{game}/undo")
    steps = assert_outline_tells_the_replay(first, game)
    assert [step["kept"] for step in steps[-3:]] == [True, False, True]
    assert any(step["facts"] for step in steps)
    assert read(client, f"/v1/games/{game}/outline")["facts"] == []


@pytest.mark.parametrize("undone", ["false", "true"])
def test_parts_of_a_replay_tell_kept_steps_as_the_whole_does(client: FlaskClient, undone: str) -> None:
    game, first, second = two_at_a_table(client)
    for number in range(8):
        mover, move = (first, second)[number % 2], ("play upgrade_2", "rest")[number // 2 % 2]
        mover.move(game, move)
        mover.post(f"/v1/games/{game}/undo")
        mover.move(game, move)
    whole = read(client, f"/v1/games/{game}/replay?undone={undone}&positions=false")["steps"]
    newest = read(client, f"/v1/games/{game}/outline")["version"]
    for size in (1, 2, 4, 7):
        parts: dict[int, Any] = {}
        for after in range(0, newest, size):
            path = f"/v1/games/{game}/replay?undone={undone}&positions=false&after={after}"
            told = read(client, f"{path}&until={min(after + size, newest)}")["steps"]
            parts.update((step["version"], step) for step in told)
        # what a later part undoes, the part itself tells as kept
        assert [parts[step["version"]] | {"kept": step["kept"]} for step in whole] == whole


def test_an_outline_hides_what_the_replay_hides(client: FlaskClient) -> None:
    game, first, second = a_played_game(client, options=HIDDEN)
    for reader in (first, second, somebody(client)):
        assert_outline_tells_the_replay(reader, game)
    for eyes in ("1", "all"):
        assert problem(first.ask("GET", f"/v1/games/{game}/outline?as={eyes}").get_json()) == "not_allowed"
    assert_outline_tells_the_replay(second, game, **{"as": "1"})


def test_an_outline_keeps_spectators_behind(client: FlaskClient) -> None:
    game, people = running(client, "Anna", "Birgir", spectator_delay=3)
    for person in people * 2:
        person.move(
            game, "play create_2" if person.ask("GET", f"/v1/games/{game}").get_json()["version"] < 6 else "rest"
        )
    behind, all_of_it = (
        assert_outline_tells_the_replay(somebody(client), game),
        assert_outline_tells_the_replay(people[0], game),
    )
    assert [step["version"] for step in behind] == [step["version"] for step in all_of_it[:-3]]


def test_an_outline_of_a_long_game_is_small(client: FlaskClient) -> None:
    scribe = somebody(client)
    game = long_record(scribe, 2_600)
    told = scribe.ask("GET", f"/v1/games/{game}/outline?facts=round_begun", **{"Accept-Encoding": "gzip"})
    assert len(told.data) < 12_000  # 85,000 as a replay in words
    assert gzip.decompress(told.data).startswith(b"{")
    whole = scribe.ask("GET", f"/v1/games/{game}/outline?facts=round_begun").get_json()
    assert len(whole["steps"]) == 2_601
    assert len(whole["points"]) <= MOST_POINTS + 1
    assert whole["points"][-1][0] == 2_600
    assert len(whole["facts"]) == 1_300


def test_an_outline_tells_the_newest_steps_within_its_bound(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, first, _ = a_played_game(client)
    whole = assert_outline_tells_the_replay(first, game)
    monkeypatch.setattr("service.games.replays.outline.MOST_STEPS", 3)
    told = first.ask("GET", f"/v1/games/{game}/outline?facts={FACTS}").get_json()
    assert steps_of(told) == whole[-3:]


def test_an_outline_is_not_sent_twice_and_refuses_what_names_no_fact(client: FlaskClient) -> None:
    game, first, _ = a_played_game(client)
    path = f"/v1/games/{game}/outline?facts=round_begun"
    tag = client.get(path).headers["ETag"]
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 304
    assert client.get(f"{path},turn_passed", headers={"If-None-Match": tag}).status_code == 200
    first.move(game, "play create_2")
    assert client.get(path, headers={"If-None-Match": tag}).status_code == 200
    for wrong in ("Round", "a,,b", "a" * 501):
        assert problem(read(client, f"/v1/games/{game}/outline?facts={wrong}", 422)) == "invalid_request"
