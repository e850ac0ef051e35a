"""Ratings, their changes and their inputs as clients read them."""

from collections.abc import Mapping, Sequence
from typing import TypedDict

from psycopg import Connection

from events.json_types import JsonObject
from events.store.connections import snapshot
from projections.ratings.model import MODEL, Rating
from service.core.clock import iso_time
from service.players.bot_descriptions import bots_among
from service.players.documents import NamedPlayer
from service.players.queries import names_of
from service.ratings.queries import (
    InputNumber,
    PoolPage,
    PoolRating,
    RankedPlayer,
    RatingChange,
    StoredInput,
    best_players,
    bot_level,
    newest_input,
    read_input,
)


class RatingNumbers(TypedDict):
    """A rating as displayed, and exactly in millionths."""

    rating: int
    deviation: int
    mu: int
    sigma: int


class RankedPlayerDocument(RatingNumbers):
    """A player's rating in a list."""

    rank: int
    player: NamedPlayer
    about: JsonObject | None
    games: int


class InputSummary(TypedDict):
    """The inputs behind the ratings of a pool."""

    number: int
    idx: int
    hash: str
    model: str


class BestPlayers(TypedDict):
    """A page of the ratings of a game."""

    game: str
    pool: str
    input: InputSummary | None
    ratings: Sequence[RankedPlayerDocument]
    next: int | None


class OwnRatingDocument(RatingNumbers):
    """A player's rating in a game."""

    game: str
    pool: str
    games: int


class RatingChangeDocument(TypedDict):
    """A change of a rating by a game."""

    game: str
    pool: str
    stream: str | None
    seq: int
    idx: int
    at: str | None
    place: int
    players: int
    before: RatingNumbers
    after: RatingNumbers


class RatingHistory(TypedDict):
    """A player's ratings and their changes, newest first."""

    ratings: Sequence[OwnRatingDocument]
    history: Sequence[RatingChangeDocument]
    next: int | None


class StoredInputDocument(TypedDict):
    """The input of one game."""

    number: int
    idx: int
    input: JsonObject
    hash: str


class InputPage(TypedDict):
    """A page of inputs in the order of the log."""

    inputs: Sequence[StoredInputDocument]
    next: int | None


def best_of(connection: Connection, page: PoolPage) -> BestPlayers:
    """Returns a page of the best players of a pool, with the inputs of its ratings."""
    with snapshot(connection):  # whoever computes them again from this input finds these ratings
        rows = best_players(connection, page)
        names = names_of(connection, {row.player for row in rows})
        bots = bots_among(connection, {row.player for row in rows})
        newest = newest_input(connection, page.game, page.pool)
    return {
        "game": page.game,
        "pool": page.pool,
        "input": None if newest is None else _input_summary(newest),
        "ratings": [_rank_document(row, names, bots) for row in rows[: page.limit]],
        "next": page.after + page.limit if len(rows) > page.limit else None,
    }


def _rank_document(row: RankedPlayer, names: Mapping[str, str], bots: Mapping[str, JsonObject]) -> RankedPlayerDocument:
    player: NamedPlayer = {"id": row.player, "name": names.get(row.player) or bot_level(row.player)}
    about = bots.get(row.player)
    return {"rank": row.rank, "player": player, "about": about, "games": row.games, **rating_numbers(row.rating)}


def _input_summary(newest: InputNumber) -> InputSummary:
    return {"number": newest.number, "idx": newest.idx, "hash": bytes(newest.hash).hex(), "model": MODEL}


def rating_history(ratings: Sequence[PoolRating], changes: Sequence[RatingChange], limit: int) -> RatingHistory:
    """Returns a player's ratings and a page of their changes; `changes` has one more when there is a next page."""
    return {
        "ratings": [_own_rating(row) for row in ratings],
        "history": [_change_document(change) for change in changes[:limit]],
        "next": changes[limit - 1].idx if len(changes) > limit else None,
    }


def _own_rating(row: PoolRating) -> OwnRatingDocument:
    return {"game": row.game, "pool": row.pool, "games": row.games, **rating_numbers(row.rating)}


def _change_document(change: RatingChange) -> RatingChangeDocument:
    return {
        "game": change.game,
        "pool": change.pool,
        "stream": str(change.stream) if change.visible else None,
        "seq": change.seq,
        "idx": change.idx,
        "at": iso_time(change.at),
        "place": change.place,
        "players": change.players,
        "before": rating_numbers(change.before),
        "after": rating_numbers(change.after),
    }


def input_page(inputs: Sequence[StoredInput], limit: int) -> InputPage:
    """Returns a page of inputs; `inputs` has one more when there is a next page."""
    return {
        "inputs": [_input_document(row) for row in inputs[:limit]],
        "next": inputs[limit - 1].number if len(inputs) > limit else None,
    }


def _input_document(row: StoredInput) -> StoredInputDocument:
    return {"number": row.number, "idx": row.idx, "input": read_input(row.body), "hash": bytes(row.hash).hex()}


def rating_numbers(rating: Rating) -> RatingNumbers:
    """Returns a rating as displayed, and exactly in millionths."""
    return {"rating": rating.displayed, "deviation": rating.deviation, "mu": rating.mu, "sigma": rating.sigma}
