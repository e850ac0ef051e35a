"""Schemas of the outline of a game."""

from marshmallow import Schema, fields, validate

from service.games.schemas.queries import eyes, flag
from service.web.schema_fields import description

MOST_FACTS = 500  # characters of the names


class OutlineQuery(Schema):
    """Options of an outline."""

    eyes = eyes()
    undone = flag("Includes moves that were undone, and the undo steps.", default=False)
    facts = fields.String(
        load_default="",
        allow_none=False,
        validate=validate.Regexp(rf"^(?=.{{0,{MOST_FACTS}}}\Z)(?:[a-z_]+(?:,[a-z_]+)*)?\Z"),
        metadata=description("Names of the facts to tell, with commas between them, such as round_begun,role_taken."),
    )


class OutlineDocument(Schema):
    """All steps of a game as columns; steps are numbered from 0, and each column has them in order."""

    game = fields.UUID(required=True)
    version = fields.Integer(required=True, metadata=description("The newest event that the outline knows."))
    steps = fields.List(
        fields.Integer(),
        required=True,
        metadata=description("For each step how far its version is from that of the step before; the first from 0."),
    )
    kinds = fields.List(fields.String(), required=True, metadata=description("The kinds of events that are steps."))
    kind = fields.List(
        fields.Integer(), required=True, metadata=description("For each step the place of its kind in `kinds`.")
    )
    seats = fields.List(
        fields.Integer(allow_none=True),
        required=True,
        metadata=description("For each step the seat that acted; null: none."),
    )
    undone = fields.List(
        fields.List(fields.Integer()),
        required=True,
        metadata=description("Steps that were undone later, in runs: the number of the first and how many."),
    )
    ends = fields.List(
        fields.Integer(), required=True, metadata=description("Numbers of the steps after which nobody acts.")
    )
    facts = fields.List(
        fields.List(fields.Raw()),
        required=True,
        metadata=description("Of steps that were not undone: the number of the step and its facts of those names."),
    )
    points = fields.List(
        fields.List(fields.Raw()),
        required=True,
        metadata=description(
            "Of the last step and at most 512 others: the number of the step and the points by seat; null where they "
            "are hidden."
        ),
    )
