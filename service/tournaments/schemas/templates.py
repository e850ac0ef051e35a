"""Schemas of tournament templates."""

from marshmallow import Schema, fields

from service.web.schema_fields import description


class FieldSize(Schema):
    """The range of the number of players."""

    least = fields.Integer(required=True)
    most = fields.Integer(required=True)


class TemplateDocument(Schema):
    """A template: stages ready for regulations."""

    name = fields.String(required=True)
    players = fields.Nested(FieldSize, required=True)
    stages = fields.List(
        fields.Dict(), required=True, metadata=description("Stages as `regulations.stages` takes them.")
    )


class Vocabulary(Schema):
    """The values that regulations may use."""

    formats = fields.List(fields.String(), required=True)
    seats = fields.List(fields.String(), required=True)
    draws = fields.List(fields.String(), required=True)
    schemes = fields.List(fields.String(), required=True)
    criteria = fields.List(fields.String(), required=True)


class TemplateList(Schema):
    """All templates, and the vocabulary of regulations."""

    templates = fields.List(fields.Nested(TemplateDocument), required=True)
    words = fields.Nested(Vocabulary, required=True)
