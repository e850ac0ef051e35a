"""Scripts and styles travel compressed, once made, to those who accept it; the others get them as they are."""

import gzip
import re

from flask.testing import FlaskClient
from werkzeug.datastructures import Headers

from service.web.auth import SESSION_COOKIE
from tests.support.service.shared_fixtures import app, client, environ

__all__ = ["app", "client", "environ"]  # shared by the tests of this module
PATH = "/static/site.css"
GZIP = "gzip, deflate, br"


def fetch(client: FlaskClient, **headers: str) -> tuple[int, Headers, bytes]:
    """Returns the status, the headers and the body of the style."""
    with client.get(PATH, headers={name.replace("_", "-"): value for name, value in headers.items()}) as answer:
        return answer.status_code, answer.headers, answer.data


def test_a_style_travels_compressed_to_who_accepts_it(client: FlaskClient) -> None:
    _, plain, whole = fetch(client)
    for _ in range(2):
        _, packed, body = fetch(client, Accept_Encoding=GZIP)
        assert packed["Content-Encoding"] == "gzip"
        assert len(body) < len(whole) / 2
        assert gzip.decompress(body) == whole
    assert "Content-Encoding" not in plain
    assert "Accept-Encoding" in plain["Vary"]


def test_an_unchanged_file_is_not_sent_again(client: FlaskClient) -> None:
    tag = fetch(client, Accept_Encoding=GZIP)[1]["ETag"]
    for encoding in (GZIP, "identity"):
        assert fetch(client, Accept_Encoding=encoding, If_None_Match=tag)[0] == 304
    status, part, _ = fetch(client, Accept_Encoding=GZIP, Range="bytes=0-9")
    assert (status, "Content-Encoding" in part) in ((206, False), (200, True))


def test_a_page_is_compressed_for_who_has_no_session(client: FlaskClient) -> None:
    page = client.get("/watch", headers={"Accept-Encoding": GZIP})
    assert page.headers["Content-Encoding"] == "gzip"
    assert b"<h1>" in gzip.decompress(page.data)
    assert {"Accept-Encoding", "Cookie"} <= {*page.headers["Vary"].split(", ")}
    client.set_cookie(SESSION_COOKIE, "secret")
    assert "Content-Encoding" not in client.get("/watch", headers={"Accept-Encoding": GZIP}).headers
    client.delete_cookie(SESSION_COOKIE)
    assert "Content-Encoding" not in client.get("/login", headers={"Accept-Encoding": GZIP}).headers  # a form's value


def test_browsers_keep_files_of_this_version_and_ask_again_for_others(client: FlaskClient) -> None:
    found = re.search(r'href="(/static/~[0-9a-f]{16}/site.css)"', client.get("/watch").text)
    assert found
    for path, kept in ((found[1], True), (f"/static/~{0:016}/site.css", False), (PATH, False)):
        with client.get(path) as answer:
            assert answer.status_code == 200
            assert ("immutable" in answer.headers["Cache-Control"]) == kept
    assert client.get(found[1].replace("site.css", "none.css")).status_code == 404
