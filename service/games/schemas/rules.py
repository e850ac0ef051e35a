"""Schemas of the supported games, their options and notation."""

from marshmallow import Schema, fields

from service.web.schema_fields import description


class OptionDocument(Schema):
    """An option of a game."""

    name = fields.String(required=True)
    values = fields.List(fields.Raw(), required=True, metadata=description("names, numbers, true or false"))
    default = fields.Raw(required=True, metadata=description("what holds unless the option is given"))
    several = fields.Boolean(required=True, metadata=description("whether any list of the values may be given"))


class GameRules(Schema):
    """A game in short."""

    game = fields.String(required=True)
    seats = fields.List(fields.Integer(), required=True, metadata=description("how many can play"))
    version = fields.String(required=True, metadata=description("of the rules that new games are played by"))


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
