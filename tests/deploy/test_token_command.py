"""`cabildo token` as an operator meets it: the first administrator, without a secret in any log."""

import base64
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deploy.cli import main
from service import settings
from service.app import create_app
from tests.support.service.players import answer


@pytest.fixture
def environ(database: str, redis_url: str, tmp_path: Path) -> dict[str, str]:
    key = base64.b64encode(bytes(range(32))).decode()
    stores = {"DATABASE_URL": database, "REDIS_URL": redis_url, "CABILDO_DATA_DIR": str(tmp_path)}
    return stores | {"CABILDO_MASTER_KEY": key, "CABILDO_LOG_LEVEL": "debug"}


def run(environ: dict[str, str], *arguments: str) -> Result:
    return CliRunner(env=environ).invoke(main, ["--data-dir", environ["CABILDO_DATA_DIR"], "token", *arguments])


def test_an_administrators_token_is_printed_once_and_revoked(environ: dict[str, str]) -> None:
    issued = run(environ, "issue", "Operator", "--new", "--days", "30")
    assert issued.exit_code == 0, issued.output
    secret = issued.stdout.strip()
    assert secret.startswith("cab_")
    assert secret not in issued.stderr
    app = create_app(settings.load(environ))
    client, bearer = app.test_client(), {"Authorization": f"Bearer {secret}"}
    assert answer(client.get("/v1/me", headers=bearer), 200)["name"] == "Operator"
    (told,) = answer(client.get("/v1/tokens", headers=bearer), 200)["tokens"]
    assert (told["scopes"], told["label"]) == (["admin"], "from the operator")
    assert told["expires"] is not None
    listed = run(environ, "list", "operator").stdout
    assert told["id"] in listed
    assert secret not in listed
    assert run(environ, "revoke", "Operator", told["id"]).stdout == "revoked\n"
    app.extensions["cabildo"].authenticator.forget()
    assert client.get("/v1/me", headers=bearer).status_code == 401
    app.extensions["cabildo"].close()


def test_an_unknown_or_taken_name_is_refused_in_a_sentence(environ: dict[str, str]) -> None:
    unknown = run(environ, "issue", "Operator")
    assert (unknown.exit_code, "there is no player 'Operator'" in unknown.stderr) == (1, True)
    assert run(environ, "issue", "Operator", "--new").exit_code == 0
    taken = run(environ, "issue", "OPERATOR", "--new")
    assert (taken.exit_code, taken.stdout, "is taken" in taken.stderr) == (1, "", True)


def test_a_label_forges_no_line_of_the_list(environ: dict[str, str]) -> None:
    secret = run(environ, "issue", "Operator", "--new", "--label", "one\ntwo \x1b[2J").stdout.strip()
    listed = run(environ, "list", "Operator").stdout
    assert (len(listed.splitlines()), "\x1b" in listed, secret in listed) == (1, False, False)
