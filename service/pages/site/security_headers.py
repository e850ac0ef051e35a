"""Security headers of pages: only own scripts, no frames, no guessing of types."""

from typing import Final

from flask import Flask, Response

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors {frames}"
)
FRAMED: Final = "X-Cabildo-Framed"  # internal header of a page that other sites may frame; never sent
HEADERS: Final = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def guard(app: Flask) -> None:
    """Adds the policy to every page."""
    app.after_request(_guarded)


def _guarded(response: Response) -> Response:
    if response.mimetype == "text/html":
        framed = response.headers.pop(FRAMED, None)
        policy = POLICY.format(frames="'none'" if framed is None else "*")
        response.headers.update({**HEADERS, "Content-Security-Policy": policy})
    return response
