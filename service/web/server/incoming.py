"""The bytes of a request while they arrive: where header and body end, and when they come too slowly.

Only decides when all is there; gunicorn's parser alone judges whether it is a request.
"""

import re
from typing import Final

from gunicorn.http.errors import InvalidChunkSize, LimitRequestHeaders

SLOWEST: Final = 100  # bytes a second
GRACE: Final = 5.0  # seconds before the speed counts
LONGEST_HEADER: Final = 32_768
HEADER_END: Final = b"\r\n\r\n"
LINE_END: Final = b"\r\n"
LONGEST_SIZE_LINE: Final = 1_024
LONGEST_LENGTH: Final = 15  # digits
SIZE: Final = re.compile(rb"[0-9A-Fa-f]{1,15}")


class BodyTooLarge(Exception):
    """A body without a declared length is larger than the service reads."""


class Incoming:
    """One request that arrives on a connection, and what the client has sent of the next one."""

    def __init__(self, most_body: int, seconds: float) -> None:
        self._most_body = most_body
        self._seconds = seconds
        self._data = bytearray()
        self._began: float | None = None  # when the first byte of header or body arrived
        self._end: int | None = None  # where the request ends
        self._header = 0  # length
        self._scanned = 0
        self._chunked = False
        self._chunk = 0  # where the line with the size of the next chunk begins
        self._body = 0  # bytes in the chunks so far
        self._expects = False

    def __len__(self) -> int:
        return len(self._data)

    def add(self, data: bytes, now: float) -> None:
        """Appends what arrived; raises LimitRequestHeaders, InvalidChunkSize or BodyTooLarge."""
        if self._began is None:
            self._began = now
        self._data += data
        if not self._header:
            self._find_header(now)
        if self._chunked and self._end is None:
            self._find_chunks()

    @property
    def complete(self) -> bool:
        """Returns whether the request is there; one with too large a body is refused without it."""
        return self._end is not None and len(self._data) >= self._end

    @property
    def expects_continue(self) -> bool:
        """Returns whether the client waits for `100 Continue` before it sends the body."""
        return self._expects and not self.complete

    def continued(self) -> None:
        """Notes that the client was told to go on."""
        self._expects = False

    def take(self) -> bytes:
        """Returns the request; what follows it begins the next one."""
        end = self._end or 0
        data = bytes(memoryview(self._data)[:end])
        del self._data[:end]
        self._restart()
        return data

    def forget(self) -> None:
        """Throws away what arrived."""
        self._data.clear()
        self._restart()

    def overdue(self, now: float) -> bool:
        """Returns whether header or body took longer than their time, or come too slowly."""
        spent = 0.0 if self._began is None else now - self._began
        if spent > self._seconds:
            return True
        arrived = len(self._data) - self._header
        return spent > GRACE and arrived < SLOWEST * spent

    def _restart(self) -> None:
        self._began = self._end = None
        self._header = self._scanned = self._chunk = self._body = 0
        self._chunked = self._expects = False

    def _find_header(self, now: float) -> None:
        found = self._data.find(HEADER_END, max(0, self._scanned - len(HEADER_END)))
        self._scanned = len(self._data)
        if (found if found >= 0 else len(self._data)) > LONGEST_HEADER:
            raise LimitRequestHeaders("limit request headers fields size")
        if found < 0:
            return
        self._header = self._chunk = found + len(HEADER_END)
        self._began = now
        self._read_framing(bytes(self._data[:found]).lower().split(LINE_END)[1:])

    def _read_framing(self, lines: list[bytes]) -> None:
        fields = dict(_field(line) for line in lines)
        self._expects = fields.get(b"expect") == b"100-continue"
        length = fields.get(b"content-length", b"0")
        if b"transfer-encoding" in fields:
            self._chunked = True
        elif length.isdigit() and len(length) <= LONGEST_LENGTH and int(length) <= self._most_body:
            self._end = self._header + int(length)
        else:
            self._end = self._header

    def _find_chunks(self) -> None:
        """Goes from chunk to chunk until the last one and its trailers are there."""
        while (line := self._data.find(LINE_END, self._chunk)) >= 0:
            size = _chunk_size(bytes(self._data[self._chunk : line]))
            if size == 0:
                last = self._data.find(HEADER_END, line)  # without trailers it begins with the end of this line
                self._end = last + len(HEADER_END) if last >= 0 else None
                break
            self._body += size
            self._chunk = line + len(LINE_END) + size + len(LINE_END)
            if self._body > self._most_body or self._chunk - self._header > 2 * self._most_body:
                raise BodyTooLarge
        if self._end is None and len(self._data) - self._chunk > LONGEST_HEADER:
            raise LimitRequestHeaders("limit request trailer section size")


def _field(line: bytes) -> tuple[bytes, bytes]:
    name, _, value = line.partition(b":")
    return name.strip(), value.strip()


def _chunk_size(line: bytes) -> int:
    digits = line.partition(b";")[0].strip()
    if SIZE.fullmatch(digits) is None:
        raise InvalidChunkSize(line[:LONGEST_SIZE_LINE])
    return int(digits, 16)
