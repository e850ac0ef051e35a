"""Sets values in a document by JSON pointer, as clients of live steps do."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any


def patched(document: Any, changes: Mapping[str, Any]) -> Any:
    """Returns the document with values set by JSON pointer (RFC 6901)."""
    found = {"": deepcopy(document)}
    for pointer, value in changes.items():
        *way, last = [part.replace("~1", "/").replace("~0", "~") for part in pointer.split("/")]
        inner: Any = found
        for part in way:
            inner = inner[int(part) if isinstance(inner, list) else part]
        inner[int(last) if isinstance(inner, list) else last] = value
    return found[""]
