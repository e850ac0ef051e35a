"""Security headers: no guessing of types in any answer, HTTPS only behind TLS; pages run only their own scripts."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from flask import Flask, Response, request

POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'self'{forms}; frame-ancestors {frames}"
)
FRAMED: Final = "X-Cabildo-Framed"  # internal header of a page that other sites may frame; never sent
FORM_TARGET: Final = "X-Cabildo-Form-Target"  # internal header of a page whose form ends at another place; never sent
NO_SNIFFING: Final[Mapping[str, str]] = {"X-Content-Type-Options": "nosniff"}
HTTPS_ONLY: Final[Mapping[str, str]] = {"Strict-Transport-Security": "max-age=31536000"}


def guard(app: Flask, public_url: str) -> None:
    """Adds the headers to every answer of the application, and the policy to every page."""
    app.after_request(partial(_guarded, of_every_answer(public_url)))


def of_every_answer(public_url: str) -> Mapping[str, str]:
    """Returns the headers of every answer of a service that the world reaches under this URL."""
    return {**NO_SNIFFING, **HTTPS_ONLY} if public_url.startswith("https:") else NO_SNIFFING


def _guarded(always: Mapping[str, str], response: Response) -> Response:
    for name, value in always.items():
        response.headers[name] = value
    if request.is_secure:  # as a trusted proxy says
        response.headers.update(HTTPS_ONLY)
    if response.mimetype == "text/html":
        framed = response.headers.pop(FRAMED, None)
        target = response.headers.pop(FORM_TARGET, None)
        policy = POLICY.format(forms="" if target is None else f" {target}", frames="'none'" if framed is None else "*")
        response.headers.update({"Referrer-Policy": "same-origin", "Content-Security-Policy": policy})
    return response
