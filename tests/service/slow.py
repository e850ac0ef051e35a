"""The application with one slow operation, for the test of a polite stop."""

import os
from pathlib import Path
from threading import Event

from flask import Flask

from service.app import create_app


def create_slow_app() -> Flask:
    """The service's application; `/slow` says that it began, then takes its time."""
    app = create_app()

    @app.get("/slow")
    def slow() -> dict[str, str]:
        Path(os.environ["BEGAN"]).touch()
        Event().wait(2)
        return {"status": "finished"}

    return app
