"""The commands and programs of the documents are run as they stand there, against one running service."""

import base64
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.webhooks import messages
from tests.support.documented_blocks import blocks, commands, is_shell
from tests.support.documented_scene import Scene, Shell, answered_by
from tests.support.running_program import PATIENCE, PROJECT, Up, up

DOCUMENTS = {
    "readme": PROJECT / "README.md",
    **{name: PROJECT / f"deploy/docs/{name}.md" for name in ("playing", "bots", "studies", "verifying", "oauth")},
    "python": PROJECT / "deploy/clients/python/README.md",
    "typescript": PROJECT / "deploy/clients/typescript/README.md",
    "webhooks": PROJECT / "deploy/docs/webhooks.md",
}
EXCEPTIONS = {  # the beginning of a command -> who runs it instead
    "deploy/up": "tests/deploy/test_up.py",
    "deploy/test": "this is run by it",
    "python -m pip": "takes a package index: deploy/test --clients",
    ".venv/bin/python -m pip": "takes a package index: deploy/test installs that extra, too",
    "npm ": "takes a registry: deploy/test builds the client where Node is",
    "cabildo compile": "minutes: deploy/test compiles the rules, too",
    "python -m deploy.cli bench": "hours: tests/deploy/test_bench_bots.py, with few games",
    "curl -s $URL/v1/tournaments/ID/standings": "takes a tournament that is played: tests/service/tournaments",
    "curl -s $URL/v1/tournaments/ID/archive": "takes a tournament that is over: tests/service/tournaments",
    "curl -s $URL/oauth/token -d grant_type=authorization_code": "takes a browser: tests/service/oauth/test_codes.py",
    "curl -s $URL/oauth/token -d grant_type=urn:ietf": "takes a browser: tests/service/oauth/test_devices.py",
    "cabildo-client login": "takes a browser: tests/deploy/test_login_command.py",
    "cabildo-client logout": "takes a login: tests/deploy/test_login_command.py",
    "cabildo-client mcp": "talks to a language model: tests/service/client/test_mcp_server.py",
}
LAST = ("-X DELETE",)  # what other commands of the document use is deleted at the end


@pytest.fixture(scope="module")
def running(module_directory: Path) -> Iterator[Up]:
    """A whole service: web, worker and keeper."""
    with up(module_directory / "documented", environ={"CABILDO_REGISTRATIONS_PER_HOUR": "1000"}) as running:
        running.ready()
        yield running


@pytest.fixture(scope="module")
def scene(running: Up) -> Iterator[Scene]:
    """A player with games."""
    scene = Scene(running.ready())
    yield scene
    scene.close()


def shell_commands(document: Path) -> list[str]:
    """The commands of a document that are run, those that delete at the end."""
    written = [command for block in blocks(document) if is_shell(block) for command in commands(block)]
    run = [command for command in written if not command.startswith(tuple(EXCEPTIONS))]
    return sorted(run, key=lambda command: any(word in command for word in LAST))


@pytest.mark.parametrize("name", [name for name, document in DOCUMENTS.items() if shell_commands(document)])
def test_the_commands_of_a_document_run(name: str, running: Up, scene: Scene, tmp_path: Path) -> None:
    metrics = running.wait_for(r"metrics +(http://\S+)")[1]
    shell = Shell(tmp_path, scene.url, running.data_dir, metrics, scene.token)
    turn, answered = scene.game_to_play(), {"CLIENT_ID": "cabildo-client"}
    for command in shell_commands(DOCUMENTS[name]):
        said = shell.run(command, scene.values(command, name, turn, answered))
        answered |= answered_by(command, said)


def test_every_exception_is_one() -> None:
    written = [command for path in DOCUMENTS.values() for block in blocks(path) for command in block.text.splitlines()]
    told = [command.strip() for command in written]
    assert [begin for begin in EXCEPTIONS if not any(command.startswith(begin) for command in told)] == []


def test_other_blocks_are_json_or_programs() -> None:
    others = [(name, block) for name, path in DOCUMENTS.items() for block in blocks(path) if not is_shell(block)]
    texts = [block.text for name, block in others if not block.language and name != "typescript"]
    assert [type(json.loads(text)) for text in texts] == [dict] * len(texts)
    assert {name for name, block in others if block.language == "python"} == {"bots", "python", "webhooks"}


def program(name: str) -> str:
    """The program in Python of a document."""
    (block,) = (block for block in blocks(DOCUMENTS[name]) if block.language == "python")
    return block.text


def test_the_environment_for_learning_runs_as_the_guide_shows_it(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "error", "-c", program("bots")]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_check_of_a_webhook_knows_our_signature_and_no_other() -> None:
    space: dict[str, object] = {}
    exec(program("webhooks"), space)
    is_ours = space["is_ours"]
    assert callable(is_ours)
    secret, body = bytes(range(32)), b'{"type":"your_turn"}'
    sent = messages.headers(secret, "message 1", 1_800_000_000, body)
    assert is_ours(messages.secret_text(secret), sent, body)
    assert not is_ours(messages.secret_text(secret), sent, body + b" ")
    assert not is_ours(f"whsec_{base64.b64encode(bytes(32)).decode()}", sent, body)


def test_all_documents_name_one_port() -> None:
    texts = {name: path.read_text() for name, path in DOCUMENTS.items()}
    assert {port for text in texts.values() for port in re.findall(r"http://127\.0\.0\.1:(\d+)", text)} == {"8080"}
