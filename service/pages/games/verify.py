"""The page that verifies a bundle in the browser without requests, and on demand by this service."""

from typing import Final

from flask import Blueprint, render_template

from projections.verify.bundle import CHECKS

IN_THE_BROWSER: Final = ("V1", "V2", "V3", "V4", "V5")

pages = Blueprint("proof", __name__)


@pages.get("/verify")
def verify() -> str:
    """Renders the page with all checks, and whether the browser or the service runs each."""
    return render_template("verify.html", checks=[(row.code, row.code in IN_THE_BROWSER) for row in CHECKS])
