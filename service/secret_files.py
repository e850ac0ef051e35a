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
    """Returns the key in a variable, or in a file that nobody else may read; raises ValueError."""
    try:
        key = base64.b64decode(read_text(name, environ, "make a key with: openssl rand -base64 32"), validate=True)
    except binascii.Error as problem:
        raise ValueError(f"{_origin(name, environ)}: {problem}") from problem
    if len(key) != KEY_BYTES:
        raise ValueError(f"{_origin(name, environ)} must hold {KEY_BYTES} bytes in base64, not {len(key)}")
    return Secret(key)


def read_text(name: str, environ: Mapping[str, str], help: str = "") -> str:
    """Returns the text in a variable, or in a file that nobody else may read; raises ValueError."""
    given, file = environ.get(name), environ.get(f"{name}_FILE")
    if (given is None) == (file is None):
        raise ValueError(f"set one of {name} and {name}_FILE" + (f" ({help})" if help else ""))
    try:
        return given if given is not None else private_file(Path(file or ""))
    except OSError as problem:
        raise ValueError(f"{_origin(name, environ)}: {problem}") from problem


def _origin(name: str, environ: Mapping[str, str]) -> str:
    return name if name in environ else f"{name}_FILE"


def private_file(path: Path) -> str:
    """Returns the secret in a file; raises PermissionError when others may read the file."""
    if path.stat().st_mode & 0o077:
        raise PermissionError(f"{path} may be read by others than its owner; chmod 600 it")
    return path.read_text().strip()
