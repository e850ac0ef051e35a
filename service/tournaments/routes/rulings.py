"""What directors rule, always with a reason that players can read."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

from service.players.credentials import Identity
from service.tournaments import documents, rulings
from service.tournaments.repository import Act
from service.tournaments.routes.common import ONE, act_on, deed, held_by, words_of
from service.tournaments.rulings import Counted
from service.tournaments.schemas import commands as schemas
from service.tournaments.schemas import documents as answers
from service.web.routing import Routes

routes = Routes("rulings", "Rulings of tournament directors")
Body = dict[str, Any]
View = Callable[..., Body]


def ruling(name: str, body: Any, meaning: str) -> Callable[[Callable[[Act, Body], None]], View]:
    """Serve one kind of ruling: its path, its body, and what it says of itself."""

    def declare(decide: Callable[[Act, Body], None]) -> View:
        def view(tournament: UUID, body: Body, asker: Identity) -> Body:
            return act_on(tournament, asker, lambda act: decide(act, body), documents.rulings)

        view.__doc__, view.__name__ = meaning, decide.__name__
        return deed(routes, f"rulings/{name}", answers.RulingsDocument, body=body)(view)

    return declare


@ruling("time", schemas.TimeAdded, "Give somebody more time in a running game.")
def add_time(act: Act, body: Body) -> None:
    """More time in the bank."""
    rulings.add_time(act, body["round"], body["table"], body["entrant"], body["seconds"], body["reason"])


@ruling("result", schemas.ResultRuled, "Say how a table ended: adjudicate a game, or correct a result.")
def rule_result(act: Act, body: Body) -> None:
    """A result as a director counts it."""
    tie_break = body["tie_break"] or [0] * len(body["points"])
    counted = Counted(body["points"], tie_break, body["places"], body["forfeited"])
    rulings.rule_result(act, body["round"], body["table"], counted, body["reason"])


@ruling("void", schemas.AtTable, "Let a table count for nothing.")
def void(act: Act, body: Body) -> None:
    """Nothing of a table counts."""
    rulings.void(act, body["round"], body["table"], body["reason"])


@ruling("substitution", schemas.Substitution, "Let somebody else take a seat, from now on and with the result.")
def substitute(act: Act, body: Body) -> None:
    """Another entrant takes a seat."""
    rulings.substitute(act, body["round"], body["table"], body["entrant"], body["by"], body["reason"])


@ruling("disqualification", schemas.Disqualification, "Let somebody take part no longer.")
def disqualify(act: Act, body: Body) -> None:
    """An entrant is put out."""
    rulings.disqualify(act, body["entrant"], body["reason"])


@routes.on("GET", f"{ONE}/rulings", answers=answers.RulingsDocument, readers=True, refuses=(404,))
def all_rulings(tournament: UUID, asker: Identity | None) -> Body:
    """All rulings so far with their reasons."""
    held = held_by(tournament, asker)
    return documents.rulings(held, words_of(held))
