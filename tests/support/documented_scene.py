"""What the commands of the documents are run with: a player, games, and a shell that finds the programs."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import httpx
from cabildo_client import Client

from tests.support.running_program import PATIENCE, PROJECT, eventually

ADDRESS: Final = "http://127.0.0.1:8080"
SOME_SECONDS: Final = 4  # of a stream that goes on
CUT_OFF: Final = 28  # the status of curl after these seconds
UNTIL_STOPPED: Final = re.compile(r"bot run|cabildo-client play(?!.* --new)|cabildo monitor")
OF_A_TURN: Final = re.compile(r"/(?:moves|legal)\b")
ANSWERED: Final = {"studies": "STUDY", "analyses": "ANALYSIS", "tournaments": "ID", "bots": "BOT"}
CREATES: Final = re.compile(rf"\S*/({'|'.join(ANSWERED)})\"? .*(?:--json|-d)", re.DOTALL)
PROGRAMS: Final = {
    "python": f'exec {sys.executable} "$@"',
    "cabildo": f'exec {sys.executable} -m deploy.cli "$@"',
    "cabildo-client": f'exec {sys.executable} -m cabildo_client "$@"',
}
BOT: Final = "from cabildo_client import FirstMove as MyBot\n"
Values = Mapping[str, str]


class Shell:
    """A directory in which commands of a document are run, one after the other."""

    def __init__(self, place: Path, url: str, data_dir: Path, metrics: str, token: str) -> None:
        self.place, self.url = place, url
        programs = place / "programs"
        programs.mkdir()
        curl = f"exec {shutil.which('curl')} --max-time"  # with the answer of a refusal, unless the command wants none
        cases = f'-sSf) {curl} 60 "$@";; -sN) {curl} {SOME_SECONDS} --fail-with-body "$@";;'
        for name, script in {
            **PROGRAMS,
            "curl": f'case "$1" in {cases} *) {curl} 60 --fail-with-body "$@";; esac',
        }.items():
            (programs / name).write_text(f"#!/bin/sh\n{script}\n")
            (programs / name).chmod(0o755)
        (place / "deploy").symlink_to(PROJECT / "deploy")
        (place / ".venv").symlink_to(sys.prefix)
        (place / "my_module.py").write_text(BOT)
        (place / "auth").write_text(f"Authorization: Bearer {token}\n")
        self.environ = {
            "PATH": f"{programs}:{os.environ['PATH']}",
            "HOME": str(place),
            "URL": url,
            "HOST": url,
            "AUTH": "@auth",
            "METRICS": metrics,
            "CABILDO_DATA_DIR": str(data_dir),
            "CABILDO_TOKEN": token,
        }

    def run(self, command: str, values: Values) -> str:
        """Runs a command with values in place of its placeholders. Returns its output."""
        filled = command.replace(ADDRESS, self.url)
        for name, value in values.items():
            filled = re.sub(rf"(?<![\w$]){re.escape(name)}(?!\w)", lambda _, value=value: value, filled)  # type: ignore[misc]
        environ = self.environ | {name: value for name, value in values.items() if name.isupper()}
        if UNTIL_STOPPED.search(filled):
            return self._until_stopped(filled, environ)
        done = subprocess.run(
            ["bash", "-c", filled], cwd=self.place, env=environ, capture_output=True, text=True, timeout=PATIENCE
        )
        cut_off = done.returncode == CUT_OFF and "curl -sN" in filled and done.stdout
        assert done.returncode == 0 or cut_off, f"{filled}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def _until_stopped(self, command: str, environ: Values) -> str:
        """Runs a command that goes on until Ctrl-C: to its first line."""
        pipe = subprocess.PIPE
        with subprocess.Popen(
            ["bash", "-c", f"exec {command}"], cwd=self.place, env=environ, stdout=pipe, stderr=pipe, text=True
        ) as running:
            assert running.stdout is not None
            first = running.stdout.readline()
            running.send_signal(signal.SIGINT)
            said, warned = running.communicate(timeout=PATIENCE)
        assert (running.returncode, warned) == (0, ""), f"{command}\n{first}{said}\n{warned}"
        return first + said


class Scene:
    """A player of a running service, with games to look at and to play."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.client = Client(url)
        self.client.register("Author of documents")
        self.token = str(self.client.token)
        self.finished, self.colony = map(self._game_of_bots, ("spice_road", "puerto_rico"))
        for game in (self.finished, self.colony):
            assert eventually(lambda game=game: self.client.game(game).status == "finished")  # type: ignore[misc]
        self.mayor = next(at for at in range(20, 100) if self._chooses_mayor(at))
        self.rests = next(at for at in range(5, 100) if self._may_rest(at))
        assert eventually(lambda: self._proof(self.finished) is not None)

    def close(self) -> None:
        """Closes the connections."""
        self.client.close()

    def values(self, command: str, document: str, turn: str, answered: Values) -> Values:
        """Returns values for the placeholders of a command; in the game `turn` it is the player's turn."""
        game = self.colony if document == "studies" else self.finished
        if OF_A_TURN.search(command):
            game = turn
        return {
            "cab_...": self.token,
            "GAME": game,
            "NAME": "NewcomerOfDocuments",
            '"41"': f'"{self.mayor}"',
            "POSITION": json.dumps(self._ask("GET", f"/v1/games/{self.finished}/position?at={self.rests}")),
            **answered,
        }

    def game_to_play(self) -> str:
        """Opens a game of Spice Road, and waits for the player's turn."""
        game = self.client.create("spice_road", ["me", "bot:random"]).id
        assert eventually(lambda: self.client.legal(game).yours)
        return str(game)

    def _game_of_bots(self, game: str) -> str:
        return str(self.client.create(game, ["bot:random", "bot:random"]).id)

    def _chooses_mayor(self, at: int) -> bool:
        board = self._ask("GET", f"/v1/games/{self.colony}/position?at={at}")
        role = board["roles"].get("mayor", {"taken_by": 0})
        return bool(board["turn"]["decision"] == "D-ROLE" and role["taken_by"] is None)

    def _may_rest(self, at: int) -> bool:
        board = self._ask("GET", f"/v1/games/{self.finished}/position?at={at}")
        turn = board["turn"]
        return bool(turn["decision"] == "action" and board["players"][turn["seat"]]["played"])

    def _proof(self, game: str) -> Any:
        return httpx.get(f"{self.url}/v1/games/{game}/bundle", timeout=PATIENCE).json()["proof"]

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        return self.client.ask(method, path, body)


def answered_by(command: str, said: str) -> dict[str, str]:
    """Returns the ids that an answer brings, under the names of their placeholders."""
    found = CREATES.search(command)
    if found is None or "DELETE" in command:
        return {}
    document = json.loads(said)
    id = document.get("study") or (document.get("player") or document)["id"]
    return {ANSWERED[found[1]]: str(id)}
