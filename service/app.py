"""Creates the web application from settings: stores, error handlers, routes and pages."""

import os
from typing import TYPE_CHECKING

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service import settings as config
from service.container import open_container
from service.core import logs
from service.pages import PAGES
from service.pages.players import accounts
from service.pages.site import api_docs, form_bounds, layout, problem_page, query_parameters
from service.web import error_handlers, rate_limits, request_log, responses, routing, security_headers
from service.web.blueprints import ROUTES
from service.web.fastpath import FastFlask
from service.web.live import parking
from service.web.openapi import deprecation
from service.web.standby.hanging_commits import refuse_while_commits_hang
from service.web.standby.routing import install_standby

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment


class Service(FastFlask):
    """A Flask application whose views are plain functions, reached over as many proxies as the operator trusts."""

    def __init__(self, proxies: int) -> None:
        super().__init__("service", static_folder="pages/static", template_folder="pages/templates")
        self._through = ProxyFix(super().wsgi_app, x_for=proxies, x_proto=proxies) if proxies else super().wsgi_app

    def wsgi_app(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> "Iterable[bytes]":
        """Answers a request; behind trusted proxies, with the address that they forward."""
        return self._through(environ, start_response)


def create_app(settings: config.Settings | None = None) -> Flask:
    """Creates an application with its own connections; by default, settings come from the environment."""
    settings = settings or config.load(os.environ)
    logs.configure(settings.log_level, settings.log_format)
    app = Service(settings.trusted_proxies)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = settings.max_body_bytes
    container = app.extensions[routing.EXTENSION] = open_container(settings, "web")
    request_log.log_requests(app)
    app.before_request(parking.refuse_lost_access)
    for routes in ROUTES:
        app.register_blueprint(routes.blueprint)
    app.register_blueprint(api_docs.pages(ROUTES))
    app.register_blueprint(accounts.pages())
    for pages in PAGES:
        app.register_blueprint(pages)
    layout.add_template_variables(app)
    problem_page.show_problems_as_pages(app)
    security_headers.guard(app, settings.public_url)
    error_handlers.register_error_handlers(app)
    responses.add_language_headers(app)
    deprecation.add_deprecation_headers(app)
    responses.compress_responses(app)
    refuse_while_commits_hang(app, container)
    install_standby(app, container)
    rate_limits.install_rate_limits(app, container)  # after compression: its hooks see answers before it
    operations = {routes.name for routes in ROUTES}
    form_bounds.bound_forms(app, operations)
    query_parameters.check_pages(app, operations)
    return app
