"""Compresses what tells nothing by its length: scripts, styles, drawings, and pages for visitors without a session.

Files are compressed once and kept. A page for a visitor with a session holds a secret value beside texts that others
may have written, and is sent as it is.
"""

import gzip
import threading
from typing import Final

from cachetools import LRUCache
from flask import Flask, Response, request

from service.pages.site.appearance_cookie import APPEARANCE_COOKIE
from service.web.responses import LANGUAGE_COOKIE, WORTH_IT, gzipped, takes_gzip

KINDS: Final = frozenset(("text/css", "text/javascript", "application/javascript", "image/svg+xml"))
MOST_BYTES: Final = 8 * 2**20
LEVEL: Final = 9
STATIC: Final = "static"
HTML: Final = "text/html"
HARMLESS: Final = frozenset((LANGUAGE_COOKIE, APPEARANCE_COOKIE))  # no secret hangs on these cookies


def compress_static_files(app: Flask) -> None:
    """Compresses the static files of the application."""
    kept: LRUCache[str, bytes] = LRUCache(MOST_BYTES, len)
    lock = threading.Lock()

    def compress(response: Response) -> Response:
        if response.mimetype == HTML:
            return _compress_page(response)
        if request.endpoint != STATIC or response.mimetype not in KINDS:
            return response
        response.vary.add("Accept-Encoding")
        tag, _ = response.get_etag()
        if tag is not None:
            response.set_etag(tag, weak=True)  # compressed or not, it is the same file
        if response.status_code != 200 or not takes_gzip() or (response.content_length or 0) < WORTH_IT:
            return response
        key = f"{request.path} {tag}"
        with lock:
            packed = kept.get(key)
        if packed is None:
            response.direct_passthrough = False
            packed = gzip.compress(response.get_data(), LEVEL, mtime=0)
            with lock:
                kept[key] = packed
        response.close()
        response.direct_passthrough = False
        response.set_data(packed)
        response.headers["Content-Encoding"] = "gzip"
        return response

    app.after_request(compress)


def _compress_page(response: Response) -> Response:
    """Compresses a page that holds no secret: its visitor has no session, and gets none."""
    response.vary.update(("Accept-Encoding", "Cookie"))
    has_secrets = not HARMLESS.issuperset(request.cookies) or "Set-Cookie" in response.headers
    if has_secrets or response.is_streamed or response.status_code == 304 or not takes_gzip():
        return response
    return gzipped(response)
