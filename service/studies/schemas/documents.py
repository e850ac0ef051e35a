"""Schemas of studies: requests and documents."""

from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from projections.studies.study import ROLES, VISIBILITIES
from service.games.schemas.documents import Person, TurnDocument
from service.games.schemas.legal import OfferedMoves
from service.studies.schemas.edits import LONGEST_MOVE, LONGEST_TITLE, SEEN_BY, place
from service.web.body_bounds import BYTES, VALUES
from service.web.schema_fields import description, hexadecimal, integer, moment, prose, text

LONGEST_SCRIPT: Final = 2_000_000
MOST_SCRIPT_VALUES: Final = 150_000


def tickets_of_a_body() -> fields.List[Any]:
    """Returns the field of tickets of answered questions."""
    meaning = description("Tickets of questions that were answered or given up.")
    return fields.List(hexadecimal(8), load_default=list, validate=validate.Length(max=200), metadata=meaning)


class NewStudy(Schema):
    """A new study."""

    title = prose(LONGEST_TITLE, required=True)
    visibility = fields.String(load_default="unlisted", validate=validate.OneOf(VISIBILITIES))
    games = fields.List(
        fields.UUID(),
        load_default=list,
        validate=validate.Length(max=16),
        metadata=description("Games; each becomes a chapter."),
    )


class Clone(Schema):
    """A new study copied from the visible part of another."""

    title = prose(
        LONGEST_TITLE,
        load_default=None,
        allow_none=True,
        metadata=description("Title of the copy; left out: the same."),
    )
    visibility = fields.String(load_default="private", validate=validate.OneOf(VISIBILITIES))
    chapters = fields.List(
        integer(1, 1_000),
        load_default=None,
        validate=validate.Length(1, 64),
        metadata=description("Chapters to copy; left out: all."),
    )
    tickets = tickets_of_a_body()


class NewScript(Schema):
    """An exported study, as text or as JSON."""

    text = fields.String(
        load_default=None,
        allow_none=True,
        validate=validate.Length(1, LONGEST_SCRIPT),
        metadata=description("Text as exported."),
    )
    script = fields.Dict(
        load_default=None,
        allow_none=True,
        metadata={**description("Script as exported."), VALUES: MOST_SCRIPT_VALUES, BYTES: LONGEST_SCRIPT},
    )
    visibility = fields.String(load_default="private", validate=validate.OneOf(VISIBILITIES))

    @validates_schema
    def complete(self, data: dict[str, Any], **_more: Any) -> None:
        """Raises ValidationError unless exactly one of the two is given."""
        if (data["text"] is None) is (data["script"] is None):
            raise ValidationError("give a text or a script", "text")


class ScriptDocument(Schema):
    """An exported study, with names in place of ids."""

    format = fields.String(required=True)
    title = fields.String(required=True)
    parts = fields.List(fields.Dict(), required=True)


class EditResult(Schema):
    """The result of an edit."""

    study = fields.UUID(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    made = fields.List(fields.Dict(), required=True, metadata=description("What each edit created, in their order."))


class Member(Schema):
    """A member of a study."""

    player = fields.Nested(Person, required=True)
    role = fields.String(required=True, validate=validate.OneOf(ROLES))


class ChapterHeading(Schema):
    """A chapter without its contents."""

    chapter = fields.Integer(required=True)
    withheld = fields.Boolean(required=True, metadata=description("Whether the game is hidden from you."))
    title = fields.String(required=True, allow_none=True)
    game = fields.String(required=True, allow_none=True)
    of = fields.String(required=True, allow_none=True)
    runs = fields.Boolean(
        required=True,
        metadata=description("Whether the game still runs: its players' notes are private until it is over."),
    )
    eyes = fields.Raw(required=True, allow_none=True, metadata=SEEN_BY)
    lesson = fields.Boolean(required=True)
    version = fields.Integer(required=True, metadata=description("Version that last changed the chapter."))


class StudyDocument(Schema):
    """A study without the contents of its chapters."""

    id = fields.UUID(required=True)
    title = fields.String(required=True, allow_none=True)
    visibility = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    cloned_from = fields.String(required=True, allow_none=True)
    created = moment(required=True)
    changed = moment(required=True)
    role = fields.String(required=True, allow_none=True, metadata=description("Your own role."))
    members = fields.List(fields.Nested(Member), required=True)
    chapters = fields.List(fields.Nested(ChapterHeading), required=True)


class ChapterDocument(ChapterHeading):
    """A chapter with its contents."""

    study = fields.UUID(required=True)
    position = fields.Dict(
        required=True, allow_none=True, metadata=description("Position at which an analysis begins.")
    )
    anchor = fields.Dict(
        required=True, allow_none=True, metadata=description("Head of the game when the chapter was added.")
    )
    hashes = fields.Dict(metadata=description("Hashes of the game's events that notes refer to, by number."))
    nodes = fields.List(
        fields.Dict(), required=True, metadata=description("Moves of all variations, with their parents.")
    )
    notes = fields.Dict(required=True, metadata=description("Comments, marks and question, by place."))


class BoardDocument(Schema):
    """The board at a place."""

    at = fields.String(required=True)
    position = fields.Dict(required=True)
    turn = fields.Nested(TurnDocument, required=True, allow_none=True)
    scores = fields.List(fields.Dict(allow_none=True), required=True)
    legal = fields.Nested(OfferedMoves, required=True, allow_none=True)


class Find(Schema):
    """A reader's answer to a question of a lesson."""

    at = place("where the question stands", required=True)
    move = text(
        LONGEST_MOVE,
        required=True,
        allow_none=True,
        metadata=description("The move; null: the reader gives the question up."),
    )
    tickets = tickets_of_a_body()


class LessonResult(Schema):
    """The result of an answer."""

    right = fields.Boolean(required=True)
    move = fields.String(required=True, allow_none=True, metadata=description("The move in canonical notation."))
    label = fields.String(required=True, allow_none=True)
    text = fields.String(required=True, allow_none=True, metadata=description("The reply."))
    html = fields.String(required=True, allow_none=True)
    ticket = fields.String(
        required=True,
        allow_none=True,
        metadata=description("Ticket to read on with, once the question is answered or given up."),
    )


class ListedStudy(Schema):
    """A study in a list."""

    id = fields.UUID(required=True)
    title = fields.String(required=True, allow_none=True)
    visibility = fields.String(required=True)
    version = fields.Integer(required=True)
    owners = fields.List(fields.Nested(Person), required=True)
    games = fields.List(fields.String(), required=True)
    chapters = fields.Integer(required=True)
    lessons = fields.Integer(required=True)
    created = moment(required=True)
    changed = moment(required=True)


class StudyList(Schema):
    """A page of studies, last changed first."""

    studies = fields.List(fields.Nested(ListedStudy), required=True)
    next = fields.String(
        required=True, allow_none=True, metadata=description("Cursor of the next page; null: last page.")
    )


class StudyChange(Schema):
    """A change without its content, which clients read from the chapter."""

    version = fields.Integer(required=True)
    kind = fields.String(required=True)
    chapter = fields.Integer(required=True, allow_none=True)
    at = moment(required=True)


class ChangePage(Schema):
    """Changes in order, and the number to read on from."""

    changes = fields.List(fields.Nested(StudyChange), required=True)
    next = fields.Integer(required=True)
