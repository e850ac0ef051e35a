"""Query parameters of pages: a page refuses unknown ones, as API operations do."""

from collections.abc import Collection, Mapping
from typing import Final

from flask import Flask, request

from service.games.schemas.search import GameQuery
from service.web.body_bounds import refuse_body
from service.web.routing import LANGUAGE, refuse_unknown_parameters

AT_TOURNAMENT: Final = "/tournaments/<uuid:tournament>"
TAKEN: Final[Mapping[str, Collection[str]]] = {
    "/login": ("next",),
    "/register": ("next",),
    "/account": ("done", "scopes", "label"),
    "/account/settings": ("done",),
    "/tokens": ("scopes", "label"),
    "/oauth/authorize": (
        *("client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method"),
        *("resource", "response_mode", "prompt", "nonce", "login_hint", "ui_locales"),  # of libraries; ignored
    ),
    "/oauth/device": ("user_code",),
    "/programs": ("done",),
    "/reports": ("about", "id", "thing", "after", "sent"),
    "/docs/search": ("q",),
    "/admin": ("after", "done"),
    "/admin/players": ("name", "done"),
    "/admin/texts": ("id", "after", "done"),
    "/admin/games": ("id", "open_days", "idle_days", "ended", "left", "done"),
    "/admin/record": ("before", "subject"),
    "/webhooks": ("url", "tournament", "game", "sent"),
    "/ratings": ("game", "pool", "limit", "after"),
    "/players": ("name",),
    "/players/<uuid:player>": ("after",),
    "/lobby": (*GameQuery().fields, "who"),
    "/games/new": ("game",),
    "/games/<uuid:game>": ("at",),
    "/games/<uuid:game>/play": ("invite", "as"),
    "/games/<uuid:game>/invite.svg": ("chair",),
    "/keep": ("next",),
    "/games/<uuid:game>/embed": ("size", "at"),
    "/games/<uuid:game>/share.png": ("at",),
    "/learn": ("welcome",),
    "/studies": ("title", "lesson", "mine", "game", "after"),
    "/tournaments": ("after",),
    "/tournaments/new": ("game", "template"),
    f"{AT_TOURNAMENT}/rounds/<int:number>": ("why",),
    f"{AT_TOURNAMENT}/standings": ("stage",),
    f"{AT_TOURNAMENT}/standings/<int:entrant>": ("stage",),
    f"{AT_TOURNAMENT}/cross-table": ("stage",),
    f"{AT_TOURNAMENT}/statistics": ("stage",),
    f"{AT_TOURNAMENT}/<any('standings', 'cross-table', 'statistics'):what>.csv": ("stage",),
    f"{AT_TOURNAMENT}/log": ("before",),
}
"""By the rule of the page; a page that is not here takes the language alone."""


def asked_parameters() -> dict[str, str]:
    """Returns what the query of a page asks for: its parameters with a value, but for the language of the page."""
    return {name: value for name, value in request.args.items() if value.strip() and name != LANGUAGE}


def check_pages(app: Flask, operations: Collection[str]) -> None:
    """Checks requests of pages and static files; `operations` check their own."""

    def check() -> None:
        if request.blueprint in operations or request.url_rule is None:
            return
        if request.query_string:
            refuse_unknown_parameters(dict.fromkeys(TAKEN.get(request.url_rule.rule, ()), False))
        if request.method == "GET":
            refuse_body()

    app.before_request(check)
