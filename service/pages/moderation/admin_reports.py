"""The administrators' page of open reports, the longest waiting first, with what they are about."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from flask import Blueprint, Response, request

from events.errors import CabildoError
from service.moderation.reports.commands import LONGEST_NOTE, OUTCOMES, SettleReports, settle_reports
from service.moderation.reports.documents import ReportedThing, people_in, reported_thing
from service.moderation.reports.queries import ReportGroup, count_open, open_groups
from service.moderation.reports.schemas import Settlement, SettlementBody
from service.moderation.stored_texts import StoredText, text_of
from service.moderation.things import PLAYER
from service.pages.moderation.admin_site import PAGE, acting, address, administrator, answer, show
from service.players.identity import Identity
from service.players.queries import names_of
from service.web.routing import container, load_form

MOST: Final = 20  # things on a page
pages = Blueprint("admin_reports", __name__)


class ReportRow(NamedTuple):
    """A thing with its open reports, and its texts as they stand now."""

    thing: ReportedThing
    name: str | None  # of a player
    text: StoredText | None
    author: str | None


@pages.get(PAGE)
def reports() -> Response:
    """Renders the open reports."""
    return _page(administrator())


@pages.post(f"{PAGE}/reports")
def settle() -> Response:
    """Settles the reports about a thing that the page showed."""
    identity = acting()

    def act() -> str:
        given = {"reports": request.form.getlist("report"), "outcome": request.form.get("outcome", "")}
        body: SettlementBody = load_form(Settlement, {**given, "note": request.form.get("note") or None})
        settle_reports(container(), SettleReports(identity.id, body["reports"], body["outcome"], body["note"]))
        return address("")

    return answer(identity, act, lambda refused: _page(identity, refused))


def _page(identity: Identity, refused: CabildoError | None = None) -> Response:
    here = container()
    with here.stores.pool.connection() as connection:
        groups, following = open_groups(connection, request.args.get("after") or None, MOST)
        waiting = count_open(connection)
    texts = [text_of(here, group.thing) for group in groups]
    people = {str(group.thing.id) for group in groups if group.thing.about == PLAYER}
    people |= people_in(groups) | {text.author for text in texts if text is not None and text.author is not None}
    with here.stores.pool.connection() as connection:
        names = names_of(connection, people)
    rows = [_row(group, text, names) for group, text in zip(groups, texts, strict=True)]
    return show(
        identity,
        "admin_reports.html",
        refused,
        rows=rows,
        waiting=waiting,
        more=following,
        outcomes=OUTCOMES,
        longest_note=LONGEST_NOTE,
    )


def _row(group: ReportGroup, text: StoredText | None, names: Mapping[str, str]) -> ReportRow:
    author = None if text is None else names.get(text.author or "")
    return ReportRow(reported_thing(group, names), names.get(str(group.thing.id)), text, author)
