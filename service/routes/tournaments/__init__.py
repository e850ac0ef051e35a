"""Tournaments over HTTP: declaring, entering, rounds, rulings, reading."""

from service.api import Routes
from service.routes.tournaments import declaring, entering, reading, rounds, rulings, stages, templates

ROUTES: tuple[Routes, ...] = (
    declaring.routes,
    entering.routes,
    rounds.routes,
    rulings.routes,
    reading.routes,
    stages.routes,
    templates.routes,
)
