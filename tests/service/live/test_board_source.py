"""With `with=position,legal` the newest event of a stream has the board and the moves: one connection is enough."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from service.games.live_steps import LiveSteps
from service.live.board_source import LEGAL, POSITION, BoardSource, board_source
from tests.service.live.test_live_steps import CASES, begin, play, read
from tests.support.service.players import Person, answer, somebody

BOTH = frozenset((POSITION, LEGAL))


@contextmanager
def following(app: Flask, game: str, viewer: Person | None, beside: frozenset[str] = BOTH) -> Iterator[BoardSource]:
    """The source of a viewer's stream."""
    here, player = app.extensions["cabildo"], None if viewer is None else viewer.id
    steps = LiveSteps(here.games, here.stores.pool)
    source = board_source(here.event_cache, here.games, here.deals, UUID(game), player, steps, "en", beside)
    try:
        yield source
    finally:
        source.close()


def told(source: BoardSource, after: int = 0) -> list[dict[str, Any]]:
    """The items of a source after a number."""
    messages: list[dict[str, Any]] = []
    source.topic.ring()  # the wake-up of a move may still be on its way
    while items := source.after(after):
        after = items[-1].number
        messages += [json.loads(item.document) for item in items]
    return messages


@pytest.mark.parametrize("case", CASES)
def test_the_newest_event_has_what_the_requests_would_answer(app: Flask, client: FlaskClient, case: str) -> None:
    game, people = begin(client, case, 3)
    for moves in (0, 1, 1, 1, 25):
        play(game, people, moves)
        for viewer in (*people, None):
            with following(app, game, viewer) as source:
                *older, newest = told(source)
            assert not any({POSITION, LEGAL} & one.keys() for one in older)
            assert newest.pop(POSITION) == read(client, viewer, game, "/position")
            legal = newest.pop(LEGAL)
            if legal is not None or viewer is not None:
                assert legal == read(client, viewer, game, "/legal")
            assert newest == read(client, viewer, game, f"/events?after={newest['seq'] - 1}")["events"][0]


def test_only_what_is_asked_for_is_told(app: Flask, client: FlaskClient) -> None:
    game, people = begin(client, "spice_road", 2)
    for beside in (POSITION, LEGAL):
        with following(app, game, people[0], frozenset((beside,))) as source:
            assert {POSITION, LEGAL} & told(source)[-1].keys() == {beside}


def test_a_table_that_waits_has_no_board_and_no_moves(app: Flask, client: FlaskClient) -> None:
    host = somebody(client)
    with following(app, host.create("me", "open")["id"], host) as source:
        newest = told(source)[-1]
    assert newest[POSITION] is None
    assert newest[LEGAL]["none"]["reason"] == "not_started"


def test_bots_play_by_their_streams_alone(app: Flask, client: FlaskClient) -> None:
    game, people = begin(client, "spice_road", 2, leaver="forfeit")
    known = [0, 0]
    with following(app, game, people[0]) as first, following(app, game, people[1]) as second:
        for _ in range(30):
            newest = [told(source, known[seat])[-1] for seat, source in enumerate((first, second))]
            known = [one["seq"] for one in newest]
            (seat,) = [seat for seat, one in enumerate(newest) if one[LEGAL]["yours"]]
            people[seat].move(game, newest[seat][LEGAL]["moves"][-1]["move"], expected=known[seat])
        people[0].post(f"/v1/games/{game}/resign")
        last = told(second, known[1])[-1]
    assert last[LEGAL]["none"]["reason"] == "game_is_over"
    assert last[POSITION]["version"] == last["seq"]


@pytest.mark.parametrize(
    "query", ["with=board", "with=", "with=legal,", "with=legal&items=steps", "with=legal&with=legal"]
)
def test_a_malformed_wish_is_refused(client: FlaskClient, query: str) -> None:
    game, _ = begin(client, "spice_road", 2)
    answer(client.get(f"/v1/games/{game}/events?{query}", headers={"Accept": "application/x-ndjson"}), 422)
