"""Schemas of edits of a study: the fields, and which of them each kind of edit takes."""

from collections.abc import Mapping
from typing import Any, Final

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from events.messages import Message
from projections.rules.registry import GAMES
from projections.studies.study import ROLES, VISIBILITIES
from service.games.schemas.queries import VERSION
from service.studies.editing.edit_table import EDITS
from service.web.schema_fields import StrictBoolean, description, hexadecimal, integer, prose, text

LONGEST_TITLE: Final = 200
LONGEST_COMMENT: Final = 10_000
LONGEST_MOVE: Final = 512
MOST_EDITS: Final = 200
MOST_MOVES: Final = 400
MARKS: Final = ("look", "good", "bad", "idea")
PART: Final = validate.Regexp(r"^[a-z_]+(\[[0-9]{1,3}\]|\.[a-z0-9_]{1,64}){0,8}\Z")
CHANCES: Final = ("same", "declared", "random")
SEEN_BY: Final = description("A seat, `spectator` or `all`; null: the reader's own view.")
# Required and optional fields of each edit.
FIELDS: Final[Mapping[str, tuple[frozenset[str], frozenset[str]]]] = {
    name: (frozenset(needs.split()), frozenset(takes.split()))
    for name, needs, takes in (
        ("settle", "", "title visibility"),
        ("member", "player role", ""),
        ("add_chapter", "title", "of game position eyes lesson"),
        ("change_chapter", "chapter", "title eyes lesson before"),
        ("delete_chapter", "chapter", ""),
        ("play", "chapter at moves", "hash chance draws seed"),
        ("rank", "chapter node rank", ""),
        ("delete_node", "chapter node", ""),
        ("comment", "chapter at text", "hash comment eyes"),
        ("delete_comment", "chapter at comment", "hash"),
        ("mark", "chapter at glyphs markers", "hash by"),
        ("ask", "chapter at question", "hash"),
    )
}


def place(meaning: str, **more: Any) -> fields.String:
    """Returns a field for a place in a chapter."""
    one_of = validate.Regexp(r"^(?:[1-9][0-9]{0,9}|v0|v[1-9][0-9]{0,9})\Z")
    return fields.String(validate=one_of, metadata=description(meaning), **more)


class Eyes(fields.Field[Any]):
    """A viewpoint: the number of a seat, or a word."""

    def _deserialize(self, value: Any, *_more: Any, **_named: Any) -> Any:
        if value in ("all", "spectator") or (type(value) is int and 0 <= value <= 4):
            return value
        raise ValidationError("is no seat from 0 to 4, and neither all nor spectator")


class Marker(Schema):
    """A mark on a part of the board, or from one part to another."""

    on = fields.String(
        required=True,
        validate=PART,
        metadata=description(
            "Part as named in the document of the position: `players[1].city[3]`, `ships[0]`, `roles.mayor`."
        ),
    )
    kind = fields.String(required=True, validate=validate.OneOf(MARKS))
    to = fields.String(
        load_default=None,
        allow_none=True,
        validate=PART,
        metadata=description("The part an arrow points to."),
    )


class LessonAnswer(Schema):
    """A move that a lesson accepts, and the reply to it."""

    move = text(LONGEST_MOVE, required=True)
    reply = prose(LONGEST_COMMENT, allow_none=True, load_default=None)


class NewQuestion(Schema):
    """A question of a lesson."""

    text = prose(LONGEST_COMMENT, required=True)
    answers = fields.List(fields.Nested(LessonAnswer), required=True, validate=validate.Length(1, 16))
    hints = fields.List(prose(LONGEST_COMMENT), load_default=list, validate=validate.Length(max=16))
    otherwise = prose(
        LONGEST_COMMENT, allow_none=True, load_default=None, metadata=description("Reply to any other move.")
    )


class StudyEdit(Schema):
    """An edit; `do` names its kind, which decides the other fields."""

    do = fields.String(required=True, validate=validate.OneOf(tuple(EDITS)))
    title = prose(LONGEST_TITLE)
    visibility = fields.String(validate=validate.OneOf(VISIBILITIES))
    player = text(64, metadata=description("Id or name of the player."))
    role = fields.String(
        allow_none=True,
        validate=validate.OneOf(ROLES),
        metadata=description("Role of the member; null: removes the member."),
    )
    of = fields.UUID(metadata=description("The game a new chapter is about."))
    game = fields.String(validate=validate.OneOf(tuple(GAMES)), metadata=description("Game of an analysis."))
    position = fields.Dict(keys=fields.String(), metadata=description("Position at which an analysis begins."))
    eyes = Eyes(allow_none=True, metadata=SEEN_BY)
    lesson = StrictBoolean(metadata=description("Whether readers are asked to find moves."))
    chapter = integer(1, 1_000, metadata=description("Number of the chapter."))
    before = integer(
        1, 1_000, allow_none=True, metadata=description("The chapter that it moves before; null: to the end.")
    )
    at = place("an event of the game by its number, a node of a variation, or `v0`, where an analysis begins")
    hash = fields.String(
        validate=validate.Regexp(r"^[0-9a-f]{12,64}\Z"),
        metadata=description("Hash of the game's event, or its beginning; another event is refused."),
    )
    moves = fields.List(text(LONGEST_MOVE), validate=validate.Length(1, MOST_MOVES))
    chance = fields.String(
        validate=validate.OneOf(CHANCES),
        metadata=description("Source of draws: the game's own, once revealed; `draws`; or chance, which is recorded."),
    )
    draws = fields.List(text(64), validate=validate.Length(max=2_000))
    seed = hexadecimal(16, metadata=description("Seed of random draws."))
    node = place("a node of a variation")
    rank = integer(0, 10_000, metadata=description("Position among its alternatives; 0 is the first."))
    comment = integer(1, VERSION, allow_none=True, metadata=description("Number of the comment; left out: adds one."))
    text = prose(LONGEST_COMMENT, metadata=description("Markdown text."))
    glyphs = fields.List(integer(1, 255), validate=validate.Length(max=8))
    markers = fields.List(fields.Nested(Marker), validate=validate.Length(max=64))
    by = fields.UUID(metadata=description("Author of the marks; left out: you."))
    question = fields.Nested(NewQuestion, allow_none=True, metadata=description("The question; null: removes it."))

    @validates_schema
    def complete(self, data: dict[str, Any], **_more: Any) -> None:
        """Raises ValidationError for a missing field, or one of another kind of edit."""
        needs, takes = FIELDS.get(data.get("do", ""), (frozenset(), frozenset()))
        for name in sorted(needs - data.keys()):
            raise ValidationError("is missing", name)
        for name in sorted(data.keys() - needs - takes - {"do"}):
            raise ValidationError("does not go with this edit", name)
        if data.get("do") == "add_chapter" and ("of" in data) is ({"game", "position"} <= data.keys()):
            raise ValidationError("a chapter is of a game, or of a game's position", "of")


class StudyEdits(Schema):
    """Edits that are applied all or none."""

    edits = fields.List(fields.Nested(StudyEdit), required=True, validate=validate.Length(1, MOST_EDITS))
    saw = integer(
        0,
        VERSION,
        required=True,
        metadata=description("The version the client saw; parts that changed since are not overwritten."),
    )

    @validates_schema
    def bounded(self, data: dict[str, Any], **_more: Any) -> None:
        """Raises ValidationError for too many moves in one request."""
        if sum(len(edit.get("moves", ())) for edit in data["edits"]) > MOST_MOVES:
            raise ValidationError(Message("there are more than {most} moves", most=MOST_MOVES), "edits")
