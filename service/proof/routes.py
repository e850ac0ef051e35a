"""Proof to take away: the bundle of a game, and the service's own judgement of a bundle."""

from functools import partial
from uuid import UUID

from flask import Response, request
from marshmallow import INCLUDE, Schema, fields

from service.core.errors import NotAllowed
from service.games.visibility import look
from service.i18n import messages
from service.players.credentials import Identity
from service.proof import queries
from service.web.responses import json_response, request_language
from service.web.routing import Routes, container

VERDICTS = "valid, valid with remarks, invalid, undecided (the result was not recomputed)"
routes = Routes("bundles", "Bundles: everything an outsider needs to verify a game offline")


class BundleDocument(Schema):
    """A game with its proofs; what else is in it: deploy/docs/bundle.md."""

    format = fields.String(required=True)
    stream = fields.UUID(required=True)
    events = fields.List(fields.String(), required=True, metadata={"description": "the canonical bytes of each"})
    proof = fields.String(required=True, allow_none=True, metadata={"description": "null: not in the public log yet"})

    class Meta:
        unknown = INCLUDE


class FindingDocument(Schema):
    """What a check did not prove."""

    reason = fields.String(required=True)
    sentence = fields.String(required=True)
    weight = fields.String(
        required=True, metadata={"description": "what it does to the verdict: note, remark, undecided"}
    )


class CheckDocument(Schema):
    """What became of one check."""

    code = fields.String(required=True)
    asks = fields.String(required=True)
    status = fields.String(
        required=True, metadata={"description": "passed, failed, not checked, not reached, not applicable"}
    )
    why_not = fields.String(
        required=True, allow_none=True, metadata={"description": "why it was not checked; null: it was, or not reached"}
    )
    remarks = fields.List(fields.Nested(FindingDocument), required=True)


class ReportDocument(Schema):
    """What was proved of a game, what was not, and the first thing that is wrong."""

    verdict = fields.String(required=True, metadata={"description": VERDICTS})
    exit_status = fields.Integer(required=True, metadata={"description": "what `cabildo verify` ends with"})
    failure = fields.Dict(required=True, allow_none=True)
    checks = fields.List(fields.Nested(CheckDocument), required=True)
    remarks = fields.List(fields.String(), required=True, metadata={"description": "what a director should read"})
    notes = fields.List(fields.String(), required=True, metadata={"description": "what is not proved by design"})
    not_proved = fields.List(fields.String(), required=True, metadata={"description": "both together"})


class GameReport(ReportDocument):
    """The same of one game of an archive."""

    stream = fields.UUID(required=True)


class Judgement(Schema):
    """A report, or of an archive the reports of its games."""

    verdict = fields.String(required=True, metadata={"description": VERDICTS})
    exit_status = fields.Integer(required=True, metadata={"description": "what `cabildo verify` ends with"})
    failure = fields.Dict(allow_none=True, metadata={"description": "of a game: the first thing that is wrong"})
    checks = fields.List(fields.Nested(CheckDocument), metadata={"description": "of a game"})
    remarks = fields.List(fields.String(), metadata={"description": "of a game: what a director should read"})
    notes = fields.List(fields.String(), metadata={"description": "of a game: what is not proved by design"})
    not_proved = fields.List(fields.String(), metadata={"description": "of a game: both together"})
    refused = fields.String(allow_none=True, metadata={"description": "of an archive: why it is none"})
    games = fields.List(fields.Nested(GameReport), metadata={"description": "of an archive"})


@routes.on("GET", "/v1/games/<uuid:game>/bundle", answers=BundleDocument, readers=True, refuses=(404,))
def bundle(game: UUID, asker: Identity | None) -> Response:
    """The game as far as the asker may see it, with its proofs, in one file."""
    here = container()
    sight = look(here.games, here.deals, here.games.load(game), asker.id if asker else None)
    if sight.secrets:
        raise NotAllowed("secrets", "seats keep secrets in this game; its proof is for everybody when it is over")
    with here.stores.pool.connection() as connection:
        data = queries.bundle(connection, here.settings, game, sight.version)
    name = f'attachment; filename="{game}.bundle.json"'
    return Response(data, content_type="application/json", headers={"Content-Disposition": name})


@routes.on("POST", "/v1/verify", answers=Judgement, takes=("application/json", "application/zip"))
def verify() -> Response:
    """Judge the bundle or archive in the body, byte by byte as it was handed out, under the policy of this service.

    It is the service's own word. Who does not take it runs `cabildo verify` or `deploy/verify_standalone.py` at home.
    """
    here = container()
    with here.stores.pool.connection() as connection:
        report = queries.judge(connection, here.settings, request.get_data())
    return json_response(report.document(partial(messages.translate, language=request_language())))
