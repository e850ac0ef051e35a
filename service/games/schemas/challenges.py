"""Schemas of challenges, and of pairings that open many games at once."""

from marshmallow import Schema, fields, validate

from service.games.schemas.documents import GameDocument
from service.games.schemas.lifecycle import Brought, GameTerms
from service.web.schema_fields import description, text

MOST_PAIRINGS = 50


class NewChallenge(Brought, GameTerms):
    """A game that the client proposes to other players."""

    opponents = fields.List(
        text(80),
        required=True,
        validate=validate.Length(1, 4),
        metadata=description("Ids of players, each of whom accepts or declines; bot:LEVEL sits down at once."),
    )


class Challenges(Schema):
    """Tables that wait for players whom their hosts have chosen, newest first, at most 100 of each."""

    received = fields.List(
        fields.Nested(GameDocument), required=True, metadata=description("Tables with a seat kept for you.")
    )
    sent = fields.List(
        fields.Nested(GameDocument), required=True, metadata=description("Your tables with a seat kept for others.")
    )


class NewPairings(GameTerms):
    """Games to open under the same terms."""

    pairings = fields.List(
        fields.List(text(80), validate=validate.Length(1, 5)),
        required=True,
        validate=validate.Length(1, MOST_PAIRINGS),
        metadata=description("The seats of each game: me, open, bot:LEVEL or a player's id. Your own bots sit down."),
    )


class PairingProblem(Schema):
    """Why a game was not opened: type, title and detail of a problem."""

    type = fields.String(required=True)
    title = fields.String(required=True)
    status = fields.Integer(required=True)
    detail = fields.String(required=True)


class PairedGame(Schema):
    """A game that was opened, or why it was not."""

    game = fields.UUID(required=True, allow_none=True, metadata=description("Id of the game; null: none was opened."))
    status = fields.String(required=True, allow_none=True, metadata=description("Open, or running when all sit."))
    problem = fields.Nested(PairingProblem, required=True, allow_none=True)


class PairedGames(Schema):
    """The games, in the order of the pairings."""

    games = fields.List(fields.Nested(PairedGame), required=True)
