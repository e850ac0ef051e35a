"""No text of the project installs a name of a package index, other than a dependency that we pin.

Neither of our distributions is on an index yet: texts install them from a checkout, or from a wheel built there.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
METADATA = tomllib.loads((PROJECT / "pyproject.toml").read_text())
CLIENT = tomllib.loads((PROJECT / "deploy/clients/python/pyproject.toml").read_text())
OURS = {"cabildo-server", "cabildo-client"}
TOOLS = ("cibuildwheel",)  # runs beside the project, where wheels are built
SKIPPED = {"__pycache__", "node_modules", "build", "dist", "corpus", "vectors"}  # made by tools, or data
TEXTS = {".md", ".py", ".toml", ".json", ".js", ".html", ".yml", ".yaml", ".sh", ".cfg", ".txt", ".svg", ".css", ""}
INSTALLS = re.compile(
    r"""\b(?:
        (?:pip3?|pipx|uv(?:\ pip|\ tool)?|poetry|conda)\s+(?:install|add|inject|download|run)
        | (?:npm|pnpm|yarn|bun)\s+(?:install|add|i|exec)
        | uvx | npx | uv\ run\ --with | easy_install
    )\b(?P<what>[^\n`#&|;]*)""",
    re.VERBOSE,
)
WITH_VALUE = {"-r", "-c", "-i", "--requirement", "--constraint", "--index-url", "--extra-index-url", "--python"}
NO_NAMES = ("-", ".", "/", "$", "<", "{", "~")  # options, paths and placeholders begin so
REQUIREMENT = re.compile(r"[\"'(]*(?P<name>[A-Za-z0-9@][A-Za-z0-9._/-]*)(?P<extras>\[[^\]]*\])?")
EXTRAS_OF_A_NAME = re.compile(r"(?<![\w./-])(?P<name>cabildo(?:[-_](?:client|server))?)\[[^\]\n]*\]")


def name_of(requirement: str) -> str:
    """The name that a requirement is for, as an index spells it."""
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    return re.sub(r"[-_.]+", "-", found[0]).lower() if found else ""


def known() -> set[str]:
    """The names that a text may install: those of the libraries that we pin."""
    projects = [metadata["project"] for metadata in (METADATA, CLIENT)]
    extras = [each for one in projects for several in one["optional-dependencies"].values() for each in several]
    pinned = [each for one in projects for each in one["dependencies"]]
    return {name_of(each) for each in (*pinned, *extras, *METADATA["build-system"]["requires"], *TOOLS)} - OURS


def texts() -> Iterator[tuple[str, str]]:
    """Every text of the project, with its path."""
    for path in sorted(PROJECT.rglob("*")):
        inside = path.relative_to(PROJECT)
        hidden = any(part.startswith(".") and part not in (".ci", ".github", ".gitignore") for part in inside.parts)
        made = any(part in SKIPPED or part.endswith(".egg-info") for part in inside.parts)
        if path.is_file() and not hidden and not made and path.suffix in TEXTS:
            yield str(inside), path.read_text(encoding="utf-8", errors="replace")


def installed_by(text: str) -> Iterator[str]:
    """The names of an index that commands in a text install; paths and options are none."""
    for command in INSTALLS.finditer(text):
        words = iter(command["what"].split())
        for word in words:
            if word in WITH_VALUE:
                next(words, None)
            elif not word.lstrip("'\"").startswith(NO_NAMES) and (found := REQUIREMENT.match(word)):
                yield name_of(found["name"])
    yield from (name_of(found["name"]) for found in EXTRAS_OF_A_NAME.finditer(text))


def test_nothing_installs_a_name_that_is_not_pinned() -> None:
    here = str(Path(__file__).relative_to(PROJECT))
    strange = {(path, name) for path, text in texts() if path != here for name in installed_by(text)}
    assert {(path, name) for path, name in strange if name not in known()} == set()


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('pip install "cabildo[rl]"', ["cabildo", "cabildo"]),
        ("python -m pip install -U cabildo-server", ["cabildo-server"]),
        ("pip install cabildo_client", ["cabildo-client"]),
        ("pipx install cabildo  # the command", ["cabildo"]),
        ("uv tool install 'cabildo>=1'", ["cabildo"]),
        ("uvx cabildo verify", ["cabildo", "verify"]),
        ("npm install left-pad && npm test", ["left-pad"]),
        ("npm run build", []),
        ("pip install -e . -r requirements.txt ./dist/x.whl", []),
        ("pip install ./deploy/clients/python", []),
        ("an extra of its own (`cabildo[rl]`)", ["cabildo"]),
        ("an extra of its own (`cabildo-server[rl]`)", ["cabildo-server"]),
        ('f"install this package with its extra: cabildo-client[{extra}]"', ["cabildo-client"]),
        ("pip install './deploy/clients/python[verify]'", []),
    ],
)
def test_commands_that_install_are_found(text: str, names: list[str]) -> None:
    assert list(installed_by(text)) == names


def test_the_distribution_has_our_name_and_the_command_keeps_its_own() -> None:
    assert {METADATA["project"]["name"], CLIENT["project"]["name"]} == OURS
    assert METADATA["project"]["scripts"] == {"cabildo": "deploy.cli:main"}
