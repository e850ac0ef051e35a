"""`cabildo login`, `whoami` and `logout`, against a running service and a player who answers in a browser."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from flask import Flask

from deploy.cli import main
from tests.service.conftest import Environ
from tests.service.web.test_gunicorn import answers, serving
from tests.support.running_program import PATIENCE, PROJECT, eventually
from tests.support.service.oauth_programs import Consenter
from tests.support.service.shared_fixtures import app, environ

__all__ = ["app", "environ"]
CODE = re.compile(r"open http://\S+/oauth/device in a browser and enter the code (\S+)")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a user without a login."""
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_CONFIG_HOME", "CABILDO_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture(scope="module")
def url(environ: Environ, module_directory: Path) -> Iterator[str]:
    """The address of a web server over the stores of the application."""
    with serving(environ, "service.app:create_app()", module_directory / "login.log") as (_, url):
        assert eventually(lambda: answers(url))
        yield url


@pytest.fixture
def player(app: Flask) -> Consenter:
    """A player whose password was given a moment ago."""
    return Consenter(app)


def invoke(*command: str) -> Result:
    """Runs a command of `cabildo`."""
    return CliRunner().invoke(main, command)


def logged_in(url: str, player: Consenter, answer: str, *options: str) -> tuple[int, str, str]:
    """Runs `cabildo login` while the player answers. Returns the exit status, the output and the errors."""
    command = [sys.executable, "-m", "deploy.cli", "login", "--url", url, *options]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=PROJECT, env=os.environ, stdout=pipe, stderr=pipe, text=True) as running:
        assert running.stdout is not None
        first = running.stdout.readline()
        asked = CODE.match(first)
        assert asked, first
        assert player.post("/oauth/device/answer", user_code=asked[1], answer=answer).status_code == 200
        said, warned = running.communicate(timeout=PATIENCE)
    return running.returncode, said, warned


def test_a_login_is_kept_told_and_ended(url: str, player: Consenter, home: Path) -> None:
    code, said, warned = logged_in(url, player, "allow", "--scope", "read")
    file = home / ".config/cabildo/tokens.json"
    assert (code, warned) == (0, "")
    assert said == f"logged in at {url} as {player.person.name}; the token is in {file}\n"
    assert file.stat().st_mode & 0o777 == 0o600
    (token,) = json.loads(file.read_text()).values()
    assert token.startswith("cab_")
    assert token not in said
    told = invoke("whoami", "--url", url)
    assert (told.exit_code, told.output) == (0, f"{player.person.name} ({player.person.id}), scopes: read\n")
    left = invoke("logout", "--url", url)
    assert (left.exit_code, left.output) == (0, f"logged out at {url}\n")
    assert json.loads(file.read_text()) == {}
    (home / "token").write_text(token)
    (home / "token").chmod(0o600)
    asked = ("whoami", "--url", url, "--token-file", str(home / "token"))
    assert eventually(lambda: invoke(*asked).exit_code == 1)  # other processes hear of it within seconds


def test_a_login_that_is_denied_keeps_nothing(url: str, player: Consenter, home: Path) -> None:
    code, said, warned = logged_in(url, player, "deny")
    assert (code, said) == (1, "")
    assert warned == "Error: the login was not allowed\n"
    assert not (home / ".config").exists()


def test_without_a_login_whoami_and_logout_say_so(url: str) -> None:
    told = invoke("whoami", "--url", url)
    assert told.exit_code == 1
    assert "no token: log in" in told.output
    left = invoke("logout", "--url", url)
    assert (left.exit_code, left.output) == (0, f"no login at {url} is kept here\n")


def test_a_service_that_is_away_is_told_in_a_line(home: Path) -> None:
    away = "http://127.0.0.1:1"
    begun = invoke("login", "--url", away)
    assert (begun.exit_code, begun.output.count("\n")) == (1, 1)
    kept = home / ".config/cabildo/tokens.json"
    kept.parent.mkdir(parents=True)
    kept.write_text(json.dumps({away: "cab_one"}))
    kept.chmod(0o600)
    left = invoke("logout", "--url", away)
    assert left.exit_code == 0
    assert f"forgotten here; revoke it on the page {away}/account#programs" in left.output
    assert json.loads(kept.read_text()) == {}
