"""A card of 1200 by 630 points for links to a game: title, players, how it stands, and the board where there is one."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from events.json_types import JsonObject
from projections.pictures import picture
from projections.pictures.svg import drawing, element, fitted, text

SIZE: Final = (1200, 630)  # as social networks show it
MARGIN: Final = 24
HEAD: Final = 96  # the height of the title
DRAWN: Final = re.compile(r'width="(\d+)" height="(\d+)"')
BRAND: Final = "Cabildo"


class CardWords(NamedTuple):
    """What a card says."""

    title: str
    players: Sequence[str]  # by seat
    state: str


def share_card(words: CardWords, position: JsonObject | None, language: str) -> str:
    """Returns the card as SVG; without a position, as before the start, it names the players alone."""
    parts = [*_heading(words)]
    if position is None:
        parts += [text(MARGIN, 200 + at * 64, f"{at + 1}. {name}", 40) for at, name in enumerate(words.players)]
    else:
        parts.append(_fitted_board(picture(position, words.players, language=language)))
    return drawing(*SIZE, f"{words.title}: {words.state}", parts)


def _heading(words: CardWords) -> Iterator[str]:
    yield text(MARGIN, 50, words.title, 36, font_weight=700)
    yield text(SIZE[0] - MARGIN, 50, BRAND, 28, text_anchor="end", font_weight=700, fill="#9a3d17")
    yield fitted(MARGIN, 84, words.state, SIZE[0] - 2 * MARGIN, 22, fill="#6b5b49")


def _fitted_board(board: str) -> str:
    """Returns the board as large as the room under the heading lets it be, in the middle."""
    found = DRAWN.search(board)
    assert found is not None
    width, height = int(found[1]), int(found[2])
    scale = min((SIZE[0] - 2 * MARGIN) / width, (SIZE[1] - HEAD - MARGIN) / height)
    left = (SIZE[0] - width * scale) / 2
    return element("g", {"transform": f"translate({left:.1f} {HEAD}) scale({scale:.3f})"}, board)
