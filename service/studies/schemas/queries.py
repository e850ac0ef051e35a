"""Schemas of the queries of studies."""

from marshmallow import Schema, fields, validate

from projections.rules.catalogue import LANGUAGES
from projections.rules.registry import GAMES
from service.games.schemas.queries import VERSION, number
from service.studies.schemas.edits import LONGEST_TITLE, place
from service.web.schema_fields import description, prose, text


class DeletionQuery(Schema):
    """The version of the study to delete."""

    saw = number(
        0,
        VERSION,
        load_default=VERSION,
        metadata=description("The version the client saw; a study that changed since is not deleted."),
    )


class TicketQuery(Schema):
    """Tickets of answered questions of lessons."""

    tickets = fields.String(
        load_default="",
        validate=validate.Regexp(r"^[0-9a-f]{16}(?:,[0-9a-f]{16}){0,199}\Z"),
        metadata=description(
            "Tickets of questions that were answered or given up, separated by commas; they unlock a lesson."
        ),
    )


class BoardQuery(TicketQuery):
    """A board of a chapter, and the viewpoint."""

    at = place("which place", required=True)
    eyes = fields.String(
        data_key="as",
        load_default=None,
        allow_none=False,
        validate=validate.Regexp(r"^(?:[0-4]|spectator|all)\Z"),
        metadata=description("A seat, `spectator` or `all`; left out: all, or your own seat while the game runs."),
    )
    legal = fields.Boolean(
        load_default=False,
        truthy={"true", "1"},
        falsy={"false", "0"},
        metadata=description("Returns the legal moves too, when the game is over."),
    )


class ReportQuery(TicketQuery):
    """The language of a report."""

    language = fields.String(
        validate=validate.OneOf(LANGUAGES),
        metadata=description("Language; left out: the best match of `Accept-Language`."),
    )


class PictureQuery(ReportQuery):
    """A board of a chapter."""

    at = place("which place", required=True)


class StudyQuery(Schema):
    """Filters of studies; a study has to match all that are given."""

    about = fields.UUID(load_default=None, allow_none=False, metadata=description("Id of a game."))
    member = fields.UUID(load_default=None, allow_none=False, metadata=description("Id of a player."))
    game = fields.String(load_default=None, allow_none=False, validate=validate.OneOf(tuple(GAMES)))
    lesson = fields.Boolean(load_default=None, allow_none=False, truthy={"true", "1"}, falsy={"false", "0"})
    title = prose(LONGEST_TITLE, load_default=None, allow_none=False, metadata=description("Words of the title."))
    limit = number(1, 100, load_default=50)
    after = text(200, load_default=None, allow_none=False, metadata=description("Cursor of the page before."))


class ChangeQuery(Schema):
    """The position in the list of changes."""

    after = number(0, VERSION, load_default=None, metadata=description("Number of the last change the client knows."))
    wait = number(0, 60, load_default=0, metadata=description("Seconds to wait for a change."))
