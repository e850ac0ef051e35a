"""The routes of the service, a module per subject; a new subject is a module and a line in this table."""

from service.api import Routes
from service.routes import (
    analyses,
    analysis,
    bundles,
    consent,
    games,
    health,
    importing,
    log,
    moves,
    players,
    ratings,
    reading,
    rules,
    search,
    studies,
    study_copies,
    tournaments,
    webhooks,
)

ROUTES: tuple[Routes, ...] = (
    players.routes,
    games.routes,
    moves.routes,
    consent.routes,
    reading.routes,
    rules.routes,
    analysis.routes,
    importing.routes,
    search.routes,
    ratings.routes,
    health.routes,
    log.routes,
    bundles.routes,
    studies.routes,
    study_copies.routes,
    *tournaments.ROUTES,
    analyses.routes,
    webhooks.routes,
)
