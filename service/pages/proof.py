"""The page that verifies a bundle in the browser, with scripts that ask no server."""

from typing import Final

from flask import Blueprint, render_template

from projections.audit import CHECKS

IN_THE_BROWSER: Final = ("V1", "V2", "V3", "V4", "V5")

pages = Blueprint("proof", __name__)


@pages.get("/verify")
def verify() -> str:
    """The page, with the checks its scripts do."""
    checks = [(row.code, row.asks) for row in CHECKS if row.code in IN_THE_BROWSER]
    return render_template("verify.html", checks=checks)
