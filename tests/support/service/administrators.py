"""Administrators: players with a token for everything, as the operator's command issues it."""

from uuid import UUID

from flask import Flask

from service.container import Container
from service.players.commands.tokens import store_token
from tests.support.service.players import Person, somebody


def administrator(app: Flask) -> Person:
    """Returns a person whose token has the scope `admin` and no other."""
    person = somebody(app.test_client())
    person.token = admin_token(app.extensions["cabildo"], person)
    return person


def admin_token(here: Container, person: Person) -> str:
    """Returns the secret of a new token for everything of a person."""
    with here.stores.pool.connection() as connection:
        return store_token(connection, here.now(), UUID(person.id), "operator", ["admin"])[1]
