"""Scrapes metrics as the second listening socket of a web server answers them."""

from flask import Flask
from werkzeug.test import Client

from service.web.routing import EXTENSION
from service.web.server.metrics_endpoint import metrics_endpoint


def scraped(app: Flask) -> str:
    """All metrics as text."""
    answer = Client(metrics_endpoint(app.extensions[EXTENSION].stores)).get("/metrics")
    assert answer.status_code == 200
    return answer.text
