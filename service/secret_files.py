"""Keys out of variables, or out of files that only their owner may read."""

import base64
import binascii
from collections.abc import Mapping
from pathlib import Path

KEY_BYTES = 32


class Secret(bytes):
    """Bytes with a redacted `repr`, so that they never appear in a log or traceback."""

    def __repr__(self) -> str:
        return "Secret(***)"

    __str__ = __repr__


def read_key(name: str, environ: Mapping[str, str]) -> Secret:
    """Returns the secret in a variable, or in a file that nobody else may read; raises ValueError."""
    given, file = environ.get(name), environ.get(f"{name}_FILE")
    if (given is None) == (file is None):
        raise ValueError(f"set one of {name} and {name}_FILE (make a key with: openssl rand -base64 32)")
    origin = name if given is not None else f"{name}_FILE"
    try:
        key = base64.b64decode(given if given is not None else private_file(Path(file or "")), validate=True)
    except (binascii.Error, OSError) as problem:
        raise ValueError(f"{origin}: {problem}") from problem
    if len(key) != KEY_BYTES:
        raise ValueError(f"{origin} must hold {KEY_BYTES} bytes in base64, not {len(key)}")
    return Secret(key)


def private_file(path: Path) -> str:
    """Returns the secret in a file; raises PermissionError when others may read the file."""
    if path.stat().st_mode & 0o077:
        raise PermissionError(f"{path} may be read by others than its owner; chmod 600 it")
    return path.read_text().strip()
