"""Bounds of the forms of pages: a longer one, or one of too many fields, is refused before it is parsed."""

from collections.abc import Collection, Mapping
from typing import Final

from flask import Flask, request
from werkzeug.exceptions import RequestEntityTooLarge

from service.studies.schemas.documents import LONGEST_SCRIPT
from service.web.body_bounds import bound_body

MOST_FIELDS: Final = 2_000
MOST_BYTES: Final = 262_144
BYTES_OF_CHARACTER: Final = 12  # four bytes, each written as three characters
LARGER: Final[Mapping[str, int]] = {"/studies/import": LONGEST_SCRIPT * BYTES_OF_CHARACTER}


def bound_forms(app: Flask, operations: Collection[str]) -> None:
    """Bounds the bodies of all blueprints except `operations`, whose schemas bound them."""

    def check() -> None:
        if request.method != "POST" or request.blueprint is None or request.blueprint in operations:
            return
        rule = "" if request.url_rule is None else request.url_rule.rule
        bound_body(LARGER.get(rule, MOST_BYTES))
        if request.mimetype == "application/x-www-form-urlencoded" and request.get_data().count(b"&") > MOST_FIELDS:
            raise RequestEntityTooLarge

    app.before_request(check)
