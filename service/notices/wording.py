"""Puts notices into words, in the language of who is told."""

from collections.abc import Sequence
from typing import Final, NamedTuple
from uuid import UUID

from projections.rules.catalogue import fill
from service.i18n.catalogue import MAILS, rows
from service.i18n.game_titles import GAME_TITLES

MOST: Final = 20  # lines of a mail or push
WAITING: Final = ("turn", "time")  # kinds that say that a game waits for the player


class Notice(NamedTuple):
    """What a player is told of."""

    kind: str
    stream: UUID
    game: str | None  # the kind of the game; None: of a tournament


def path_of(notice: Notice) -> str:
    """Returns the page that a notice leads to."""
    if notice.game is None:
        return f"/tournaments/{notice.stream}"
    return f"/games/{notice.stream}" if notice.kind == "over" else f"/games/{notice.stream}/play"


def lead(notices: Sequence[Notice], language: str) -> str:
    """Returns what a notice says, or how many games wait and how many other things are new."""
    if len(notices) == 1:
        return _line(notices[0], language)
    waiting = {notice.stream for notice in notices if notice.kind in WAITING}
    others = sum(notice.kind not in WAITING for notice in notices)
    counts = (("waiting", len(waiting)), ("several", others))
    return " ".join(_words(name, language, n=n) for name, n in counts if n)


def lines(notices: Sequence[Notice], language: str) -> Sequence[str]:
    """Returns what each notice says, of so many as fit."""
    return [_line(notice, language) for notice in notices[:MOST]]


def _line(notice: Notice, language: str) -> str:
    return _words(notice.kind, language, game=GAME_TITLES.get(notice.game or "", ""))


def _words(name: str, language: str, **values: object) -> str:
    return fill(language, rows(MAILS, "notices")[name][language], values)
