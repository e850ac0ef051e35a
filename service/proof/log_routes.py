"""The public transparency log (C2SP tlog-tiles), served from the files that the keeper publishes."""

from flask import Response, abort

from events.log.publisher import CHECKPOINT, WITNESSED
from events.log.tile_files import TileFiles
from events.merkle.errors import UnreadableText
from events.merkle.tiles import read_path
from events.messages import Message
from service.proof.public_log import public_directory
from service.web.routing import Routes, container

routes = Routes("log", "The public transparency log: checkpoints, tiles, entries, policy")

TEXT = "text/plain; charset=utf-8"
BRIEFLY = "public, max-age=2"
FOR_EVER = "public, max-age=31536000, immutable"
TEXTS = frozenset((CHECKPOINT, WITNESSED, "policy", "receipt-keys", "frozen"))


@routes.on("GET", "/log/<path:path>", refuses=(404,), streams=("text/plain", "application/octet-stream"))
def published(path: str) -> Response:
    """Read a published file: `checkpoint`, `checkpoint.witnessed`, `policy`, `receipt-keys`, `frozen` or `tile/...`.

    The header Checkpoint-Witnessed of a checkpoint says whether the policy's quorum of witnesses cosigned it. A renamed
    log is served below its name: `/log/NAME/checkpoint`.
    """
    name, separator, rest = path.partition("/")
    if separator and name != "tile" and name.isascii() and name.isalnum():
        return _serve(TileFiles(public_directory(container().settings) / name), rest)
    return _serve(TileFiles(public_directory(container().settings)), path)


def _serve(files: TileFiles, path: str) -> Response:
    if path in TEXTS:
        return _text(files, path)
    try:
        data = files.read(read_path(path).path)
    except UnreadableText:
        data = None
    if data is None:
        abort(404, Message("the log has no such file"))
    return Response(data, content_type="application/octet-stream", headers={"Cache-Control": FOR_EVER})


def _text(files: TileFiles, path: str) -> Response:
    data = files.read(path)
    if data is None:
        abort(404, Message("the log has no such file"))
    headers = {"Cache-Control": BRIEFLY}
    if path in (CHECKPOINT, WITNESSED):
        headers["Checkpoint-Witnessed"] = "yes" if files.read(WITNESSED) == data else "no"
    return Response(data, content_type=TEXT, headers=headers)
