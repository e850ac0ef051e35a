"""HTTP routes of tournaments: regulations, entries, rounds, rulings, queries, standings."""

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
