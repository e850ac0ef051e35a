"""The landing page, and the page that replays a game."""

from typing import Final
from uuid import UUID

from flask import Blueprint, Response, render_template

from projections.games.record import FINISHED, RUNNING
from service.games import written_records
from service.games.access import may_abort_as_maker
from service.games.visibility import Visibility, visible_game
from service.games.written_records import RecordTexts
from service.i18n.messages import hidden_notice
from service.pages.games.board_labels import setting
from service.pages.games.game_lists import TITLES, event_of, newest_games
from service.pages.guests.guest_forms import page_with_token
from service.pages.players.bot_cards import bots_at
from service.pages.site.visitor import reader
from service.pages.watch.embed import embedding
from service.pages.watch.share import asked_version, share_texts
from service.web.responses import request_language
from service.web.routing import container

MOST: Final = 12  # games of each kind on the landing page
pages = Blueprint("home", __name__)


@pages.get("/")
def home() -> Response:
    """Renders games to begin at once, three links, a board, and the newest public games, running and finished."""
    identity, words = reader(), request_language()
    who = None if identity is None else identity.id
    games = {status: newest_games(status, who, MOST, words).games for status in (RUNNING, FINISHED)}
    stage = max(games[RUNNING] or games[FINISHED], key=lambda game: game.version, default=None)  # most events
    drawn = stage and {**setting(stage.game, words), "id": stage.id, "game": stage.game}
    contents = {"listed": games, "stage": stage, "setting": drawn, "games": TITLES}
    return page_with_token(lambda token: render_template("home.html", token=token, **contents))


@pages.get("/games/<uuid:game>")
def replay(game: UUID) -> str:
    """Renders a game step by step."""
    who, words = reader(), request_language()
    visible = visible_game(container().games, container().deals, game, None if who is None else who.id)
    kind = visible.record.game
    seat = None if who is None else visible.record.seat_of(who.id)
    at = asked_version("at")
    share = share_texts(game, f"/games/{game}", at)
    return render_template(
        "game.html",
        id=game,
        title=TITLES[kind],
        event=event_of(game, visible.record.tournament, words),
        bots=bots_at(visible.record),
        setting={
            **setting(kind, words),
            "id": str(game),
            "game": kind,
            "title": TITLES[kind],
            "over": visible.is_over,
            "version": visible.version,
            "seat": seat,
            "player": None if who is None else who.id,
            "csrf": None if who is None else who.csrf,
            "guest": who is not None and who.guest,
            "at": at,
        },
        share=share,
        embedding=share and embedding(game, visible.record, None if who is None else who.id),
        chosen=visible.record.seed_chosen,
        seats=len(visible.record.chairs),
        record=_record(visible, words),
        abortable=who is not None and may_abort_as_maker(visible.record, who.id),
        seated=who is not None and visible.record.chair_of(who.id) is not None,
    )


def _record(visible: Visibility, language: str) -> RecordTexts | None:
    """Returns the metadata in the record of an imported game; None for a game played here."""
    if not visible.record.imported:
        return None
    with container().stores.pool.connection() as connection:
        return written_records.written(connection, visible.table.id, hidden_notice(language))
