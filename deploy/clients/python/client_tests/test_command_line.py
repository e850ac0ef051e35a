"""The command line: tokens in private files, engines by name, refusals in words."""

import sys
from pathlib import Path

import pytest
from cabildo_client import Client, FirstMove, RandomMove
from cabildo_client.bots.engines import UnknownEngine, engine_named
from cabildo_client.command_line import main, parser
from cabildo_client.errors import MissingExtra, NoToken
from cabildo_client.tokens import keep_token, token_from


def test_a_token_is_kept_in_a_private_file_and_never_overwritten(tmp_path: Path) -> None:
    file = tmp_path / "token"
    keep_token(file, "cab_one")
    assert file.stat().st_mode & 0o777 == 0o600
    assert token_from(file, {"CABILDO_TOKEN": "cab_other"}) == "cab_one"
    assert token_from(None, {"CABILDO_TOKEN": "cab_other"}) == "cab_other"
    with pytest.raises(NoToken, match="File exists"):
        keep_token(file, "cab_two")
    file.chmod(0o644)
    with pytest.raises(NoToken, match="chmod 600"):
        token_from(file, {})
    with pytest.raises(NoToken, match="no token"):
        token_from(None, {})
    with pytest.raises(NoToken, match="holds no token"):
        token_from(None, {"CABILDO_TOKEN": "dear all"})


def test_engines_have_names() -> None:
    assert isinstance(engine_named("random"), RandomMove)
    assert isinstance(engine_named("cabildo_client:RandomMove"), RandomMove)
    for name, said in (("deep", "first, random or MODULE:CLASS"), ("absent:Bot", "absent"), ("cabildo_client:B", "B")):
        with pytest.raises(UnknownEngine, match=said):
            engine_named(name)


def test_an_engine_is_found_in_the_current_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "engine_of_mine.py").write_text("from cabildo_client import FirstMove as MyBot\n")
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    monkeypatch.chdir(tmp_path)
    assert isinstance(engine_named("engine_of_mine:MyBot"), FirstMove)


def test_no_command_takes_a_token_on_its_command_line() -> None:
    words = parser().format_help()
    assert "--token " not in words
    with pytest.raises(SystemExit):
        main(["play", "--url", "http://127.0.0.1:9", "--token", "cab_x"])


def test_a_command_says_in_a_line_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    missing = tmp_path / "absent"
    assert main(["play", "--url", "http://127.0.0.1:9", "--token-file", str(missing)]) == 1
    assert str(missing) in capsys.readouterr().err
    (tmp_path / "there").touch()
    there = ["--name", "Ada", "--token-file", str(tmp_path / "there")]
    assert main(["register", "--url", "http://127.0.0.1:9", *there]) == 1
    assert "name another file" in capsys.readouterr().err


def test_a_file_that_is_no_bundle_is_told(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text("{}")
    assert main(["verify", str(tmp_path / "game.json")]) == 11  # check V1 failed


def test_a_client_without_a_service_knows_its_token() -> None:
    with Client("http://127.0.0.1:9", "cab_one") as client:
        assert client.token == "cab_one"


def test_a_missing_extra_is_told_with_a_path_and_no_name_of_an_index() -> None:
    said, command = str(MissingExtra("verify")), "python -m pip install './deploy/clients/python[verify]'"
    assert said.endswith(command)
    assert "cabildo-client" not in said
