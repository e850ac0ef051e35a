"""The application with one slow operation, or slow to tell its news, for the tests of a polite stop."""

import os
from pathlib import Path
from threading import Event

import pytest
from flask import Flask

from service.app import create_app
from service.core import announce


def create_slow_app() -> Flask:
    """The service's application; `/slow` says that it began, then takes its time."""
    app = create_app()

    @app.get("/slow")
    def slow() -> dict[str, str]:
        Path(os.environ["BEGAN"]).touch()
        Event().wait(2)
        return {"status": "finished"}

    return app


def create_late_app() -> Flask:
    """The service's application with a delay of all announcements."""
    pytest.MonkeyPatch().setattr(announce, "GATHER", 2.0)
    return create_app()
