"""The routes of the service, a module per subject; a new subject is a module and a line in this table."""

from service.analyses import routes as analyses
from service.analyses import what_if_routes
from service.games.routes import (
    administration,
    challenges,
    consent,
    import_game,
    lifecycle,
    lobby,
    moves,
    outline,
    points,
    queries,
    rules,
    search,
)
from service.guides import routes as guides
from service.moderation import routes as moderation
from service.moderation.hidden_texts import routes as hidden_texts
from service.moderation.reports import routes as reports
from service.notices import routes as notices
from service.oauth import routes as oauth
from service.operations import routes as operations
from service.players import recovery_routes
from service.players import routes as players
from service.players.email import routes as email
from service.players.export import routes as export
from service.players.preferences import routes as preferences
from service.players.results import routes as results
from service.players.second_factor import routes as second_factor
from service.players.vacation import routes as vacation
from service.programmed_answers import routes as programmed_answers
from service.proof import log_routes
from service.proof import routes as proof
from service.ratings import routes as ratings
from service.studies.routes import copies, editing
from service.talk import routes as talk
from service.tournaments import routes as tournaments
from service.web.routing import Routes
from service.webhooks import routes as webhooks

ROUTES: tuple[Routes, ...] = (
    players.routes,
    recovery_routes.routes,
    second_factor.routes,
    oauth.routes,
    export.routes,
    email.routes,
    preferences.routes,
    vacation.routes,
    notices.routes,
    lifecycle.routes,
    challenges.routes,
    lobby.routes,
    moves.routes,
    programmed_answers.routes,
    consent.routes,
    administration.routes,
    moderation.routes,
    queries.routes,
    outline.routes,
    points.routes,
    rules.routes,
    guides.routes,
    what_if_routes.routes,
    import_game.routes,
    search.routes,
    ratings.routes,
    results.routes,
    operations.routes,
    log_routes.routes,
    proof.routes,
    editing.routes,
    copies.routes,
    *tournaments.ROUTES,
    analyses.routes,
    webhooks.routes,
    reports.routes,
    hidden_texts.routes,
    talk.routes,
)
