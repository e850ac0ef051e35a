"""Tokens from a private file or the environment, never from a command line, which every user of a machine can read."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from cabildo_client.errors import NoToken
from cabildo_client.login.kept_tokens import kept_tokens

TOKEN_VARIABLE: Final = "CABILDO_TOKEN"  # noqa: S105 - the name of the variable
PRIVATE: Final = 0o600


def token_from(file: Path | None, environ: Mapping[str, str], url: str = "") -> str:
    """Returns the token of a file, else of the environment, else of the login at a service. Raises NoToken."""
    where = TOKEN_VARIABLE if file is None else str(file)
    token = environ.get(TOKEN_VARIABLE, "").strip() if file is None else _private(file)
    if not token and file is None and url:
        where, token = "the login", kept_tokens(environ).find(url) or ""
    if not token:
        raise NoToken(f"no token: log in (login --url ...), name a file with --token-file, or set {TOKEN_VARIABLE}")
    if not token.isascii() or not token.isprintable() or " " in token:
        raise NoToken(f"{where} holds no token: it is one word that begins with cab_")
    return token


def _private(file: Path) -> str:
    try:
        if file.stat().st_mode & 0o077:
            raise NoToken(f"{file} may be read by others than its owner; chmod 600 it")
        return file.read_text(encoding="utf-8").strip()
    except (OSError, ValueError) as problem:
        raise NoToken(f"{file}: {problem}") from problem


def keep_token(file: Path, token: str) -> None:
    """Writes a token to a new file that only its owner can read. Raises NoToken when there is such a file."""
    try:
        with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "w", encoding="utf-8") as opened:
            opened.write(f"{token}\n")
    except OSError as problem:
        raise NoToken(f"the token cannot be kept in {file}: {problem.strerror}") from problem
