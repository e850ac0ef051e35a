"""Answers replays, finished games, bundles, lists and search from a standby, if there is one.

A client never reads behind its own write: the standby is waited for shortly, else the primary answers. The primary also
answers where the standby refuses, fails or knows less than this process.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

import psycopg
from flask import Flask, Response, request

from events.errors import CabildoError
from service.container import Container
from service.core.standby.own_writes import OwnWrites
from service.core.standby.read_pool import Standby, StandbyBehind, reading_from
from service.web.auth import SAFE_METHODS
from service.web.rate_limits import clients, is_known

ENDPOINTS: Final = frozenset(
    (
        *("reading.replay", "home.replay", "records.record", "bundles.bundle"),
        *("lists.games", "lobby.lobby", "studies.of_game", "analyses.of_game"),
        *("studies.listed", "study_pages.listed"),
        *("players.profile", "people.person", "ratings.best", "ratings.of_player", "ratings.inputs"),
        *("rating_pages.ratings", "tournament reading.tournaments", "tournament_pages.tournaments"),
        *("tournament reading.archive", "tournament reading.editions"),
    )
)
NOT_ANSWERED: Final = (StandbyBehind, CabildoError, psycopg.Error)


def install_standby(app: Flask, container: Container) -> None:
    """Leads requests of the application to the standby of its container."""
    standby = container.stores.standby
    if standby is None:
        return
    writes = OwnWrites(container.stores.redis, container.stores.pool)

    def note_write(response: Response) -> Response:
        if request.method not in SAFE_METHODS:
            writes.note(clients(container))
        return response

    app.after_request(note_write)
    for endpoint in ENDPOINTS:
        app.view_functions[endpoint] = _answered(app.view_functions[endpoint], container, standby, writes)


def _answered(
    view: Callable[..., Any], container: Container, standby: Standby, writes: OwnWrites
) -> Callable[..., Any]:
    """Wraps a view: it runs on the standby, and again on the primary where that gives no answer."""

    @wraps(view)
    def run(**path: Any) -> Any:
        if not is_known(container) or not standby.is_usable():
            return view(**path)
        try:
            if not writes.are_replayed(clients(container), standby):
                return view(**path)
            with reading_from(standby=True):
                return view(**path)
        except NOT_ANSWERED as problem:
            if isinstance(problem, psycopg.OperationalError):
                standby.rest()
        return view(**path)

    return run
