"""Response helpers: ETag, language, compression, files, pages and streams."""

import gzip
import hashlib
import weakref
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import IO, Any, Final
from urllib.parse import urlencode

from flask import Flask, Response, g, request

from events.errors import CabildoError
from projections.rules.catalogue import LANGUAGES
from service.web.json_bodies import encode
from service.web.routing import container

LANGUAGE_COOKIE: Final = "cabildo_language"
CSV: Final = "text/csv"
MARKDOWN: Final = "text/markdown"
FOR_THIS_CLIENT: Final = "private, no-cache"  # keep it, but ask whether it has changed
FOR_ALL: Final = "public, max-age=0, must-revalidate"  # the same, for shared caches too
CLIENT_HEADERS: Final = frozenset(("authorization", "cookie", "x-seat-of"))
FILE_CHUNK: Final = 65_536  # bytes
WORTH_IT: Final = 1_000  # bytes below which nothing is compressed
LEVEL: Final = 5
COMPRESSED: Final = frozenset(("application/json", "application/problem+json", "application/x-ndjson", "text/plain"))


def request_language() -> str:
    """Returns the language of the query, the cookie, or Accept-Language, in this order."""
    if "language" not in g:
        g.language = _liked()
    return str(g.language)


def _liked() -> str:
    for chosen in (request.args.get("language"), request.cookies.get(LANGUAGE_COOKIE)):
        if chosen in LANGUAGES:
            return chosen
    return request.accept_languages.best_match(LANGUAGES) or LANGUAGES[0]


def etag_response(parts: Iterable[object], build: Callable[[], Response], *, for_all: bool = False) -> Response:
    """Returns a response with an ETag of its parts; 304 without building it when the client has it.

    `If-None-Match: *` asks for any state of it: then the document is built first, for there may be none. A document
    `for_all` may be kept by shared caches when the request names no client; they ask each time whether it has changed.
    """
    tag = hashlib.sha256(repr(tuple(parts)).encode()).hexdigest()[:32]
    known = request.if_none_match
    if known.star_tag:
        build()
    response = Response(status=304) if known.contains_weak(tag) else build()
    response.set_etag(tag, weak=True)  # compressed or not, it is the same document
    response.headers["Cache-Control"] = FOR_ALL if for_all and _names_no_client() else FOR_THIS_CLIENT
    response.vary.update(("Accept", "Accept-Encoding", "Accept-Language", "Authorization", "Cookie"))
    return response


def _names_no_client() -> bool:
    """Whether the answer depends on nobody: no token, no cookie of any kind, no person at a screen."""
    return CLIENT_HEADERS.isdisjoint(name.lower() for name, _ in request.headers)


def json_response(value: Any, status: int = 200) -> Response:
    """Returns a JSON response of a finished document, without a schema."""
    return Response(encode(value), status=status, content_type="application/json")


def csv_response(text: str) -> Response:
    """Returns a CSV response."""
    return Response(text, content_type=f"{CSV}; charset=utf-8")


def markdown_response(text: str) -> Response:
    """Returns a Markdown response."""
    return Response(text, content_type=f"{MARKDOWN}; charset=utf-8")


def html_file_response(text: str, name: str) -> Response:
    """Returns an HTML response that browsers store as a file."""
    answer = Response(text, content_type="text/html; charset=utf-8")
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}.html"'
    return answer


def page_response(name: str, entries: Sequence[Any], following: str | None) -> Response:
    """Returns a page of a list, with a Link header to the next page when there is one."""
    answer = json_response({name: entries, "next": following})
    if following is not None:
        asked = [(name, value) for name, value in request.args.items(multi=True) if name != "after"]
        answer.headers["Link"] = f'<{request.path}?{urlencode([*asked, ("after", following)])}>; rel="next"'
    return answer


def add_language_headers(app: Flask) -> None:
    """Say of each answer with words for the reader which language they are in, and what that depended on."""
    app.after_request(_name_language)


def _name_language(response: Response) -> Response:
    if "language" in g:
        response.headers["Content-Language"] = g.language
        response.vary.update(("Accept-Language", "Cookie"))
    return response


def compress_responses(app: Flask) -> None:
    """Compresses large text responses for clients that accept gzip."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if response.mimetype not in COMPRESSED or "Content-Encoding" in response.headers or response.status_code == 304:
        return response
    if "Vary" in response.headers:
        response.vary.add("Accept-Encoding")
    else:
        response.headers.add("Vary", "Accept-Encoding")
    if not takes_gzip() or response.is_streamed:
        return response
    return gzipped(response)


def gzipped(response: Response) -> Response:
    """Compresses the body of a response, where that is worth it."""
    body = response.get_data()
    if len(body) >= WORTH_IT:
        response.set_data(gzip.compress(body, LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def takes_gzip() -> bool:
    """Returns whether the client prefers gzip."""
    if request.headers.get("Accept-Encoding") is None:  # like most who send moves: nothing to parse
        return False
    return request.accept_encodings.best_match(("identity", "gzip")) == "gzip"


def streaming_response(pieces: Iterable[str], media_type: str) -> Response:
    """Returns a response that is streamed as it is produced, compressed for clients that accept gzip."""
    chunks = (piece.encode() for piece in pieces)
    wanted = takes_gzip()
    response = Response(_compressed(chunks) if wanted else chunks, content_type=media_type)
    response.vary.add("Accept-Encoding")
    if wanted:
        response.headers["Content-Encoding"] = "gzip"
    return response


def file_response(file: IO[bytes], size: int, media_type: str, name: str, account: str) -> Response:
    """Returns a response that sends a file, counted as a stream of the account while it is sent; closes the file.

    Raises TooManyStreams or StreamsFull.
    """
    try:
        stream = container().stream_limits.enter(request.remote_addr, account, holds_thread=True)
    except CabildoError:
        file.close()
        raise
    response = Response(iter(partial(file.read, FILE_CHUNK), b""), content_type=media_type)
    for end in (stream.leave, file.close):
        response.call_on_close(end)
        weakref.finalize(response, end)  # also when it was never sent
    response.content_length = size
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "no-store"
    return response


def _compressed(chunks: Iterable[bytes]) -> Iterator[bytes]:
    packer = zlib.compressobj(LEVEL, wbits=31)
    for chunk in chunks:
        if packed := packer.compress(chunk):
            yield packed
    yield packer.flush()
