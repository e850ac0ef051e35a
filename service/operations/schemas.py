"""Schemas of health checks."""

from marshmallow import Schema, fields, validate


class Alive(Schema):
    """The process answers."""

    status = fields.String(required=True, metadata={"description": "always ok"})


class HealthCheck(Schema):
    """A named check of the service's health, in English."""

    name = fields.String(required=True, metadata={"description": "what is checked"})
    state = fields.String(
        required=True, metadata={"description": "ok, failing, or unknown where its source cannot be asked"}
    )
    found = fields.String(required=True, metadata={"description": "what the check found"})
    advice = fields.String(required=True, metadata={"description": "what the operator must do; empty when nothing"})


class Ready(Schema):
    """Which stores answer, and what the checks found."""

    status = fields.String(required=True, metadata={"description": "ready, or degraded while a check is failing"})
    missing = fields.List(fields.String(), required=True, metadata={"description": "the stores that do not answer"})
    checks = fields.List(fields.Nested(HealthCheck), required=True, metadata={"description": "every check"})


class ProblemTypeDocument(Schema):
    """A type of problem."""

    name = fields.String(required=True)
    type = fields.String(required=True, metadata={"description": "as problems carry it; stable"})
    status = fields.Integer(required=True)
    title = fields.String(required=True, metadata={"description": "in the language of Accept-Language"})
    meaning = fields.String(required=True, metadata={"description": "for authors of clients, in English"})
    remedy = fields.String(
        required=True,
        validate=validate.OneOf(("change", "authenticate", "read_again", "wait")),
        metadata={
            "description": "what helps: another request; a valid token; what has changed meanwhile; "
            "the same request with the same key after Retry-After"
        },
    )
    members = fields.List(fields.Nested(lambda: ProblemMemberDocument()), required=True)


class ProblemMemberDocument(Schema):
    """A member that problems of a type have beside those of all problems."""

    name = fields.String(required=True)
    types = fields.List(fields.String(), required=True, metadata={"description": "its types in JSON"})
    meaning = fields.String(required=True, metadata={"description": "in English"})


class ProblemTypes(Schema):
    """Every type of problem, by name."""

    problems = fields.List(fields.Nested(ProblemTypeDocument), required=True)
