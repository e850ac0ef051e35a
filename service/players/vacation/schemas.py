"""Schemas of days away."""

from typing import TypedDict

from marshmallow import Schema, fields

from projections.games.away_budget import DAYS_IN_YEAR
from service.web.schema_fields import Timestamp, description, integer, moment


class NewVacation(Schema):
    """Days away to declare."""

    days = integer(1, DAYS_IN_YEAR, required=True, metadata=description("For how many days."))
    since = Timestamp("When they begin, within a year; left out: now.", load_default=None, allow_none=True)


class LoadedNewVacation(TypedDict):
    """A loaded `NewVacation`."""

    days: int
    since: int | None


class VacationDocument(Schema):
    """Own days away, and how many of this year are left."""

    days_in_year = fields.Integer(required=True, metadata=description("Days away in each calendar year, in UTC."))
    days_left = fields.Integer(required=True, metadata=description("Whole days of this year that are left."))
    since = moment(required=True, allow_none=True, metadata=description("When they begin or began; null: none."))
    until = moment(required=True, allow_none=True, metadata=description("When they end."))
    away = fields.Boolean(required=True, metadata=description("Whether they have begun."))


class VacationSummary(TypedDict):
    """The document of the own days away."""

    days_in_year: int
    days_left: int
    since: str | None
    until: str | None
    away: bool
