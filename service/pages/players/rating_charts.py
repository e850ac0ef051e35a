"""Charts of a player's ratings as SVG coordinates: one for each game, a dot for each rated game."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from psycopg import Connection

from service.core.clock import iso_time
from service.pages.games.game_lists import TITLES
from service.ratings.queries import PoolRating, RatingChange, history, ratings_of

MOST: Final = 200  # newest games in a chart
WIDTH, HEIGHT = 640, 220
LEFT, RIGHT, TOP, BOTTOM = 44, 632, 10, 200  # edges of the plot area
STEPS: Final = (50, 100, 200, 500, 1000)  # between two marks of the scale


class Dot(NamedTuple):
    """A rated game in the chart: its position, the rating after it, and its end event when the reader may see it."""

    x: float
    y: float
    rating: int
    at: str | None
    place: int
    players: int
    game: str | None
    seq: int


class Chart(NamedTuple):
    """The chart of one rating."""

    title: str
    pool: str
    rating: int
    deviation: int
    games: int
    line: str  # polyline points of SVG
    band: str  # polygon of the rating plus or minus its deviation
    dots: tuple[Dot, ...]
    scale: tuple[tuple[float, int], ...]
    size: tuple[int, int] = (WIDTH, HEIGHT)
    field: tuple[int, int] = (LEFT, RIGHT)


def charts(connection: Connection, player: str, reader: str | None) -> Iterator[Chart]:
    """Yields a chart for each game in which the player is rated."""
    for own in ratings_of(connection, player):
        changes = history(connection, player, reader, own.game, None, MOST)[::-1]
        yield _chart(own, [change for change in changes if change.pool == own.pool])


def _chart(own: PoolRating, changes: Sequence[RatingChange]) -> Chart:
    ratings = [changes[0].before, *(change.after for change in changes)]
    lowest = min(rating.displayed - rating.deviation for rating in ratings)
    highest = max(rating.displayed + rating.deviation for rating in ratings)

    def x(number: int) -> float:
        return round(LEFT + (RIGHT - LEFT) * number / (len(ratings) - 1), 1)

    def y(rating: int) -> float:
        return round(BOTTOM - (BOTTOM - TOP) * (rating - lowest) / (highest - lowest), 1)

    line = [(x(number), y(rating.displayed)) for number, rating in enumerate(ratings)]
    above = [(x(number), y(rating.displayed + rating.deviation)) for number, rating in enumerate(ratings)]
    below = [(x(number), y(rating.displayed - rating.deviation)) for number, rating in enumerate(ratings)]
    return Chart(
        title=TITLES[own.game],
        pool=own.pool,
        rating=own.rating.displayed,
        deviation=own.rating.deviation,
        games=own.games,
        line=_corners(line),
        band=_corners([*above, *reversed(below)]),
        dots=tuple(_dot(*corner, change) for corner, change in zip(line[1:], changes, strict=True)),
        scale=tuple((y(mark), mark) for mark in _marks(lowest, highest)),
    )


def _dot(x: float, y: float, change: RatingChange) -> Dot:
    game = str(change.stream) if change.visible else None
    return Dot(x, y, change.after.displayed, iso_time(change.at), change.place, change.players, game, change.seq)


def _corners(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x},{y}" for x, y in points)


def _marks(lowest: int, highest: int) -> range:
    """Returns up to eight round numbers between the limits."""
    step = next((step for step in STEPS if (highest - lowest) / step <= 8), STEPS[-1])
    return range(-(-lowest // step) * step, highest + 1, step)
