"""Policies with control characters: every command that reads one refuses it in words, and both verifiers agree."""

from pathlib import Path

import pytest
from cabildo_client import verify_standalone
from click.testing import CliRunner

from deploy.cli import main
from events.merkle.errors import UnreadableText
from events.merkle.policy import Policy
from tests.support.projections.bundles import POLICY, honest

CONTROLS = [octet for octet in (*range(32), 127) if octet not in b"\t\n\r"]
HONEST = str(POLICY).encode()


def with_octet(octet: int, at: int) -> bytes:
    """The policy with an octet more."""
    return HONEST[:at] + bytes([octet]) + HONEST[at:]


@pytest.mark.parametrize("octet", CONTROLS, ids=hex)
def test_a_control_character_is_refused_wherever_it_stands(octet: int) -> None:
    for at in (0, 3, HONEST.index(b"\n"), len(HONEST) // 2, len(HONEST)):
        with pytest.raises(UnreadableText, match="control"):
            Policy.parse(with_octet(octet, at))
        with pytest.raises(ValueError, match="control"):
            verify_standalone.LogPolicy(with_octet(octet, at))


@pytest.mark.parametrize("octet", [0x00, 0x0B, 0x1B, 0x7F], ids=hex)
def test_commands_refuse_a_policy_with_a_control_character(octet: int, tmp_path: Path) -> None:
    policy, bundle = tmp_path / "policy", tmp_path / "game.json"
    policy.write_bytes(with_octet(octet, 5))
    bundle.write_bytes(honest().encode())
    commands = (
        ("verify", str(bundle), "--policy", str(policy)),
        ("monitor", "http://127.0.0.1:1/log", "--policy", str(policy), "--memory", str(tmp_path / "seen"), "--once"),
    )
    for command in commands:
        done = CliRunner().invoke(main, command)
        assert done.exit_code != 0, command
        assert done.exception is None or isinstance(done.exception, SystemExit), (command, done.exception)
        assert "control character" in done.output, command
    assert verify_standalone.main([str(bundle), str(policy)]) == 2
