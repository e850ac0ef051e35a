"""Administrators: players with a token for everything, as the operator's command issues it, and what they do."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from flask import Flask

from service.container import Container
from service.players.commands.tokens import store_token
from tests.support.service.players import Person, answer, somebody


def administrator(app: Flask) -> Person:
    """Returns a person whose token has the scope `admin` and no other."""
    person = somebody(app.test_client())
    person.token = admin_token(app.extensions["cabildo"], person)
    return person


def admin_token(here: Container, person: Person) -> str:
    """Returns the secret of a new token for everything of a person."""
    with here.stores.pool.connection() as connection:
        return store_token(connection, here.now(), UUID(person.id), "operator", ["admin"])[1]


def block(admin: Person, player: str, reason: str = "spam", status: int = 200, **time: float) -> dict[str, Any]:
    """Blocks a player for a time, by default an hour."""
    until = datetime.now(UTC) + timedelta(**(time or {"hours": 1}))
    body = {"until": until.isoformat(), "reason": reason}
    return answer(admin.ask("PUT", f"/v1/admin/players/{player}/block", body), status)


def acts_of(admin: Person, **query: object) -> list[dict[str, Any]]:
    """Returns acts of the record, newest first."""
    wanted = "&".join(f"{name}={value}" for name, value in query.items())
    return list(answer(admin.ask("GET", f"/v1/admin/record?{wanted}"), 200)["acts"])
