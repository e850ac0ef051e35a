"""Addresses of static files with the version of them all, so that browsers keep them and ask for none again.

A script imports others by relative addresses, which carry the version, too. Addresses without a version stay valid:
they are asked for anew each time. So do those of another version, which a page has from a process before an update.
"""

import re
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Final

from flask import Flask, Response, request

if TYPE_CHECKING:
    from _typeshed.wsgi import WSGIEnvironment

FOLDER: Final = "/static/"
VERSIONED: Final = re.compile(rf"{FOLDER}~([0-9a-f]{{16}})/")
STATIC: Final = "static"
YEAR: Final = 31_536_000  # seconds
ASKED: Final = "cabildo.static_version"  # in the environment of a request


@cache
def version_of(folder: str) -> str:
    """Returns a digest of all files of a folder, and their names; read once a process."""
    digest = blake2b(digest_size=8)
    for path in sorted(Path(folder).rglob("*")):
        if path.is_file():
            content = path.read_bytes()
            digest.update(f"{path.relative_to(folder)} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def without_version(environ: "WSGIEnvironment") -> None:
    """Takes the version out of a request's path and notes it."""
    if found := VERSIONED.match(environ["PATH_INFO"]):
        environ[ASKED] = found[1]
        environ["PATH_INFO"] = FOLDER + environ["PATH_INFO"][found.end() :]


def with_version(url: str, version: str) -> str:
    """Returns the address of a static file with the version."""
    return url.replace(FOLDER, f"{FOLDER}~{version}/", 1)


def keep_static_files(app: Flask, version: str) -> None:
    """Lets browsers keep the files that are asked for by their version."""

    def keep(response: Response) -> Response:
        if request.endpoint == STATIC and request.environ.get(ASKED) == version and response.status_code in (200, 304):
            response.headers["Cache-Control"] = f"public, max-age={YEAR}, immutable"
        return response

    app.after_request(keep)
