"""Creates the web application from settings: stores, error handlers, routes and pages."""

import os
from typing import TYPE_CHECKING, Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

from service import importing  # the first of ours: it puts off the collection of garbage
from service import settings as config
from service.container import open_container
from service.core import logs
from service.pages import PAGES
from service.pages.docs import views as docs
from service.pages.players import accounts
from service.pages.site import (
    changelog,
    form_bounds,
    layout,
    problem_page,
    query_parameters,
    static_compression,
    static_versions,
)
from service.web import error_handlers, rate_limits, request_log, responses, routing
from service.web.blueprints import ROUTES
from service.web.browsers import cross_origin, security_headers
from service.web.fastpath import FastFlask
from service.web.live import parking
from service.web.openapi import deprecation
from service.web.standby.hanging_commits import refuse_while_commits_hang
from service.web.standby.routing import install_standby

if TYPE_CHECKING:
    from collections.abc import Iterable
    from wsgiref.types import StartResponse, WSGIEnvironment

importing.end()


class Service(FastFlask):
    """A Flask application whose views are plain functions, reached over as many proxies as the operator trusts."""

    def __init__(self, proxies: int) -> None:
        super().__init__("service", static_folder="pages/static", template_folder="pages/templates")
        self.static_version = static_versions.version_of(self.static_folder or "")
        self._through = ProxyFix(super().wsgi_app, x_for=proxies, x_proto=proxies) if proxies else super().wsgi_app

    def wsgi_app(self, environ: "WSGIEnvironment", start_response: "StartResponse") -> "Iterable[bytes]":
        """Answers a request; behind trusted proxies, with the address that they forward."""
        static_versions.without_version(environ)
        return self._through(environ, start_response)

    def url_for(self, endpoint: str, **values: Any) -> str:
        """Returns an address of the application; that of a static file carries the version of them all."""
        url = super().url_for(endpoint, **values)
        return static_versions.with_version(url, self.static_version) if endpoint == "static" else url


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
    app.register_blueprint(docs.pages(ROUTES))
    app.register_blueprint(changelog.pages(ROUTES))
    app.register_blueprint(accounts.pages())
    for pages in PAGES:
        app.register_blueprint(pages)
    layout.add_template_variables(app)
    problem_page.show_problems_as_pages(app)
    security_headers.guard(app, settings.public_url)
    cross_origin.open_to_other_origins(app, ROUTES)
    error_handlers.register_error_handlers(app)
    responses.add_language_headers(app)
    deprecation.add_deprecation_headers(app)
    responses.compress_responses(app)
    static_compression.compress_static_files(app)
    static_versions.keep_static_files(app, app.static_version)
    refuse_while_commits_hang(app, container)
    install_standby(app, container)
    rate_limits.install_rate_limits(app, container)  # after compression: its hooks see answers before it
    operations = {routes.name for routes in ROUTES}
    form_bounds.bound_forms(app, operations)
    query_parameters.check_pages(app, operations)
    return app
