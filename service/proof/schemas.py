"""Schemas of bundles and verification reports."""

from marshmallow import INCLUDE, Schema, fields

VERDICTS = "valid, valid with remarks, invalid, undecided (the result was not recomputed)"


class BundleDocument(Schema):
    """A game with its proofs; deploy/docs/bundle.md describes the other fields."""

    format = fields.String(required=True)
    stream = fields.UUID(required=True)
    events = fields.List(fields.String(), required=True, metadata={"description": "the canonical bytes of each"})
    proof = fields.String(required=True, allow_none=True, metadata={"description": "null: not in the public log yet"})

    class Meta:
        unknown = INCLUDE


class FindingDocument(Schema):
    """A reason why a check proved less than it could."""

    reason = fields.String(required=True)
    sentence = fields.String(required=True)
    weight = fields.String(
        required=True, metadata={"description": "what it does to the verdict: note, remark, undecided"}
    )


class CheckDocument(Schema):
    """The outcome of a check."""

    code = fields.String(required=True)
    asks = fields.String(required=True)
    status = fields.String(
        required=True, metadata={"description": "passed, failed, not checked, not reached, not applicable"}
    )
    why_not = fields.String(
        required=True, allow_none=True, metadata={"description": "why it was not checked; null: it was, or not reached"}
    )
    remarks = fields.List(fields.Nested(FindingDocument), required=True)


class ReportDocument(Schema):
    """The report of a game: its checks, its remarks and its first failure."""

    verdict = fields.String(required=True, metadata={"description": VERDICTS})
    exit_status = fields.Integer(required=True, metadata={"description": "what `cabildo verify` ends with"})
    failure = fields.Dict(required=True, allow_none=True)
    checks = fields.List(fields.Nested(CheckDocument), required=True)
    remarks = fields.List(fields.String(), required=True, metadata={"description": "what a director should read"})
    notes = fields.List(fields.String(), required=True, metadata={"description": "what is not proved by design"})
    not_proved = fields.List(fields.String(), required=True, metadata={"description": "both together"})


class GameReport(ReportDocument):
    """The report of one game of an archive."""

    stream = fields.UUID(required=True)


class Judgement(Schema):
    """The report of a game, or the reports of an archive's games."""

    verdict = fields.String(required=True, metadata={"description": VERDICTS})
    exit_status = fields.Integer(required=True, metadata={"description": "what `cabildo verify` ends with"})
    failure = fields.Dict(allow_none=True, metadata={"description": "of a game: the first thing that is wrong"})
    checks = fields.List(fields.Nested(CheckDocument), metadata={"description": "of a game"})
    remarks = fields.List(fields.String(), metadata={"description": "of a game: what a director should read"})
    notes = fields.List(fields.String(), metadata={"description": "of a game: what is not proved by design"})
    not_proved = fields.List(fields.String(), metadata={"description": "of a game: both together"})
    refused = fields.String(allow_none=True, metadata={"description": "of an archive: why it is none"})
    games = fields.List(fields.Nested(GameReport), metadata={"description": "of an archive"})
