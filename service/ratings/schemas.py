"""Schemas of ratings: lists, histories and inputs."""

from marshmallow import Schema, fields, validate

from projections.ratings.model import POOLS
from projections.rules.registry import GAMES
from service.games.schemas.documents import Person
from service.games.schemas.queries import number
from service.web.schema_fields import description

GAME = validate.OneOf(sorted(GAMES))
POOL = validate.OneOf(POOLS)


class PoolQuery(Schema):
    """A game and pool, and the start of the page."""

    game = fields.String(required=True, validate=GAME)
    pool = fields.String(
        load_default=POOLS[0], validate=POOL, metadata=description("people and programs are rated apart")
    )
    after = number(
        0, 10_000_000, load_default=0, metadata=description("how many to leave out: `next` of the page before")
    )
    limit = number(1, 200, load_default=50)


class HistoryQuery(Schema):
    """Filters of rating changes."""

    game = fields.String(load_default=None, allow_none=False, validate=GAME)
    before = number(0, 2**53 - 1, load_default=None, metadata=description("`next` of the page before"))
    limit = number(1, 500, load_default=100)


class Worth(Schema):
    """A rating."""

    rating = fields.Integer(required=True, metadata=description("a beginner has 1500"))
    deviation = fields.Integer(required=True, metadata=description("how far off it may well be; a beginner's is 500"))
    mu = fields.Integer(required=True, metadata=description("exactly, in millionths"))
    sigma = fields.Integer(required=True, metadata=description("exactly, in millionths"))


class Rated(Worth):
    """A player's rating in a list."""

    rank = fields.Integer(required=True, metadata=description("by mu - 3 sigma, a cautious estimate"))
    player = fields.Nested(Person, required=True)
    games = fields.Integer(required=True)


class NewestInput(Schema):
    """The inputs behind the ratings."""

    number = fields.Integer(required=True, metadata=description("how many games"))
    idx = fields.Integer(required=True, metadata=description("the entry of the log that ended the last of them"))
    hash = fields.String(required=True, metadata=description("over the inputs of all games, in the order of the log"))
    model = fields.String(required=True)


class RatingList(Schema):
    """A page of the ratings of a game."""

    game = fields.String(required=True)
    pool = fields.String(required=True)
    input = fields.Nested(NewestInput, required=True, allow_none=True)
    ratings = fields.List(fields.Nested(Rated), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=description("`after` of the next page; null: no more")
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
    stream = fields.String(required=True, allow_none=True, metadata=description("of the game; null: it is private"))
    seq = fields.Integer(required=True, metadata=description("the event that ended the game"))
    idx = fields.Integer(required=True, metadata=description("the number of that event in the log"))
    at = fields.String(required=True)
    place = fields.Integer(required=True, metadata=description("among those who were rated with the player"))
    players = fields.Integer(required=True)
    before = fields.Nested(Worth, required=True)
    after = fields.Nested(Worth, required=True)


class PlayerRatings(Schema):
    """A player's ratings and their changes, newest first."""

    ratings = fields.List(fields.Nested(OwnRating), required=True)
    history = fields.List(fields.Nested(ChangeDocument), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=description("`before` of the next page; null: no more")
    )


class InputDocument(Schema):
    """The input of one game."""

    number = fields.Integer(required=True)
    idx = fields.Integer(required=True)
    input = fields.Dict(required=True, metadata=description("canonical JSON of it is what the hash is over"))
    hash = fields.String(
        required=True, metadata=description('SHA-256 over "cabildo/ratings/v1", the hash before it, and the input')
    )


class InputList(Schema):
    """A page of inputs in the order of the log."""

    inputs = fields.List(fields.Nested(InputDocument), required=True)
    next = fields.Integer(
        required=True, allow_none=True, metadata=description("`after` of the next page; null: no more")
    )
