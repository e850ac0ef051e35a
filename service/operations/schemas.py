"""Schemas of health checks."""

from marshmallow import Schema, fields


class Alive(Schema):
    """The process answers."""

    status = fields.String(required=True, metadata={"description": "always ok"})


class Ready(Schema):
    """Which stores answer."""

    status = fields.String(required=True, metadata={"description": "ready, or degraded while Redis is away"})
    missing = fields.List(fields.String(), required=True, metadata={"description": "the stores that do not answer"})
