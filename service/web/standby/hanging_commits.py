"""Refuses requests that write while commits wait for a lost standby."""

from flask import Flask, Response, request

from events.errors import CabildoError, CommitOverdue
from events.store.bounded_connection import AnswerOverdue
from service.container import Container
from service.core.errors import StoreUnavailable
from service.web.auth import SAFE_METHODS
from service.web.error_handlers import handle_cabildo_error


def refuse_while_commits_hang(app: Flask, container: Container) -> None:
    """Notes writes of the application that are not confirmed in time, and refuses further ones until commits end."""
    watch = container.commit_watch

    def check() -> None:
        if request.method not in SAFE_METHODS:
            watch.check()

    def note(error: AnswerOverdue | CommitOverdue) -> Response:
        if request.method in SAFE_METHODS:
            return handle_cabildo_error(StoreUnavailable("postgresql"))
        watch.note()
        overdue: CabildoError = error if isinstance(error, CommitOverdue) else CommitOverdue()
        return handle_cabildo_error(overdue)

    app.before_request(check)
    for kind in (AnswerOverdue, CommitOverdue):
        app.register_error_handler(kind, note)
