"""Schemas of reports."""

from typing import TypedDict
from uuid import UUID

from marshmallow import Schema, fields, validate

from service.moderation.reports.commands import KINDS, LONGEST_NOTE, LONGEST_WORDS, OUTCOMES
from service.moderation.reports.queries import MOST_IN_A_GROUP
from service.moderation.schemas import ThingFields
from service.web.schema_fields import description, moment, prose

MOST_AT_ONCE = 100  # reports settled in one request


class ReportBody(TypedDict):
    """A loaded `NewReport`."""

    about: str
    id: UUID
    number: int
    kind: str
    text: str


class SettlementBody(TypedDict):
    """A loaded `Settlement`."""

    reports: list[UUID]
    outcome: str
    note: str | None


class NewReport(ThingFields):
    """What a player reports to the administrators."""

    kind = fields.String(required=True, validate=validate.OneOf(KINDS))
    text = prose(LONGEST_WORDS, required=True, metadata=description("What is wrong, for the administrators."))


class OwnReportDocument(ThingFields):
    """A report as its reporter reads it. Nobody else but administrators learns who reported."""

    report = fields.UUID(required=True)
    number = fields.Integer(required=True)
    kind = fields.String(required=True)
    text = fields.String(required=True)
    created = moment(required=True)
    settled = fields.Boolean(required=True, metadata=description("Whether an administrator has dealt with it."))


class OwnReports(Schema):
    """The reports of a player, newest first."""

    reports = fields.List(fields.Nested(OwnReportDocument), required=True)
    next = fields.String(required=True, allow_none=True, metadata=description("Cursor of the next page."))


class Reporter(Schema):
    """A player who reported something."""

    id = fields.UUID(required=True)
    name = fields.String(required=True, allow_none=True)


class OpenReportDocument(Schema):
    """An open report, for administrators."""

    report = fields.UUID(required=True)
    reporter = fields.Nested(Reporter, required=True)
    kind = fields.String(required=True)
    text = fields.String(required=True)
    created = moment(required=True)


class ReportedThingDocument(ThingFields):
    """A thing with its open reports, the oldest first."""

    number = fields.Integer(required=True)
    count = fields.Integer(required=True, metadata=description("Number of open reports about it."))
    reports = fields.List(
        fields.Nested(OpenReportDocument),
        required=True,
        metadata=description(f"The oldest of them, at most {MOST_IN_A_GROUP}."),
    )


class OpenReports(Schema):
    """The things with open reports, the longest waiting first."""

    things = fields.List(fields.Nested(ReportedThingDocument), required=True)
    next = fields.String(required=True, allow_none=True, metadata=description("Cursor of the next page."))


class Settlement(Schema):
    """How an administrator settles reports."""

    reports = fields.List(fields.UUID(), required=True, validate=validate.Length(1, MOST_AT_ONCE))
    outcome = fields.String(required=True, validate=validate.OneOf(OUTCOMES))
    note = prose(
        LONGEST_NOTE,
        load_default=None,
        allow_none=True,
        metadata=description("For administrators; reporters read only that their report is settled."),
    )


class Settled(Schema):
    """How many reports were open and are settled now."""

    settled = fields.Integer(required=True)
