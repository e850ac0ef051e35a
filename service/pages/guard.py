"""What a browser is told not to do with our pages: no script but ours, no frames, no guessing of types."""

from typing import Final

from flask import Flask, Response

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
}


def guard(app: Flask) -> None:
    """Send the policy with every page."""
    app.after_request(_guarded)


def _guarded(response: Response) -> Response:
    if response.mimetype == "text/html":
        response.headers.update(HEADERS)
    return response
