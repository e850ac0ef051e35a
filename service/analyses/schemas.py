"""Analyses of whole games by the search bot."""

from marshmallow import Schema, fields, validate

from service.analyses.queries import USUAL_STEPS
from service.web.schema_fields import description, hexadecimal, integer, moment

STATUSES = ("waiting", "running", "done", "cancelled")


class NewAnalysis(Schema):
    """The bot's steps for each decision, and its seed."""

    steps = integer(8, 1_000, load_default=USUAL_STEPS, metadata=description("Search steps for each decision."))
    seed = hexadecimal(
        8, load_default="00" * 8, metadata=description("Seed of the search; the same seed returns the same figures.")
    )


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
    done = fields.Integer(required=True, metadata=description("Number of decisions analysed so far."))
    total = fields.Integer(required=True)
    estimate = fields.String(
        required=True, metadata=description("What the figures mean and how far they can be trusted.")
    )
    bot = fields.Nested(Thinker, required=True)
    yours = fields.Boolean(required=True, metadata=description("Whether you requested the analysis and may cancel it."))
    created = moment(required=True)
    changed = moment(required=True)


class Weighed(Schema):
    """A move, and the expected shares of the win after it."""

    move = fields.String(required=True)
    label = fields.String(required=True, metadata=description("The move in words."))
    visits = fields.Integer(required=True, metadata=description("Number of continuations searched after the move."))
    shares = fields.List(
        fields.Integer(), required=True, metadata=description("Estimated chance to win of each seat, in thousandths.")
    )


class DecisionDocument(Weighed):
    """The bot's figures for a played move."""

    version = fields.Integer(required=True, metadata=description("Version of the event that made the move."))
    seat = fields.Integer(required=True)
    enough = fields.Boolean(required=True, metadata=description("Whether the steps were enough to compare the moves."))
    best = fields.String(
        required=True,
        allow_none=True,
        metadata=description("The move that the bot prefers; null: too few steps."),
    )
    loss = fields.Integer(
        required=True, metadata=description("Loss of the seat's chance to win against the best move, in thousandths.")
    )
    swing = fields.String(required=True, allow_none=True, metadata=description("Doubtful, mistake or blunder."))
    alternatives = fields.List(fields.Nested(Weighed), required=True, metadata=description("Other moves, best first."))


class WholeAnalysis(AnalysisDocument):
    """An analysis with the figures computed so far."""

    decisions = fields.List(fields.Nested(DecisionDocument), required=True)
    advice = fields.String(
        required=True,
        allow_none=True,
        metadata=description("Says that the steps are too few for some decisions, and how many to request."),
    )


class AnalysisList(Schema):
    """The analyses of a game, newest first."""

    analyses = fields.List(fields.Nested(AnalysisDocument), required=True)


class Estimates(Schema):
    """The estimates that a study copies."""

    analysis = fields.UUID(required=True)
    least = integer(
        1,
        1_000,
        load_default=100,
        metadata=description("Smallest loss of the chance to win that is listed, in thousandths."),
    )
