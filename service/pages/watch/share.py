"""What links to a game show elsewhere: title, description and a picture of the board, as any spectator may see them."""

import threading
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from uuid import UUID

from cachetools import LRUCache
from flask import Blueprint, Response, request

from events.errors import CabildoError
from events.json_types import JsonObject
from events.messages import Message
from projections.games.record import FINISHED, RUNNING
from projections.pictures.png import png
from projections.pictures.share_card import CardWords, share_card
from projections.rules.protocol import NO_BOARD
from service.core.errors import InvalidRequest
from service.core.work_gate import Capacity, WorkGate
from service.games import queries
from service.games.summary import stored_summary
from service.games.visibility import Visibility, visible_game
from service.i18n import phrases
from service.pages.games.game_lists import TITLES, name_of
from service.web.responses import etag_response, request_language
from service.web.routing import container

MOST_BYTES: Final = 16 * 2**20  # of the pictures that a process keeps
PNG: Final = "image/png"
LOCALES: Final = {"en": "en_GB", "is": "is_IS", "sv": "sv_SE", "cs": "cs_CZ", "hu": "hu_HU"}
pages = Blueprint("share", __name__)
_pictures: LRUCache[object, bytes] = LRUCache(MOST_BYTES, len)
_lock = threading.Lock()  # of the pictures
_drawing = WorkGate(Capacity(Message("pictures"), at_once=1, waiting=3, wait_seconds=5.0, longest=5.0))


class ShareTexts(NamedTuple):
    """What a link to a game says elsewhere."""

    title: str
    description: str
    url: str
    image: str
    locale: str


@pages.get("/games/<uuid:game>/share.png")
def picture_of(game: UUID) -> Response:
    """Draws the board of a game as any spectator may see it: the newest, or at a version."""
    visible, at, language = _seen(game), asked_version("at"), request_language()
    if at is not None:
        queries.board_at(container().games, visible, at)  # raises NotThere
    words = _words(visible, language)
    parts = ("share", game, visible.table.head.hash.hex(), at, language, words)
    return etag_response(parts, lambda: Response(_drawn(parts, visible, at, words, language), content_type=PNG))


def share_texts(game: UUID, path: str, at: int | None = None) -> ShareTexts | None:
    """Returns what a link to a page of a game says elsewhere; None for a game that not everybody may see.

    The link leads to a step, and shows its board, where a version is named that spectators see.
    """
    try:
        visible = _seen(game)
    except CabildoError:
        return None
    asked = f"at={at}" if at is not None and _is_seen(visible, at) else ""
    language, url = request_language(), container().settings.public_url.rstrip("/")
    words = _words(visible, language)
    title = f"{words.title}: {', '.join(words.players)}"
    image = f"{url}/games/{game}/share.png?{'&'.join(filter(None, (asked, f'language={language}')))}"
    return ShareTexts(title, words.state, f"{url}{path}{asked and f'?{asked}'}", image, LOCALES[language])


def asked_version(name: str) -> int | None:
    """Returns the version that the query names; raises InvalidRequest."""
    given = request.args.get(name, "").strip()
    if given and not (given.isascii() and given.isdigit() and len(given) < 10):
        raise InvalidRequest({name: ["takes a whole number"]})
    return int(given) if given else None


def _seen(game: UUID) -> Visibility:
    return visible_game(container().games, container().deals, game, None)


def _is_seen(visible: Visibility, at: int) -> bool:
    """Returns whether there is a board at a version that spectators see."""
    try:
        queries.board_at(container().games, visible, at)
    except CabildoError:
        return False
    return True


def _drawn(key: object, visible: Visibility, at: int | None, words: CardWords, language: str) -> bytes:
    """Returns a picture; raises ServiceBusy while more are drawn than may wait. One draws: it takes a processor."""
    if (kept := _kept(key)) is not None:
        return kept
    with _drawing.passed():
        if (kept := _kept(key)) is None:  # another request did not draw it meanwhile
            kept = png(share_card(words, _position(visible, at), language))
            with _lock:
                _pictures[key] = kept
    return kept


def _kept(key: object) -> bytes | None:
    with _lock:
        return _pictures.get(key)


def _position(visible: Visibility, at: int | None) -> JsonObject | None:
    if at is None and visible.table.board is NO_BOARD:
        return None
    board = queries.board_at(container().games, visible, at)
    return queries.visible_board(visible.game, board, None)


def _words(visible: Visibility, language: str) -> CardWords:
    document: Mapping[str, Any] = stored_summary(container(), visible.table, None, language)
    names = tuple(name_of(seat, language) for seat in document["seats"])
    return CardWords(TITLES[visible.record.game], names, " · ".join(_state(visible, document, names, language)))


def _state(visible: Visibility, document: Mapping[str, Any], names: tuple[str, ...], language: str) -> list[str]:
    """Returns how the game stands: its tournament, its status, and its round or its winners."""

    def say(key: str, **values: object) -> str:
        return phrases.phrase(language, key, **values)

    event, result = document["tournament_table"], document["result"]
    said = (
        [event["title"] or say("tournament.untitled"), say("tournament.round", number=event["round"])] if event else []
    )
    said.append(say(f"common.status_{visible.record.status}"))
    if visible.record.status == RUNNING and visible.table.board is not NO_BOARD:
        said.append(say("watch.round", round=visible.game.view(visible.board, None)["round"]))
    elif visible.record.status == FINISHED and result.get("places"):
        winners = [seat for seat, place in enumerate(result["places"]) if place == 1]
        points = say("common.points", n=result["points"][winners[0]]) if winners else ""
        said += [say("replay.won", names=", ".join(names[seat] for seat in winners), points=points)] if winners else []
    return said
