"""The route of the export of an account."""

from urllib.parse import urlencode

from flask import Response, request

from service.players.export.account_archive import FILE_NAME, MEDIA_TYPE, export_account
from service.players.export.schemas import ExportQuery, LoadedExportQuery
from service.players.identity import Identity
from service.web.responses import file_response
from service.web.routing import Routes, container

routes = Routes("export", "Export of everything stored of an account")


@routes.on("GET", "/v1/me/export", query=ExportQuery, scope="read", refuses=(503,), streams=(MEDIA_TYPE,))
def export(query: LoadedExportQuery, asker: Identity) -> Response:
    """Download everything stored of you as a zip file of JSON, with a README that describes each file.

    A part has at most 100,000 rows; `next` in its `export.json` and the header Link name the part that follows.
    Asks for the password as a change of the password does.
    """
    part = export_account(container(), asker, query["after"])
    response = file_response(part.file, part.size, MEDIA_TYPE, FILE_NAME, asker.id)
    if part.next is not None:
        response.headers["Link"] = f'<{request.path}?{urlencode({"after": part.next})}>; rel="next"'
    return response
