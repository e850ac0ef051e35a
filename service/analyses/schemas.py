"""Analyses of whole games by the search bot."""

from marshmallow import Schema, fields, validate

from service.analyses.queries import USUAL_STEPS
from service.web.schema_fields import description, hexadecimal, integer

STATUSES = ("waiting", "running", "done", "cancelled")


class NewAnalysis(Schema):
    """The bot's steps for each decision, and its seed."""

    steps = integer(8, 1_000, load_default=USUAL_STEPS, metadata=description("for each decision"))
    seed = hexadecimal(8, load_default="00" * 8, metadata=description("the same seed gives the same figures"))


class Thinker(Schema):
    """The engine and the settings that reproduce the figures."""

    level = fields.String(required=True)
    version = fields.Integer(required=True)
    steps = fields.Integer(required=True)
    seed = fields.String(required=True)


class AnalysisDocument(Schema):
    """The status of an analysis."""

    id = fields.UUID(required=True)
    game = fields.UUID(required=True)
    status = fields.String(required=True, validate=validate.OneOf(STATUSES))
    done = fields.Integer(required=True, metadata=description("decisions"))
    total = fields.Integer(required=True)
    estimate = fields.String(required=True, metadata=description("what the figures are, and what they are not"))
    bot = fields.Nested(Thinker, required=True)
    yours = fields.Boolean(required=True, metadata=description("whether you asked for it, and may cancel it"))
    created = fields.String(required=True)
    changed = fields.String(required=True)


class Weighed(Schema):
    """A move, and the expected shares of the win after it."""

    move = fields.String(required=True)
    label = fields.String(required=True, metadata=description("the move in words"))
    visits = fields.Integer(required=True, metadata=description("how many lines were played after it"))
    shares = fields.List(fields.Integer(), required=True, metadata=description("of the win by seat, in thousandths"))


class DecisionDocument(Weighed):
    """The bot's figures for a played move."""

    version = fields.Integer(required=True, metadata=description("the event of the move"))
    seat = fields.Integer(required=True)
    enough = fields.Boolean(required=True, metadata=description("whether the steps were enough to compare the moves"))
    best = fields.String(
        required=True,
        allow_none=True,
        metadata=description("the move that the bot would have made; null: not enough steps"),
    )
    loss = fields.Integer(required=True, metadata=description("of the seat's share against the best move"))
    swing = fields.String(required=True, allow_none=True, metadata=description("doubtful, mistake or blunder"))
    alternatives = fields.List(fields.Nested(Weighed), required=True, metadata=description("the best first"))


class WholeAnalysis(AnalysisDocument):
    """An analysis with the figures computed so far."""

    decisions = fields.List(fields.Nested(DecisionDocument), required=True)
    advice = fields.String(
        required=True,
        allow_none=True,
        metadata=description("that the steps are too few for some decisions, and what to do"),
    )


class AnalysisList(Schema):
    """The analyses of a game, newest first."""

    analyses = fields.List(fields.Nested(AnalysisDocument), required=True)


class Estimates(Schema):
    """The estimates that a study copies."""

    analysis = fields.UUID(required=True)
    least = integer(
        1, 1_000, load_default=100, metadata=description("how much of the win a move gave away, in thousandths")
    )
