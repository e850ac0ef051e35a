"""Secrets of an embedded installation: made once, kept in the data directory, read by their owner alone."""

import base64
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from service.settings import KEY_BYTES, SECRETS


def key_files(directory: Path) -> Mapping[str, Path]:
    """The file of each secret; what is missing is made."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    directory.chmod(0o700)
    named = {name: directory / f"{name.removeprefix('CABILDO_').lower()}.base64" for name in SECRETS}
    for path in named.values():
        if not path.exists():
            _make(path)
    return named


def _make(path: Path) -> None:
    """Write a fresh key so that a half-written file is never mistaken for one."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    opened = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "wb") as file:
        file.write(base64.b64encode(secrets.token_bytes(KEY_BYTES)))
        file.flush()
        os.fsync(file.fileno())
    fresh.rename(path)
