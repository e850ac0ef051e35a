"""Keeps the tokens of logins by service: in the keyring of the system, else in a file that only its owner can read."""

import json
import os
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from types import ModuleType
from typing import Final

from cabildo_client.errors import NoToken

SERVICE: Final = "cabildo"  # the name in the keyring
FILE: Final = "tokens.json"
PRIVATE: Final = 0o077  # permissions that nobody else may have
IN_KEYRING: Final = "the keyring"


class KeptTokens:
    """The tokens of logins, by the address of the service."""

    def __init__(self, environ: Mapping[str, str], keyring: ModuleType | None = None) -> None:
        base = environ.get("XDG_CONFIG_HOME") or str(Path(environ.get("HOME", "~")).expanduser() / ".config")
        self.file = Path(base) / SERVICE / FILE
        self._keyring = keyring

    def find(self, url: str) -> str | None:
        """Returns the token for a service, None without a login. Raises NoToken for a file that others may read."""
        name = service_name(url)
        if self._keyring is not None:
            try:
                if found := self._keyring.get_password(SERVICE, name):
                    return str(found)
            except Exception:  # noqa: BLE001 - a locked or broken keyring of any make; the file may hold it
                self._keyring = None
        return self._read().get(name)

    def keep(self, url: str, token: str) -> str:
        """Keeps a token in place of an earlier one. Returns where."""
        name = service_name(url)
        if self._keyring is not None:
            try:
                self._keyring.set_password(SERVICE, name, token)
            except Exception:  # noqa: BLE001 - see find
                self._keyring = None
            else:
                return IN_KEYRING
        self._write({**self._read(), name: token})
        return str(self.file)

    def drop(self, url: str) -> None:
        """Forgets the token for a service, wherever it is kept."""
        name = service_name(url)
        if self._keyring is not None:
            with suppress(Exception):  # a locked or broken keyring; also raised when there is none
                self._keyring.delete_password(SERVICE, name)
        kept = self._read()
        if kept.pop(name, None) is not None:
            self._write(kept)

    def _read(self) -> dict[str, str]:
        try:
            if self.file.stat().st_mode & PRIVATE:
                raise NoToken(f"{self.file} may be read by others than its owner; chmod 600 it")
            kept = json.loads(self.file.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as problem:
            raise NoToken(f"{self.file}: {problem}") from problem
        return {str(name): str(token) for name, token in kept.items()} if isinstance(kept, dict) else {}

    def _write(self, kept: Mapping[str, str]) -> None:
        """Replaces the file at once, so that a machine that stops leaves the old one or the new one."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            opened, name = tempfile.mkstemp(dir=self.file.parent)  # of mode 600
            with os.fdopen(opened, "w", encoding="utf-8") as fresh:
                json.dump(dict(kept), fresh)
            Path(name).replace(self.file)
        except OSError as problem:
            raise NoToken(f"the token cannot be kept in {self.file}: {problem.strerror}") from problem


def kept_tokens(environ: Mapping[str, str]) -> KeptTokens:
    """Returns the tokens of this user; with the extra `keyring`, those of the system's keyring."""
    try:
        import keyring
        from keyring.backends.fail import Keyring as NoKeyring
    except ImportError:
        return KeptTokens(environ)
    return KeptTokens(environ, None if isinstance(keyring.get_keyring(), NoKeyring) else keyring)


def service_name(url: str) -> str:
    """Returns the address of a service as tokens are kept under it."""
    return url.rstrip("/").lower()
