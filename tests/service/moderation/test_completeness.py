"""The record is complete: each route, form and command of administrators is performed, and leaves a row."""

from collections.abc import Iterator, Mapping
from typing import Final

import click
import pytest
from flask import Flask

from deploy.cli import main
from service.moderation.queries import RecordedAct, RecordQuery, first_broken_act, recorded_acts
from service.moderation.record import ACTS, OPERATOR
from service.web import blueprints
from tests.service.conftest import Environ
from tests.support.service.administrative_acts import (
    COMMANDS,
    FORMS,
    MEASURES,
    NO_ACT,
    RIGHTS,
    ROUTES,
    Deed,
    Installation,
)
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
OPERATIONS: Final = {f"{one.method} {one.rule}": one for subject in blueprints.ROUTES for one in subject.operations}
BY_REQUEST: Final[Mapping[str, Deed]] = {**ROUTES, **RIGHTS, **FORMS}


@pytest.fixture(scope="module")
def installation(app: Flask, environ: Environ) -> Installation:
    return Installation(app, environ)


def acts(installation: Installation) -> list[RecordedAct]:
    """All acts of the record, newest first."""
    with installation.here.stores.pool.connection() as connection:
        assert first_broken_act(connection) is None
        return list(recorded_acts(connection, RecordQuery(limit=10_000)))


def leaves(group: click.Group, *path: str) -> Iterator[str]:
    """Yields every command that is no group."""
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from leaves(command, *path, name)
        else:
            yield " ".join((*path, name))


def test_every_writing_route_for_administrators_is_performed() -> None:
    of_administrators = {
        name for name, one in OPERATIONS.items() if one.reading.scope == "admin" and one.method != "GET"
    }
    assert of_administrators == ROUTES.keys()


def test_every_form_for_administrators_is_performed(app: Flask) -> None:
    forms = {f"POST {rule.rule}" for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert {form for form in forms if form.startswith("POST /admin")} == FORMS.keys()


def test_every_command_is_performed_or_says_why_it_is_no_act() -> None:
    known = {*COMMANDS, *NO_ACT} - {"player reset --second-factor"}
    assert {name for name in leaves(main) if not name.startswith(MEASURES)} == known
    assert COMMANDS.keys() & NO_ACT.keys() == set()


def test_every_kind_of_act_is_left_by_a_deed() -> None:
    assert {deed.act for deed in (*BY_REQUEST.values(), *COMMANDS.values())} == ACTS.keys()


@pytest.mark.parametrize("name", BY_REQUEST)
def test_a_request_of_an_administrator_leaves_a_row(installation: Installation, name: str) -> None:
    before, deed = len(acts(installation)), BY_REQUEST[name]
    deed.perform(installation)
    new = acts(installation)[: len(acts(installation)) - before]
    assert deed.act in [act.act for act in new]
    assert name in RIGHTS or {act.by for act in new} == {installation.admin.id}
    assert all(act.kind == ACTS[act.act].subject and act.subject is not None for act in new)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_of_the_operator_leaves_a_row(installation: Installation, name: str) -> None:
    before, deed = len(acts(installation)), COMMANDS[name]
    deed.perform(installation)
    new = acts(installation)[: len(acts(installation)) - before]
    assert deed.act in [act.act for act in new]
    assert {act.by for act in new} == {OPERATOR}
    assert all(act.details["user"] for act in new)


def test_no_row_holds_a_name_or_a_secret(installation: Installation) -> None:
    with installation.here.stores.pool.connection() as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM players WHERE name IS NOT NULL").fetchall()]
        bodies = " ".join(
            bytes(body).decode() for (body,) in connection.execute("SELECT body FROM administrative_acts")
        )
    assert [name for name in names if name in bodies] == []
    assert "cab_" not in bodies
