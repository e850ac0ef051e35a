"""A small S3-compatible server in memory: signed requests, conditional writes, lists in pages, and faults on demand."""

import hashlib
import hmac
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qsl, quote, unquote, urlsplit
from xml.sax.saxutils import escape, unescape

ACCESS_KEY: Final = "access"
SECRET_KEY: Final = "a secret of this test"
REGION: Final = "test-1"
BUCKET: Final = "bucket"
PAGE: Final = 7  # names in a page of a list: fewer than a test writes


class Objects:
    """The objects of one bucket; `fault` is asked before each request and may answer it instead."""

    def __init__(self) -> None:
        self.data: dict[str, bytes] = {}
        self.lock = threading.Lock()
        self.fault: Callable[[BaseHTTPRequestHandler], bool] = lambda _request: False
        self.history: list[tuple[str, bytes]] = []  # everything that was ever written

    def put(self, name: str, data: bytes, headers: Mapping[str, str]) -> tuple[int, str]:
        """Writes an object if its conditions hold."""
        with self.lock:
            present = self.data.get(name)
            if headers.get("if-none-match") == "*" and present is not None:
                return 412, ""
            if (wanted := headers.get("if-match")) is not None and (present is None or wanted != etag(present)):
                return 412 if present is not None else 404, ""
            self.data[name] = data
            self.history.append((name, data))
        return 200, etag(data)


def etag(data: bytes) -> str:
    return f'"{hashlib.md5(data).hexdigest()}"'


class ObjectServer(ThreadingHTTPServer):
    """Serves the objects of one bucket."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), ObjectHandler)
        self.objects = Objects()


class ObjectHandler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server: ObjectServer

    def do_GET(self) -> None:
        if not self._begins():
            return
        if "list-type=2" in self.path:
            self._answer(200, self._list(), "application/xml")
            return
        with self.server.objects.lock:
            data = self.server.objects.data.get(self._name())
        self._answer(404 if data is None else 200, data or b"", tag=None if data is None else etag(data))

    def do_PUT(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self._begins(body):
            headers = {name.lower(): value for name, value in self.headers.items()}
            status, tag = self.server.objects.put(self._name(), body, headers)
            self._answer(status, b"", tag=tag)

    def do_POST(self) -> None:
        """Removes objects, as all S3 clients ask for it."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self._begins(body):
            names = re.findall("<Key>(.*?)</Key>", body.decode())
            with self.server.objects.lock:
                for name in names:
                    self.server.objects.data.pop(unescape(name), None)
            rows = "".join(f"<Deleted><Key>{name}</Key></Deleted>" for name in names)
            self._answer(200, f"<DeleteResult>{rows}</DeleteResult>".encode(), "application/xml")

    def _begins(self, body: bytes = b"") -> bool:
        if self.server.objects.fault(self):
            return False
        if not is_signed(self.command, self.path, self.headers, body):
            self._answer(403, b"<Error><Code>SignatureDoesNotMatch</Code></Error>", "application/xml")
            return False
        return True

    def _name(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix(f"/{BUCKET}/")

    def _list(self) -> bytes:
        asked = dict(parse_qsl(urlsplit(self.path).query))
        with self.server.objects.lock:
            data = dict(self.server.objects.data)
        found = sorted(name for name in data if name.startswith(asked.get("prefix", "")))
        found = [name for name in found if name > asked.get("continuation-token", "")]
        rows = "".join(
            f"<Contents><Key>{escape(name)}</Key><LastModified>2026-01-01T00:00:00.000Z</LastModified>"
            f"<ETag>{escape(etag(data[name]))}</ETag><Size>{len(data[name])}</Size></Contents>"
            for name in found[:PAGE]
        )
        more = f"<NextContinuationToken>{escape(found[PAGE - 1])}</NextContinuationToken>" if found[PAGE:] else ""
        truncated = "true" if more else "false"
        return f"<ListBucketResult><IsTruncated>{truncated}</IsTruncated>{more}{rows}</ListBucketResult>".encode()

    def _answer(self, status: int, body: bytes, kind: str = "binary/octet-stream", tag: str | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Last-Modified", "Thu, 01 Jan 2026 00:00:00 GMT")
        if tag:
            self.send_header("ETag", tag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_values: Any) -> None:
        """Says nothing."""


@contextmanager
def object_server() -> Iterator[tuple[str, Objects]]:
    """Yields the address of a server that runs, and its objects."""
    with ObjectServer() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{server.server_address[1]}", server.objects
        server.shutdown()
        thread.join()


def is_signed(method: str, path: str, headers: Any, body: bytes) -> bool:
    """Checks the signature of a request (AWS Signature Version 4)."""
    words = dict(
        part.strip().split("=", 1) for part in headers.get("Authorization", " ").partition(" ")[2].split(",") if part
    )
    scope, names = words.get("Credential", "").partition("/")[2], words.get("SignedHeaders", "")
    url, sent = urlsplit(path), headers.get("x-amz-content-sha256", "")
    if sent != "UNSIGNED-PAYLOAD" and sent != hashlib.sha256(body).hexdigest():
        return False
    query = "&".join(
        f"{quote(key, safe='-_.~')}={quote(value, safe='-_.~')}"
        for key, value in sorted(parse_qsl(url.query, keep_blank_values=True))
    )
    lines = "".join(f"{name}:{' '.join(headers.get(name, '').split())}\n" for name in names.split(";"))
    request = f"{method}\n{url.path}\n{query}\n{lines}\n{names}\n{sent}"
    text = "\n".join(
        ("AWS4-HMAC-SHA256", headers.get("x-amz-date", ""), scope, hashlib.sha256(request.encode()).hexdigest())
    )
    key = f"AWS4{SECRET_KEY}".encode()
    for part in (*scope.split("/"), text):
        key = hmac.new(key, part.encode(), hashlib.sha256).digest()
    return hmac.compare_digest(key.hex(), words.get("Signature", ""))
