"""Renders problem documents as HTML pages for browsers."""

from typing import Final

from flask import Flask, Response, render_template, request

from service.web.problem_types import MEDIA_TYPE

OF_PROGRAMS: Final = ("/v1/", "/log/", "/openapi.json", "/healthz", "/readyz")
FORMS: Final = (MEDIA_TYPE, "application/json", "text/html")  # a client that accepts all alike is a program


def show_problems_as_pages(app: Flask) -> None:
    """Registers the conversion of problems to pages for browsers."""
    app.after_request(_dressed)


def _dressed(response: Response) -> Response:
    if response.mimetype == MEDIA_TYPE and _wants_page():
        response.set_data(render_template("trouble.html", problem=response.get_json()))
        response.mimetype = "text/html"
    return response


def _wants_page() -> bool:
    """Returns whether the client prefers HTML."""
    return not request.path.startswith(OF_PROGRAMS) and request.accept_mimetypes.best_match(FORMS) == FORMS[-1]
