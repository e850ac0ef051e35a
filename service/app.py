"""The web application, put together from settings: stores, problems, request ids, routes, pages."""

import os
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix
from werkzeug.routing import Rule

from service import settings as config
from service.container import open_world
from service.core import logs
from service.pages import PAGES
from service.pages.players import accounts
from service.pages.site import api_docs, layout, problem_page, security_headers
from service.web import error_handlers, rate_limits, request_log, responses, routing
from service.web.blueprints import ROUTES


class SeldomBuilt(Rule):
    """A rule whose addresses are seldom built: how to do so is worked out the first time, not as the process starts."""

    def _compile_builder(self, append_unknown: bool = True) -> Callable[..., tuple[str, str]]:
        builder = cache(partial(super()._compile_builder, append_unknown))
        return lambda rule, **values: builder()(rule, **values)


class Service(Flask):
    """A Flask application whose views are plain functions, reached over as many proxies as the operator trusts."""

    url_rule_class = SeldomBuilt

    def __init__(self, proxies: int) -> None:
        super().__init__("service", static_folder="pages/static", template_folder="pages/templates")
        self._through = ProxyFix(super().wsgi_app, x_for=proxies, x_proto=proxies) if proxies else super().wsgi_app

    def ensure_sync(self, func: Callable[..., Any]) -> Callable[..., Any]:
        """The function itself: Flask would look ten times a request whether it is a coroutine."""
        return func

    def wsgi_app(self, environ: Any, start_response: Any) -> Any:
        """Answer a request; with proxies, as from the address that the nearest trusted one was asked by."""
        return self._through(environ, start_response)


def create_app(settings: config.Settings | None = None) -> Flask:
    """An application over its own connections; settings come from the environment when none are given."""
    settings = settings or config.load(os.environ)
    logs.configure(settings.log_level, settings.log_format)
    app = Service(settings.trusted_proxies)
    app.config["MAX_CONTENT_LENGTH"] = app.config["MAX_FORM_MEMORY_SIZE"] = settings.max_body_bytes
    world = app.extensions[routing.EXTENSION] = open_world(settings, "web")
    request_log.observe(app)
    for routes in ROUTES:
        app.register_blueprint(routes.blueprint)
    app.register_blueprint(api_docs.pages(ROUTES))
    app.register_blueprint(accounts.pages())
    for pages in PAGES:
        app.register_blueprint(pages)
    layout.lay_out(app)
    problem_page.dress(app)
    security_headers.guard(app)
    error_handlers.tell_all(app)
    rate_limits.limit_all(app, world)
    responses.name_languages(app)
    responses.compress_all(app)
    return app
