"""Schemas of ratings: lists, histories and inputs."""

from typing import TypedDict

from marshmallow import Schema, fields, validate

from projections.ratings.model import POOLS
from projections.rules.registry import GAMES
from service.games.schemas.documents import BotDescriptionDocument, Person
from service.games.schemas.queries import number
from service.web.schema_fields import description, moment

GAME = validate.OneOf(sorted(GAMES))
POOL = validate.OneOf(POOLS)


class LoadedPoolQuery(TypedDict):
    """A loaded `PoolQuery`."""

    game: str
    pool: str
    after: int
    limit: int


class PoolQuery(Schema):
    """A game and pool, and the start of the page."""

    game = fields.String(required=True, validate=GAME)
    pool = fields.String(
        load_default=POOLS[0], validate=POOL, metadata=description("Players and bots are rated apart.")
    )
    after = number(
        0, 10_000_000, load_default=0, metadata=description("Number of entries to skip: `next` of the page before.")
    )
    limit = number(1, 200, load_default=50)


class LoadedHistoryQuery(TypedDict):
    """A loaded `HistoryQuery`."""

    game: str | None
    before: int | None
    limit: int


class HistoryQuery(Schema):
    """Filters of rating changes."""

    game = fields.String(load_default=None, allow_none=False, validate=GAME)
    before = number(0, 2**53 - 1, load_default=None, metadata=description("`next` of the page before."))
    limit = number(1, 500, load_default=100)


class Worth(Schema):
    """A rating."""

    rating = fields.Integer(required=True, metadata=description("A beginner has 1500."))
    deviation = fields.Integer(required=True, metadata=description("Uncertainty of the rating; a beginner's is 500."))
    mu = fields.Integer(required=True, metadata=description("Exact value, in millionths."))
    sigma = fields.Integer(required=True, metadata=description("Exact value, in millionths."))


class Rated(Worth):
    """A player's rating in a list."""

    rank = fields.Integer(required=True, metadata=description("Rank by mu - 3 sigma, a cautious estimate."))
    player = fields.Nested(Person, required=True)
    about = fields.Nested(
        BotDescriptionDocument,
        required=True,
        allow_none=True,
        metadata=description("Of a bot's account: its engine and manifest; null: no such account, or hidden."),
    )
    games = fields.Integer(required=True)


class NewestInput(Schema):
    """The inputs behind the ratings."""

    number = fields.Integer(required=True, metadata=description("Number of rated games."))
    idx = fields.Integer(required=True, metadata=description("Log entry that ended the last of them."))
    hash = fields.String(
        required=True, metadata=description("Hash over the inputs of all games, in the order of the log.")
    )
    model = fields.String(required=True)


class RatingList(Schema):
    """A page of the ratings of a game."""

    game = fields.String(required=True)
    pool = fields.String(required=True)
    input = fields.Nested(NewestInput, required=True, allow_none=True)
    ratings = fields.List(fields.Nested(Rated), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=description("`after` of the next page; null: last page.")
    )


class OwnRating(Worth):
    """A player's rating in a game."""

    game = fields.String(required=True)
    pool = fields.String(required=True)
    games = fields.Integer(required=True)


class ChangeDocument(Schema):
    """A change of a rating by a game, and the event that ended the game."""

    game = fields.String(required=True)
    pool = fields.String(required=True)
    stream = fields.String(required=True, allow_none=True, metadata=description("Id of the game; null: it is private."))
    seq = fields.Integer(required=True, metadata=description("Number of the event that ended the game."))
    idx = fields.Integer(required=True, metadata=description("Number of that event in the log."))
    at = moment(required=True)
    place = fields.Integer(required=True, metadata=description("Place among the players rated with this one."))
    players = fields.Integer(required=True)
    before = fields.Nested(Worth, required=True)
    after = fields.Nested(Worth, required=True)


class PlayerRatings(Schema):
    """A player's ratings and their changes, newest first."""

    ratings = fields.List(fields.Nested(OwnRating), required=True)
    history = fields.List(fields.Nested(ChangeDocument), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=description("`before` of the next page; null: last page.")
    )


class InputDocument(Schema):
    """The input of one game."""

    number = fields.Integer(required=True)
    idx = fields.Integer(required=True)
    input = fields.Dict(required=True, metadata=description("The input; the hash covers its canonical JSON."))
    hash = fields.String(
        required=True, metadata=description('SHA-256 over "cabildo/ratings/v1", the hash before it, and the input.')
    )


class InputList(Schema):
    """A page of inputs in the order of the log."""

    inputs = fields.List(fields.Nested(InputDocument), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=description("`after` of the next page; null: last page.")
    )
