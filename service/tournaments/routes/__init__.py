"""Tournaments over HTTP: declaring, entering, rounds, rulings, reading, figures."""

from service.tournaments.routes import declare, entries, queries, regulation_templates, rounds, rulings, standings
from service.web.routing import Routes

ROUTES: tuple[Routes, ...] = (
    declare.routes,
    entries.routes,
    rounds.routes,
    rulings.routes,
    queries.routes,
    standings.routes,
    regulation_templates.routes,
)
