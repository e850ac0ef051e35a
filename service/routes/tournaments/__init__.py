"""Tournaments over HTTP: declaring, entering, rounds, rulings, reading."""

from service.api import Routes
from service.routes.tournaments import declaring, entering, reading, rounds, rulings, templates

ROUTES: tuple[Routes, ...] = (
    declaring.routes,
    entering.routes,
    rounds.routes,
    rulings.routes,
    reading.routes,
    templates.routes,
)
