"""The settings: read from variables, checked at the start, every fault named, secrets never shown."""

import base64
import os
import re
from pathlib import Path

import pytest

from service import settings as config
from service.core.errors import BadSettings
from service.key_settings import log_signing_seeds
from tests.support.running_program import PROJECT

KEY = base64.b64encode(bytes(range(32))).decode()
COMMANDS = (
    ".ci/run",
    *(f"deploy/{name}" for name in ("up", "test", "with_python", "bootstrap.py", "script_checks.py")),
)
GOOD = {"DATABASE_URL": "postgresql:///cabildo", "REDIS_URL": "redis://localhost", "CABILDO_MASTER_KEY": KEY}


def faults(**changes: str) -> tuple[str, ...]:
    with pytest.raises(BadSettings) as refused:
        config.load({**GOOD, **changes})
    return refused.value.faults


def test_what_is_not_set_has_a_safe_default() -> None:
    settings = config.load(GOOD)
    assert settings.host == "127.0.0.1"
    assert settings.master_keys.current == bytes(range(32))


def test_stores_and_secrets_are_required() -> None:
    with pytest.raises(BadSettings) as refused:
        config.load({})
    assert [fault.split()[0] for fault in refused.value.faults] == ["DATABASE_URL", "REDIS_URL", "set"]


def test_every_fault_is_named_at_once() -> None:
    assert faults(CABILDO_PORT="eighty", CABILDO_LOG_LEVEL="loud", DATABASE_URL="mysql://x") == (
        "DATABASE_URL must begin with postgresql:// or postgres://",
        "CABILDO_PORT must be a whole number from 0 to 65535, not 'eighty'",
        "CABILDO_LOG_LEVEL must be one of debug, info, warning, error, not 'loud'",
    )


def test_the_token_of_a_bot_may_stand_in_the_same_environment() -> None:
    assert config.load({**GOOD, "CABILDO_TOKEN": "cab_x"}).host == "127.0.0.1"


def test_a_misspelt_variable_is_not_ignored_in_silence() -> None:
    assert faults(CABILDO_PROT="80") == ("CABILDO_PROT is not a setting; is CABILDO_PORT meant?",)


def test_a_secret_out_of_a_file_wants_the_file_private(tmp_path: Path) -> None:
    file = tmp_path / "master"
    file.write_text(KEY)
    given = {"DATABASE_URL": GOOD["DATABASE_URL"], "REDIS_URL": GOOD["REDIS_URL"], "CABILDO_MASTER_KEY_FILE": str(file)}
    file.chmod(0o644)
    with pytest.raises(BadSettings, match="may be read by others"):
        config.load(given)
    file.chmod(0o600)
    assert config.load(given).master_keys.current == bytes(range(32))


def test_a_key_of_another_length_is_refused() -> None:
    assert faults(CABILDO_MASTER_KEY=base64.b64encode(b"short").decode()) == (
        "CABILDO_MASTER_KEY must hold 32 bytes in base64, not 5",
    )


def test_settings_and_secrets_do_not_show_themselves() -> None:
    settings = config.load({**GOOD, "DATABASE_URL": "postgresql://u:hidden@h/d"})
    shown = f"{settings!r} {settings} {settings.master_keys} {settings.master_keys!r} {settings.master_keys.current!r}"
    assert "hidden" not in shown
    assert KEY not in shown
    assert str(bytes(settings.master_keys.current)[:4]) not in shown


def test_only_who_asks_for_it_gets_the_log_signing_key() -> None:
    assert log_signing_seeds({"CABILDO_LOG_KEY": KEY}) == [bytes(range(32))]
    rotating = {"CABILDO_LOG_KEY": KEY, "CABILDO_LOG_KEY_NEXT": KEY}
    assert log_signing_seeds(rotating) == [bytes(range(32))] * 2
    with pytest.raises(BadSettings, match="CABILDO_LOG_KEY"):
        log_signing_seeds({})
    assert not [name for name in vars(config.load({**GOOD, "CABILDO_LOG_KEY": KEY})) if "log_key" in name]


def test_every_setting_is_in_the_operators_guide() -> None:
    guide = (Path(__file__).parents[2] / "deploy" / "README.md").read_text()
    for name, default, meaning in config.documented_settings():
        assert f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |" in guide.replace("|  |", "|  |"), name


def test_the_environment_of_the_tests_holds_no_setting() -> None:
    assert not [name for name in os.environ if name.startswith(config.PREFIX) and name not in config.OF_OTHERS]


def test_what_the_two_commands_read_is_no_misspelt_setting() -> None:
    """Their programs get the whole environment: one unknown variable, and nothing starts."""
    texts = [(PROJECT / name).read_text() for name in COMMANDS]
    read = {name for text in texts for name in re.findall(r"CABILDO_[A-Z_]*[A-Z]", text)}
    assert {"CABILDO_PYTHON", "CABILDO_CHROMIUM", "CABILDO_SCRIPTS"} <= read
    settings = {name for name, _, _ in config.documented_settings()}
    assert config.load({**GOOD, **dict.fromkeys(read - settings, "any")})
