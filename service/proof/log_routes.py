"""The public transparency log (C2SP tlog-tiles), served from the files that the keeper publishes."""

from flask import Response, abort

from events.messages import Message
from service.proof import queries
from service.web.routing import Routes, container

routes = Routes("log", "The public transparency log: checkpoints, tiles, entries, policy")

TEXT = "text/plain; charset=utf-8"
BINARY = "application/octet-stream"
BRIEFLY = "public, max-age=2"
FOR_EVER = "public, max-age=31536000, immutable"


@routes.on("GET", "/log/<path:path>", refuses=(404,), streams=("text/plain", "application/octet-stream"))
def published(path: str) -> Response:
    """Read a published file: `checkpoint`, `checkpoint.witnessed`, `policy`, `receipt-keys`, `frozen` or `tile/...`.

    `claim` is the newest checkpoint that a keeper was about to publish; other keepers compare it with their database.
    The header Checkpoint-Witnessed of a checkpoint says whether the policy's quorum of witnesses cosigned it. A renamed
    log is served below its name: `/log/NAME/checkpoint`.
    """
    file = queries.published_file(container().settings, path)
    if file is None:
        abort(404, Message("the log has no such file"))
    headers = {"Cache-Control": BRIEFLY if file.is_text else FOR_EVER}
    if file.is_witnessed is not None:
        headers["Checkpoint-Witnessed"] = "yes" if file.is_witnessed else "no"
    return Response(file.data, content_type=TEXT if file.is_text else BINARY, headers=headers)
