"""The routes of the service, a module per subject; a new subject is a module and a line in this table."""

from service.api import Routes
from service.routes import bundles, consent, games, health, log, moves, players, reading

ROUTES: tuple[Routes, ...] = (
    players.routes,
    games.routes,
    moves.routes,
    consent.routes,
    reading.routes,
    health.routes,
    log.routes,
    bundles.routes,
)
