"""Secrets of an embedded installation: generated once, stored in the data folder, readable by their owner only."""

import base64
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from deploy.errors import CannotRun
from events.files.directory_store import sync
from events.sealing.master_keys import key_id
from service.key_settings import MASTER_KEY, PREVIOUS_MASTER_KEY, SECRETS
from service.secret_files import KEY_BYTES, private_file

PREVIOUS = "master_key_previous.base64"
MADE = "master_key_made.base64"  # a new key before it is used
RETIRED = "retired"


class KeyInUse(CannotRun):
    """A master key is still being replaced by another."""

    def __init__(self) -> None:
        super().__init__(
            "the last master key still replaces another: see `cabildo key status`, then run `cabildo key retire`"
        )


def key_files(directory: Path) -> Mapping[str, Path]:
    """Returns the file of each secret, and of a master key that is being replaced; generates missing ones."""
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    directory.chmod(0o700)
    named = {name: directory / f"{name.removeprefix('CABILDO_').lower()}.base64" for name in SECRETS}
    for path in named.values():
        if not path.exists():
            _make(path)
    previous = directory / PREVIOUS
    return {**named, PREVIOUS_MASTER_KEY: previous} if previous.exists() else named


def replace_master_key(directory: Path) -> str:
    """Makes a new master key and keeps the old one beside it; returns the id of the new key. Raises KeyInUse.

    A run that was interrupted at any point is completed by the next one.
    """
    current = key_files(directory)[MASTER_KEY]
    previous, made = directory / PREVIOUS, directory / MADE
    if previous.exists() and _id(previous) != _id(current):
        raise KeyInUse
    if not made.exists():
        _make(made)
    if not previous.exists():
        previous.hardlink_to(current)
        sync(directory)
    made.replace(current)
    sync(directory)
    return _id(current)


def retire_master_key(directory: Path) -> str | None:
    """Puts the previous master key aside, for backups made under it; returns its id, None when there is none."""
    previous = directory / PREVIOUS
    if not previous.exists():
        return None
    id, kept = _id(previous), directory / RETIRED
    kept.mkdir(mode=0o700, exist_ok=True)
    previous.replace(kept / f"master_key_{id}.base64")
    sync(directory)
    return id


def _id(path: Path) -> str:
    return key_id(base64.b64decode(private_file(path)))


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
