"""Programmed answers in tests: leaving and reading them, and the workers that play them."""

from typing import Any
from uuid import UUID

from flask import Flask

from service.container import Container
from service.core.queues import BOTS
from tests.support.running_program import PATIENCE
from tests.support.service.players import Person, answer
from workers import jobs


def leave(person: Person, game: str, move: str, until: str = "game", status: int = 201, **more: Any) -> dict[str, Any]:
    """Leaves an answer."""
    return person.post(f"/v1/games/{game}/answers", {"move": move, "until": until, **more}, status)


def answers(person: Person, game: str) -> list[str]:
    """The moves of the answers that a player has left."""
    listed = answer(person.ask("GET", f"/v1/games/{game}/answers"), 200)
    return [one["move"] for one in listed["answers"]]


def serve(app: Flask) -> None:
    """Plays all waiting turns, and those that follow from them; `worker_here` lets jobs use this application."""
    here = container_of(app)
    assert here.announcer.flush(PATIENCE)
    while here.announcer.waiting_turns(BOTS).makers():
        jobs.take_turns(BOTS)
        assert here.announcer.flush(PATIENCE)


def container_of(app: Flask) -> Container:
    """The container of an application."""
    here = app.extensions["cabildo"]
    assert isinstance(here, Container)
    return here


def moves(app: Flask, game: str) -> list[tuple[int, str]]:
    """All moves of a game: their seats and texts."""
    events = container_of(app).games.history(UUID(game))
    return [(int(str(event.data["seat"])), str(event.data["move"])) for event in events if event.kind == "moved"]
