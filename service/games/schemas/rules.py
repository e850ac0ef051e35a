"""Schemas of the supported games, their options and notation."""

from marshmallow import Schema, fields

from service.web.schema_fields import description


class OptionDocument(Schema):
    """An option of a game."""

    name = fields.String(required=True)
    values = fields.List(
        fields.Raw(), required=True, metadata=description("Allowed values: names, numbers, true or false.")
    )
    default = fields.Raw(required=True, metadata=description("Value when the option is not given."))
    several = fields.Boolean(required=True, metadata=description("Whether a list of values may be given."))


class GameRules(Schema):
    """A game in short."""

    game = fields.String(required=True)
    seats = fields.List(fields.Integer(), required=True, metadata=description("Allowed numbers of players."))
    version = fields.String(required=True, metadata=description("Version of the rules for new games."))


class Notation(Schema):
    """A form of a move."""

    move = fields.String(required=True)
    meaning = fields.String(required=True)


class GameRulesInFull(GameRules):
    """A game with its options and its notation."""

    options = fields.List(fields.Nested(OptionDocument), required=True)
    notation = fields.List(fields.Nested(Notation), required=True)


class AllGameRules(Schema):
    """All supported games."""

    games = fields.List(fields.Nested(GameRules), required=True)
