"""The append-only record of administrative acts: each act is recorded in the transaction that carries it out.

A row names players by id only, so an erased account leaves no name in it.
"""

import getpass
import os
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from psycopg import Connection

from events.canonical import canonical
from events.json_types import Json, JsonObject
from events.messages import Message
from events.store.statements import Statement

OPERATOR: Final = "operator"  # the actor of acts on the command line
NOTHING_MORE: Final[Mapping[str, Json]] = {}
RECORD: Final = "SELECT record_administrative_act(%s)"


class KindOfAct(NamedTuple):
    """A row of the table of acts."""

    subject: str  # the kind of thing that it is done to
    title: Message


ACTS: Final[Mapping[str, KindOfAct]] = {
    "game_ended": KindOfAct("game", Message("Game ended")),
    "rules_changed": KindOfAct("game", Message("Game moved to newer rules")),
    "player_blocked": KindOfAct("player", Message("Player blocked")),
    "player_unblocked": KindOfAct("player", Message("Player unblocked")),
    "player_renamed": KindOfAct("player", Message("Player renamed")),
    "administrator_appointed": KindOfAct("player", Message("Administrator appointed")),
    "administrator_dismissed": KindOfAct("player", Message("Administrator dismissed")),
    "token_issued": KindOfAct("player", Message("Token issued")),
    "token_revoked": KindOfAct("player", Message("Token revoked")),
    "password_reset": KindOfAct("player", Message("Password reset")),
    "reports_settled": KindOfAct("thing", Message("Reports settled")),
    "second_factor_removed": KindOfAct("player", Message("Second factor taken off")),
    "text_hidden": KindOfAct("text", Message("Text hidden")),
    "text_shown": KindOfAct("text", Message("Text shown again")),
    "key_rotated": KindOfAct("key", Message("Master key rotated")),
    "log_recovered": KindOfAct("log", Message("Public log recovered")),
    "log_opened": KindOfAct("log", Message("Signing of the public log turned on")),
    "log_renamed": KindOfAct("log", Message("Public log renamed")),
}


class AdministrativeAct(NamedTuple):
    """An act: by whom, what, done to what, and why. Details hold neither names nor secrets."""

    by: str  # the id of a player, or OPERATOR
    act: str  # of ACTS
    subject: str | None  # the id of the thing
    reason: str | None = None
    details: Mapping[str, Json] = NOTHING_MORE


def act_statement(at: int, act: AdministrativeAct) -> Statement:
    """Returns the statement that records an act, for the `beside` of a unit of work."""
    body: JsonObject = {
        "at": at,
        "by": act.by,
        "act": act.act,
        "kind": ACTS[act.act].subject,
        "subject": act.subject,
        "reason": act.reason,
        "details": {**act.details, **({"user": _system_user()} if act.by == OPERATOR else {})},
    }
    return Statement(RECORD, (canonical(body),))


def _system_user() -> str:
    """Returns the user of the operating system who runs this process, by name or number."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a container without a row for its user
        return str(os.getuid())


def record_act(connection: Connection, at: int, act: AdministrativeAct) -> None:
    """Records an act in the transaction of the connection; call it last, for acts wait for one another."""
    connection.execute(*act_statement(at, act))


def record_acts(connection: Connection, at: int, acts: Sequence[AdministrativeAct]) -> None:
    """Records several acts of one transaction."""
    for act in acts:
        record_act(connection, at, act)
