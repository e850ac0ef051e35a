"""What a running process remembers: a program that was forked shows the environment of its parent to the system."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

WRITABLE: Final = re.compile(r"([0-9a-f]+)-([0-9a-f]+) rw")


def remembers(pid: int, text: str) -> bool:
    """Returns whether a text is anywhere in the memory of a process."""
    return any(text.encode() in region for region in _regions(pid))


def _regions(pid: int) -> Iterator[bytes]:
    process = Path("/proc", str(pid))
    with (process / "mem").open("rb", buffering=0) as memory:
        for line in (process / "maps").read_text().splitlines():
            found = WRITABLE.match(line)
            if found and "[v" not in line:  # [vvar] and its kin cannot be read
                begin, end = (int(part, 16) for part in found.groups())
                memory.seek(begin)
                yield memory.read(end - begin)
