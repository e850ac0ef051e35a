"""Tournaments over HTTP: declaring, entering, rounds, rulings, reading, figures."""

from service.api import Routes
from service.routes.tournaments import declaring, entering, figures, reading, rounds, rulings, templates

ROUTES: tuple[Routes, ...] = (
    declaring.routes,
    entering.routes,
    rounds.routes,
    rulings.routes,
    reading.routes,
    figures.routes,
    templates.routes,
)
