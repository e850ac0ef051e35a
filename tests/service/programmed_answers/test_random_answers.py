"""In random games, answers play nothing but what their seat has left, where it is legal, and each turn once."""

import random
from typing import Final
from uuid import UUID

import pytest
from flask import Flask
from flask.testing import FlaskClient

from events.event import Event
from tests.support.service.answering import answers, container_of, leave, serve
from tests.support.service.players import Person, answer, running
from workers import jobs

STEPS: Final = 40
MOVES: Final = {
    "puerto_rico": ("pass", "take corn", "sell corn", "role builder", "role trader", "role settler", "store"),
    "spice_road": ("rest", "claim 1", "buy 1", "buy 2 y", "play create_2", "drop y=1"),
}


@pytest.mark.parametrize("name", MOVES)
def test_answers_play_only_legal_moves_that_their_seat_has_left(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr(jobs, "container", lambda: container_of(app))
    source, here = random.Random(name), container_of(app)
    game, people = running(client, "Anna", "Birgir", game=name)
    left: dict[int, set[tuple[str | None, str]]] = {0: set(), 1: set()}
    by_hand: set[int] = set()
    for _ in range(STEPS):
        seat = source.randrange(2)
        _change(source, people[seat], game, left[seat], MOVES[name])
        serve(app)
        state = here.games.load(UUID(game))
        if state.known.turn is None:
            break
        moves = [state.game.notation(move) for move in state.game.legal(state.board).suggested()]
        person = people[state.known.turn.seat]
        by_hand.add(person.move(game, source.choice(moves))["event"]["seq"])
        serve(app)
    played = [event for event in here.games.history(UUID(game)) if event.kind == "moved" and event.seq not in by_hand]
    assert played
    for event in played:
        _check(app, UUID(game), event, left[int(str(event.data["seat"]))])


def _change(
    source: random.Random, person: Person, game: str, left: set[tuple[str | None, str]], moves: tuple[str, ...]
) -> None:
    """Leaves an answer, clears one or all, or takes a move back."""
    listed = answer(person.ask("GET", f"/v1/games/{game}/answers"), 200)
    what = source.random()
    if what < 0.5 and len(listed["answers"]) < listed["most"]:
        end, move = source.choice(listed["ends"]), source.choice(moves)
        decision = None if source.random() < 0.7 else source.choice(listed["decisions"])
        leave(person, game, move, end["until"], decision=decision, span=end["span"])
        left.add((decision, move.split()[0]))
    elif what < 0.6:
        person.ask("DELETE", f"/v1/games/{game}/answers")
        assert answers(person, game) == []
    elif what < 0.7 and listed["answers"]:
        person.ask("DELETE", f"/v1/games/{game}/answers/{listed['answers'][0]['id']}")
    elif what < 0.8:
        person.ask("POST", f"/v1/games/{game}/undo")  # refused or not


def _check(app: Flask, game: UUID, event: Event, left: set[tuple[str | None, str]]) -> None:
    """Asserts that a move was legal for its seat, that the seat had left it, and that the event is an ordinary one."""
    before = container_of(app).games.at(game, event.seq - 1)
    turn, move = before.known.turn, str(event.data["move"])
    assert turn is not None
    assert turn.seat == event.data["seat"]
    assert before.game.parse(move) in before.game.legal(before.board)
    assert {(None, move.split()[0]), (turn.decision, move.split()[0])} & left
    assert "bot" not in event.data
    assert event.actor == before.known.chair_at(turn.seat).player
