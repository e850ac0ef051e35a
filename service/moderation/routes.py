"""Routes of moderation, for administrators."""

import structlog

from service.moderation import documents, queries, schemas
from service.players.identity import Identity
from service.players.queries import names_of
from service.web.responses import request_language
from service.web.routing import Routes, container

log = structlog.get_logger("service.moderation")
routes = Routes("moderation", "Moderation: what administrators do, and the record of it")


@routes.on("GET", "/v1/admin/record", query=schemas.ActQuery, answers=schemas.ActPageDocument, scope="admin")
def record(query: schemas.LoadedRecordQuery, asker: Identity) -> documents.ActPage:
    """List administrative acts, newest first: who did what to what, when and why. Nobody can change or delete one."""
    limit, page = query["limit"], queries.RecordQuery(**query)
    with container().stores.pool.connection() as connection:
        acts = queries.recorded_acts(connection, page._replace(limit=limit + 1))
        names = names_of(connection, documents.players_in(acts))
    log.info("record of administrative acts read", by=asker.id)
    return documents.act_page(acts, limit, names, request_language())
