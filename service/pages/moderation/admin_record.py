"""The administrators' page of the record of administrative acts, newest first."""

from typing import Final

from flask import Blueprint, Response, request

from service.moderation.documents import act_page, players_in
from service.moderation.queries import RecordQuery, recorded_acts
from service.moderation.schemas import ActQuery, LoadedRecordQuery
from service.pages.moderation.admin_site import PAGE, administrator, show
from service.players.queries import names_of
from service.web.responses import request_language
from service.web.routing import container, load_form

MOST: Final = 50  # acts on a page
pages = Blueprint("admin_record", __name__)


@pages.get(f"{PAGE}/record")
def record() -> Response:
    """Renders a page of the record."""
    identity = administrator()
    asked = {name: request.args[name] for name in ("before", "subject") if request.args.get(name)}
    query: LoadedRecordQuery = load_form(ActQuery, {**asked, "limit": MOST})
    with container().stores.pool.connection() as connection:
        acts = recorded_acts(connection, RecordQuery(**query)._replace(limit=MOST + 1))
        names = names_of(connection, players_in(acts))
    return show(identity, "admin_record.html", page=act_page(acts, MOST, names, request_language()), query=query)
