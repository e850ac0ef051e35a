"""The language switch at the foot of every page; a cookie stores the choice."""

from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from flask import Blueprint, redirect, request
from werkzeug.wrappers import Response

from projections.rules.catalogue import LANGUAGES
from service.web.responses import LANGUAGE_COOKIE
from service.web.routing import container

NAMES: Final = {"en": "English", "is": "Íslenska", "sv": "Svenska", "cs": "Čeština", "hu": "Magyar"}
REMEMBERED_FOR: Final = 366 * 86_400  # seconds

pages = Blueprint("language", __name__)


@pages.post("/language")
def switch() -> Response:
    """Stores the chosen language and redirects to the page of the form."""
    language = request.form.get("language", "")
    back = redirect(without_language(within(request.form.get("back", "/"))), 303)
    if language in LANGUAGES:
        secure = container().settings.public_url.startswith("https:")
        back.set_cookie(LANGUAGE_COOKIE, language, max_age=REMEMBERED_FOR, httponly=True, samesite="Lax", secure=secure)
    return back


def without_language(path: str) -> str:
    """Returns a path whose query names no language, so that the chosen one is shown."""
    parts = urlsplit(path)
    query = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if name != "language"]
    return urlunsplit(parts._replace(query=urlencode(query)))


@pages.after_app_request
def keep_language(response: Response) -> Response:
    """Lets a page that leads on lead to a page in the same language, where its address names one."""
    asked, to = request.args.get("language"), response.headers.get("Location", "")
    if request.method == "GET" and asked in LANGUAGES and to == within(to):
        response.headers["Location"] = with_language(to, asked)
    return response


def with_language(path: str, language: str) -> str:
    """Returns a path whose query names a language."""
    parts = urlsplit(without_language(path))
    return urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, f"language={language}")))))


def within(path: str) -> str:
    """Returns a local path; `/` for anything else."""
    ours = path.startswith("/") and not path.startswith(("//", "/\\")) and path.isprintable()
    return path if ours else "/"
