"""A problem that a person runs into is told as a page: what happened, and the way back."""

from typing import Final

from flask import Flask, Response, render_template, request

from service.web.problem_types import MEDIA_TYPE

OF_PROGRAMS: Final = ("/v1/", "/log/", "/openapi.json", "/healthz", "/readyz", "/metrics")
FORMS: Final = (MEDIA_TYPE, "application/json", "text/html")  # a client that likes all the same is a program


def dress(app: Flask) -> None:
    """Turn problems into pages for browsers that ask for a page."""
    app.after_request(_dressed)


def _dressed(response: Response) -> Response:
    if response.mimetype == MEDIA_TYPE and _wants_page():
        response.set_data(render_template("trouble.html", problem=response.get_json()))
        response.mimetype = "text/html"
    return response


def _wants_page() -> bool:
    """Whether a person looks at the answer."""
    return not request.path.startswith(OF_PROGRAMS) and request.accept_mimetypes.best_match(FORMS) == FORMS[-1]
