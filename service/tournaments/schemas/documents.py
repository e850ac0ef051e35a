"""Schemas of the documents of tournaments."""

from marshmallow import Schema, fields, validate

from events.kinds.tournament import MOST_EDITIONS
from projections.rules.registry import GAMES
from service.web.schema_fields import description, moment, player_id


class PersonDocument(Schema):
    """A player by id and, before an erasure, by name."""

    id = fields.String(required=True)
    name = fields.String(required=True, allow_none=True)


class TournamentDocument(Schema):
    """A tournament at a version."""

    id = fields.UUID(required=True)
    title = fields.String(required=True, allow_none=True)
    status = fields.String(required=True)
    version = fields.Integer(required=True)
    head = fields.String(required=True)
    visibility = fields.String(required=True)
    host = fields.Nested(PersonDocument, required=True)
    directors = fields.List(fields.Nested(PersonDocument), required=True)
    regulations = fields.Raw(required=True, metadata={"type": "object", "description": "as they were declared"})
    hash = fields.String(required=True, allow_none=True, metadata=description("Hash of the published regulations."))
    commitment = fields.String(
        required=True, allow_none=True, metadata=description("Commitment to the seed of all pairings.")
    )
    seed = fields.String(
        required=True, allow_none=True, metadata=description("The seed, shown when the tournament is over.")
    )
    doubts = fields.List(
        fields.Dict(), required=True, metadata=description("Points that the host should check before publishing.")
    )
    entrants = fields.Integer(required=True)
    stage = fields.Integer(required=True, allow_none=True)
    round = fields.Integer(required=True, allow_none=True)
    round_status = fields.String(required=True, allow_none=True)
    edition = fields.Integer(
        required=True,
        allow_none=True,
        metadata=description("Number of the archive that holds; null: the tournament is not over."),
    )
    starts = moment(required=True, allow_none=True)
    ends = moment(required=True, allow_none=True)
    local = fields.Dict(required=True, metadata=description("Start and end in the tournament's time zone."))
    created = moment(required=True)
    changed = moment(required=True)


class ComputedDocument(Schema):
    """A document computed from a tournament, and its version."""

    tournament = fields.UUID(required=True)
    version = fields.Integer(required=True)


class Peopled(ComputedDocument):
    """A computed document that names players."""

    people = fields.Dict(required=True, metadata=description("Names by player's id."))


class EntrantsDocument(ComputedDocument):
    """All entrants and invited players."""

    entrants = fields.List(fields.Dict(), required=True)
    invited = fields.List(fields.Nested(PersonDocument), required=True)


class RoundDocument(ComputedDocument):
    """A round: its tables, byes, seed and status."""

    round = fields.Integer(required=True)
    stage = fields.Integer(required=True)
    status = fields.String(required=True)
    attempt = fields.Integer(required=True)
    seed = fields.String(required=True)
    inputs = fields.Integer(
        required=True, metadata=description("Version of the tournament that the round was paired from.")
    )
    tables = fields.List(fields.Dict(), required=True)
    byes = fields.List(fields.Dict(), required=True)
    choose_by = moment(allow_none=True)
    sit_by = moment(allow_none=True)
    deal = fields.Dict(
        allow_none=True, metadata=description("Duplicate tables: id of the deal, its seed once revealed, `closed`.")
    )


class RoundsDocument(ComputedDocument):
    """All rounds so far."""

    rounds = fields.List(fields.Dict(), required=True)


class PairingDocument(Peopled):
    """A pairing with its quality and its reasons, which cite event numbers."""

    round = fields.Integer(required=True)
    attempt = fields.Integer(required=True)
    method = fields.String(required=True)
    tables = fields.List(fields.Dict(), required=True)
    byes = fields.List(fields.Dict(), required=True)
    reasons = fields.List(fields.Dict(), required=True)
    measures = fields.Dict(required=True)


class RulingsDocument(ComputedDocument):
    """The directors' rulings with their reasons."""

    rulings = fields.List(fields.Dict(), required=True)


class EditionDocument(Schema):
    """An edition of the archive: the tournament when it was closed, or after a correction."""

    edition = fields.Integer(required=True)
    version = fields.Integer(required=True, metadata=description("Number of the last event in the archive."))
    head = fields.String(required=True, metadata=description("Hash of that event."))
    at = moment(required=True)
    holds = fields.Boolean(
        required=True, metadata=description("Whether the archive holds, which means that no later one replaces it.")
    )
    ruling = fields.Integer(
        required=True, allow_none=True, metadata=description("Number of the ruling that corrects the archive before.")
    )
    by = fields.Nested(PersonDocument, required=True, allow_none=True)
    reason = fields.String(required=True, allow_none=True)
    archive = fields.String(required=True, metadata=description("Address of the archive."))


class ArchivesDocument(ComputedDocument):
    """All editions of the archive with the valid one marked; none before the tournament is over."""

    archives = fields.List(fields.Nested(EditionDocument), required=True)


class ArchiveQuery(Schema):
    """The requested edition."""

    edition = fields.Integer(
        load_default=None,
        validate=validate.Range(1, MOST_EDITIONS),
        metadata=description("Number of the archive; left out: the one that holds."),
    )


class TournamentQuery(Schema):
    """Filters of the tournament list."""

    status = fields.String(
        load_default=None, validate=validate.OneOf(("draft", "open", "running", "finished", "cancelled"))
    )
    game = fields.String(load_default=None, validate=validate.OneOf(tuple(GAMES)))
    player = player_id(load_default=None)
    limit = fields.Integer(load_default=50, validate=validate.Range(1, 200))
    after = fields.String(load_default=None, validate=validate.Regexp(r"^[A-Za-z0-9_=-]{1,120}\Z"))


class TournamentRow(Schema):
    """A tournament in a list."""

    id = fields.UUID(required=True)
    title = fields.String(required=True, allow_none=True)
    game = fields.String(required=True)
    status = fields.String(required=True)
    host = fields.Nested(PersonDocument, required=True)
    entrants = fields.Integer(required=True)
    rounds = fields.Integer(required=True)
    starts = moment(required=True, allow_none=True)
    created = moment(required=True)


class TournamentList(Schema):
    """Tournaments, the newest first."""

    tournaments = fields.List(fields.Nested(TournamentRow), required=True)
    next = fields.String(required=True, allow_none=True)
