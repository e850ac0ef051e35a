"""The web application, put together from settings: stores, problems, request ids, routes, pages."""

import os

from flask import Flask

from service import api, config, limits, logs, refusals, requests, transfer
from service.pages import accounts, docs, guard, home, layout, proof, trouble
from service.routes import ROUTES
from service.world import open_world


def create_app(settings: config.Settings | None = None) -> Flask:
    """An application over its own connections; settings come from the environment when none are given."""
    settings = settings or config.load(os.environ)
    logs.configure(settings.log_level, settings.log_format)
    app = Flask("service", static_folder="pages/static", template_folder="pages/templates")
    app.config["MAX_CONTENT_LENGTH"] = settings.max_body_bytes
    world = app.extensions[api.EXTENSION] = open_world(settings, "web")
    requests.observe(app)
    described = api.serve(app, ROUTES)
    app.register_blueprint(docs.pages(described))
    app.register_blueprint(accounts.pages())
    app.register_blueprint(home.pages())
    app.register_blueprint(proof.pages)
    layout.lay_out(app)
    trouble.dress(app)
    guard.guard(app)
    refusals.tell_all(app)
    limits.limit_all(app, world)
    transfer.compress_all(app)
    return app
