"""The witness's key: made once, kept private, never another's."""

from pathlib import Path

import click
import pytest

from deploy.commands.witness import key_in


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    key = key_in(tmp_path / "witness", "witness.example.org")
    assert key_in(tmp_path / "witness", "witness.example.org").verifier == key.verifier
    assert (tmp_path / "witness" / "key").stat().st_mode & 0o077 == 0


def test_a_witness_does_not_take_anothers_key(tmp_path: Path) -> None:
    key_in(tmp_path, "witness.example.org")
    with pytest.raises(click.ClickException):
        key_in(tmp_path, "other.example.org")
