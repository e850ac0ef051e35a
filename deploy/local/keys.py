"""Secrets of an embedded installation: generated once, stored in the data folder, readable by their owner only."""

import base64
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from service.key_settings import SECRETS
from service.secret_files import KEY_BYTES


def key_files(directory: Path) -> Mapping[str, Path]:
    """Returns the file of each secret; generates missing ones."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    directory.chmod(0o700)
    named = {name: directory / f"{name.removeprefix('CABILDO_').lower()}.base64" for name in SECRETS}
    for path in named.values():
        if not path.exists():
            _make(path)
    return named


def _make(path: Path) -> None:
    """Writes a new key under another name and renames it, so that no half-written key is read."""
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    opened = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(opened, "wb") as file:
        file.write(base64.b64encode(secrets.token_bytes(KEY_BYTES)))
        file.flush()
        os.fsync(file.fileno())
    fresh.rename(path)
