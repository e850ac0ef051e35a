"""The keys of a process: read from variables or private files, and never shown."""

from collections.abc import Mapping, Sequence

from events.sealing.master_keys import MasterKeys
from service.core.errors import BadSettings
from service.secret_files import Secret, read_key, read_text

MASTER_KEY = "CABILDO_MASTER_KEY"
LOG_KEY = "CABILDO_LOG_KEY"
NEXT_LOG_KEY = "CABILDO_LOG_KEY_NEXT"
NEXT_MASTER_KEY = "CABILDO_MASTER_KEY_NEXT"
PREVIOUS_MASTER_KEY = "CABILDO_MASTER_KEY_PREVIOUS"
SECRETS = {
    MASTER_KEY: "encrypts stored secrets and the archive of events; 32 bytes in base64 (every node the same)",
    LOG_KEY: "signs the public log: an Ed25519 private key, 32 bytes in base64; only the keeper reads it",
}
SMTP_PASSWORD = "CABILDO_SMTP_PASSWORD"  # noqa: S105 - the name of a variable
KEEPER_ALONE = (LOG_KEY, NEXT_LOG_KEY, SMTP_PASSWORD)  # no other process gets these
ROTATION = {
    NEXT_LOG_KEY: "signs the public log beside CABILDO_LOG_KEY while one key replaces the other; same form",
    NEXT_MASTER_KEY: "decrypts, so that processes may begin to encrypt under it; same form as CABILDO_MASTER_KEY",
    PREVIOUS_MASTER_KEY: "decrypts until the keeper has encrypted everything under CABILDO_MASTER_KEY; same form",
}
MAIL = {SMTP_PASSWORD: "logs in at the SMTP server, where CABILDO_SMTP names a user; only the keeper reads it"}
ALL_SECRETS = SECRETS | ROTATION | MAIL


def master_keys(environ: Mapping[str, str]) -> MasterKeys:
    """Returns the master key, and those of a rotation. Raises BadSettings with every fault."""
    others = [name for name in (PREVIOUS_MASTER_KEY, NEXT_MASTER_KEY) if is_given(name, environ)]
    keys = dict(zip((MASTER_KEY, *others), _keys((MASTER_KEY, *others), environ), strict=True))
    return MasterKeys(keys[MASTER_KEY], keys.get(PREVIOUS_MASTER_KEY), keys.get(NEXT_MASTER_KEY))


def log_signing_seeds(environ: Mapping[str, str]) -> list[Secret]:
    """Returns the keys that sign checkpoints, two during a rotation; raises BadSettings. Only the keeper calls this."""
    return _keys((LOG_KEY, *([NEXT_LOG_KEY] if is_given(NEXT_LOG_KEY, environ) else [])), environ)


def smtp_password(environ: Mapping[str, str]) -> Secret | None:
    """Returns the password of the SMTP server, None without one; raises BadSettings. Only the keeper calls this."""
    if not is_given(SMTP_PASSWORD, environ):
        return None
    try:
        return Secret(read_text(SMTP_PASSWORD, environ).encode())
    except ValueError as fault:
        raise BadSettings([str(fault)]) from fault


def is_given(name: str, environ: Mapping[str, str]) -> bool:
    """Whether the operator set a secret, by value or by file."""
    return name in environ or f"{name}_FILE" in environ


def _keys(names: Sequence[str], environ: Mapping[str, str]) -> list[Secret]:
    keys, faults = list[Secret](), list[str]()
    for name in names:
        try:
            keys.append(read_key(name, environ))
        except ValueError as fault:
            faults.append(str(fault))
    if faults:
        raise BadSettings(faults)
    return keys
