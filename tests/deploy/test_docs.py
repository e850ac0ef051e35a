"""Documentation against code: citations, links and paths resolve; settings, commands, kinds and types are listed."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from deploy.cli import main
from events.kinds import KINDS
from projections.read_models.registry import READ_MODELS
from service.settings import documented_settings
from service.web.problem_types import PROBLEMS

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "deploy" / "docs"
RULES = {"puerto_rico": DOCS / "rules" / "puerto-rico.md", "spice_road": DOCS / "rules" / "spice-road.md"}
PACKAGES = ("events", "projections", "service", "workers", "deploy", "tests")
PAGES = sorted(
    [
        ROOT / "README.md",
        *(page for page in (ROOT / "deploy").rglob("*.md") if "node_modules" not in page.parts),
        *(ROOT / "projections").rglob("*.md"),
        *(ROOT / ".github").glob("*.md"),
    ]
)

CITATION = re.compile(r"\b(?:[RE]-\d+|GW-\d+|D-\d+|D-[A-Z]{3,}(?:-[A-Z]+)*|I-\d+)\b|\brules (\d+(?:\.\d+)*)(?![\w.]*/)")
HEADING = re.compile(r"^#+ (\d+(?:\.\d+)*)\.? ", re.MULTILINE)
ANCHOR = re.compile(r"\*\*([A-Z]+-[A-Z0-9-]+)\b|^\| \*{0,2}([A-Z]+-[A-Z0-9-]+)\b", re.MULTILINE)


def anchors(page: Path) -> set[str]:
    """Returns the sections, rulings, examples and decisions that a page of rules answers."""
    text = page.read_text()
    return {"rules " + number for number in HEADING.findall(text)} | {a or b for a, b in ANCHOR.findall(text)}


def citations() -> Iterator[tuple[str, Path]]:
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            for found in CITATION.finditer(path.read_text()):
                yield found.group(), path.relative_to(ROOT)


def test_every_citation_of_the_rules_resolves() -> None:
    known = {game: anchors(page) for game, page in RULES.items()}
    dangling = []
    for citation, path in citations():
        games = [game for game in RULES if game in path.as_posix()] or list(RULES)
        if path.name != Path(__file__).name and not any(citation in known[game] for game in games):
            dangling.append(f"{path}: {citation}")
    assert dangling == []


@pytest.mark.parametrize("game", RULES)
def test_pages_of_rules_number_rulings_and_examples_without_gaps(game: str) -> None:
    known = anchors(RULES[game])
    for letter, count in {
        "puerto_rico": {"R": 93, "E": 44, "GW": 10},
        "spice_road": {"R": 31, "E": 9, "D": 29, "I": 7},
    }[game].items():
        assert {f"{letter}-{number}" for number in range(1, count + 1)} <= known


@pytest.mark.parametrize("game", RULES)
def test_pages_of_rules_cite_only_what_they_define(game: str) -> None:
    text = RULES[game].read_text()
    cited = {found.group() for found in CITATION.finditer(text)} - {"D-X"}
    assert cited <= anchors(RULES[game])


SCHEMAS = ROOT / "service" / "pages" / "docs" / "schemas"
SCHEMA = re.compile(r"/schemas/([\w-]+)/(v\d+)\.json")


def slug(heading: str) -> str:
    """Returns the fragment that Markdown viewers give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_links_between_pages_resolve() -> None:
    broken = []
    for page in PAGES:
        for target in re.findall(r"\]\((?!https?:)([^)\s]+)\)", page.read_text()):
            path, _, fragment = target.partition("#")
            schema = SCHEMA.fullmatch(path)  # an address of the service
            file = (
                SCHEMAS / "{}.{}.json".format(*schema.groups())
                if schema
                else (page.parent / path if path else page).resolve()
            )
            if not file.exists():
                broken.append(f"{page.relative_to(ROOT)}: {target}")
            elif fragment and fragment not in {
                slug(h) for h in re.findall(r"^#+ (.+)$", file.read_text(), re.MULTILINE)
            }:
                broken.append(f"{page.relative_to(ROOT)}: {target} (heading)")
    assert broken == []


def commands(command: click.Command, name: str) -> Iterator[str]:
    if isinstance(command, click.Group):
        for below in command.list_commands(click.Context(command)):
            one = command.get_command(click.Context(command), below)
            assert one is not None
            yield from commands(one, f"{name} {below}")
    else:
        yield name


LISTED = {
    "commands": tuple(commands(main, "cabildo")),
    "event kinds": tuple(kind.name for kind in KINDS),
    "read models": READ_MODELS,
    "problem types": tuple(problem.name for problem in PROBLEMS.values()),
}


@pytest.mark.parametrize("what", LISTED)
def test_the_reference_lists_all(what: str) -> None:
    reference = (DOCS / "reference.md").read_text()
    assert [name for name in LISTED[what] if f"`{name}`" not in reference] == []


def test_the_reference_lists_problems_with_their_status() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (\d{3}) \|", (DOCS / "reference.md").read_text(), re.MULTILINE)
    assert sorted(rows) == sorted((problem.name, str(problem.status)) for problem in PROBLEMS.values())


def test_the_operators_guide_lists_all_settings() -> None:
    guide = (ROOT / "deploy" / "README.md").read_text()
    assert [name for name, *_ in documented_settings() if f"| `{name}` |" not in guide] == []


PATH = re.compile(r"(?:`|^ +)((?:events|projections|service|workers|deploy|tests)/[\w./-]*)", re.MULTILINE)
PLACEHOLDERS = ("NAME", "GAME")


def test_paths_named_in_the_documentation_exist() -> None:
    missing = []
    for page in PAGES:
        for path in PATH.findall(page.read_text()):
            wanted = ROOT / path.rstrip(".")
            module = wanted.with_suffix(".py")
            if not any(name in path for name in PLACEHOLDERS) and not wanted.exists() and not module.exists():
                missing.append(f"{page.relative_to(ROOT)}: {path}")
    assert missing == []


def test_the_project_names_its_licence_and_carries_the_text() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert project["license"] == "Apache-2.0"
    for path in project["license-files"]:
        assert "Apache License" in (ROOT / path).read_text()
