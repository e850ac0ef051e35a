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
    title = fields.String(required=True, metadata=description("The option's name in the language."))
    about = fields.String(required=True, metadata=description("What it decides, in one sentence."))
    value_titles = fields.List(
        fields.String(), required=True, metadata=description("The values in words, in the order of `values`.")
    )
    rule_page = fields.String(required=True, metadata=description("The address of its row in the rules."))


class GameRules(Schema):
    """A game in short."""

    game = fields.String(required=True)
    seats = fields.List(fields.Integer(), required=True, metadata=description("Allowed numbers of players."))
    version = fields.String(required=True, metadata=description("Version of the rules for new games."))


class Notation(Schema):
    """A form of a move."""

    decision = fields.String(required=True, metadata=description("The decision at which it is made."))
    move = fields.String(required=True, metadata=description("An example in canonical notation."))
    meaning = fields.String(required=True, metadata=description("What it does, in the language."))


class GameRulesInFull(GameRules):
    """A game with its options and its notation."""

    language = fields.String(required=True, metadata=description("The language of titles and meanings."))
    options = fields.List(fields.Nested(OptionDocument), required=True)
    notation = fields.List(fields.Nested(Notation), required=True)


class ExplainedPiece(Schema):
    """A piece of a game: what it is and does. Numbers that are printed on it stand beside the words."""

    name = fields.String(required=True)
    effect = fields.String(required=True, metadata=description("What it does, in one or two sentences."))
    rule = fields.String(required=True, metadata=description("The paragraph of the rules about it."))
    rule_page = fields.String(required=True, metadata=description("The address of that paragraph, on this service."))
    cost = fields.Integer(metadata=description("Price of a building before discounts."))
    points = fields.Integer(metadata=description("Points printed on it."))
    column = fields.Integer(metadata=description("Column of a building: the most quarries that count for it."))
    circles = fields.Integer(metadata=description("Places for people in a building."))
    price = fields.Integer(metadata=description("Price of a good in the trading house."))
    kind = fields.String(metadata=description("Kind of a merchant card."))


class PiecesDocument(Schema):
    """The pieces of a game in a language."""

    game = fields.String(required=True)
    language = fields.String(required=True)
    pieces = fields.Dict(
        keys=fields.String(), values=fields.Nested(ExplainedPiece), required=True, metadata=description("By name.")
    )


class ExampleStep(Schema):
    """A board of an example."""

    move = fields.String(required=True, allow_none=True, metadata=description("The move made; null: the beginning."))
    seat = fields.Integer(required=True, allow_none=True, metadata=description("The seat that made it."))
    report = fields.String(required=True, allow_none=True, metadata=description("The move in words."))
    position = fields.Dict(required=True, metadata=description("The board, as `/position` tells one."))


class ExampleDocument(Schema):
    """A worked example."""

    game = fields.String(required=True)
    example = fields.String(required=True)
    show = fields.List(fields.String(), required=True, metadata=description("The parts of the board that matter."))
    points = fields.List(
        fields.Integer(), metadata=description("The points of the seats at the end, where the example is about them.")
    )
    steps = fields.List(fields.Nested(ExampleStep), required=True)


class AllGameRules(Schema):
    """All supported games."""

    games = fields.List(fields.Nested(GameRules), required=True)
