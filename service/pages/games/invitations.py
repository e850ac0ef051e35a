"""Invitations to a table: its links and QR codes, for every viewer; those of kept seats for the host alone."""

import io
from typing import Final, NamedTuple
from uuid import UUID

from flask import Blueprint, Response, make_response, render_template, request

from projections.games.record import INVITE, OPEN, GameRecord
from service.core.errors import NotThere
from service.games import invites
from service.games.visibility import visible_game
from service.pages.games.game_lists import TITLES
from service.pages.site.visitor import reader
from service.web.routing import container

SCALE: Final = 5  # pixels of a module of a QR code
BORDER: Final = 3  # modules
pages = Blueprint("invitations", __name__)


class Invitation(NamedTuple):
    """A link to a table; with a chair, to the seat that its code opens."""

    link: str
    chair: int | None = None

    @property
    def picture(self) -> str:
        """The query of its QR code."""
        return "" if self.chair is None else f"?chair={self.chair}"


@pages.get("/games/<uuid:game>/invite")
def invite(game: UUID) -> Response:
    """Renders the links and QR codes of a table."""
    record, invitations = _invitations(game)
    page = render_template(
        "invite.html", id=game, title=TITLES[record.game], open=record.status == OPEN, invitations=invitations
    )
    return _private(make_response(page))


@pages.get("/games/<uuid:game>/invite.svg")
def picture(game: UUID) -> Response:
    """Draws the QR code of a link; raises NotThere for a seat without one."""
    asked = request.args.get("chair")
    found = [one for one in _invitations(game)[1] if asked is None or str(one.chair) == asked]
    if not found:
        raise NotThere("invitation to seat", asked)
    import segno  # imported on use: slow to load

    drawn = io.BytesIO()
    code = segno.make(found[0].link, error="m", micro=False)
    code.save(drawn, kind="svg", scale=SCALE, border=BORDER, light="white", xmldecl=False)
    return _private(make_response(drawn.getvalue(), {"Content-Type": "image/svg+xml"}))


def _invitations(game: UUID) -> tuple[GameRecord, list[Invitation]]:
    """Returns a game and its links: to the table, and for the host to each seat that waits for its code."""
    identity = reader()
    who = None if identity is None else identity.id
    record = visible_game(container().games, container().deals, game, who).record
    place = f"{container().settings.public_url.rstrip('/')}/games/{game}"
    if record.status != OPEN:
        return record, [Invitation(place)]
    own = [number for number, chair in enumerate(record.chairs) if chair.kept_for == INVITE and chair.player is None]
    kept = own if who is not None and who == record.host else []
    key = container().settings.master_keys.current
    codes = [Invitation(f"{place}/play?invite={invites.code(key, game, chair)}", chair) for chair in kept]
    return record, codes or [Invitation(f"{place}/play")]


def _private(response: Response) -> Response:
    response.headers["Cache-Control"] = "private, no-store"
    return response
