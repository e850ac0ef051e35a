"""Imports point one way, libraries stay in their rooms, phases know no building, every module says why it exists."""

import ast
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.support.source_tree import LAYERS, PROJECT, imported, modules, place, tree

ARTEFACTS = {"build", "dist"}  # made by tools, in .gitignore, as *.egg-info is
TOP = {*LAYERS, "tests", "pyproject.toml", "README.md"}
AREAS = (
    *("analyses", "games", "moderation", "operations", "players", "proof", "ratings", "studies", "talk"),
    *("programmed_answers", "tournaments", "webhooks"),
)
ROUTES = (
    *(f"service/{area}/routes" for area in AREAS),
    "service/analyses/what_if_routes.py",
    "service/guides/routes.py",
    "service/moderation/hidden_texts/routes.py",
    "service/moderation/reports/routes.py",
    "service/players/export/routes.py",
    "service/players/recovery_routes.py",
    "service/players/email/routes.py",
    "service/players/results/routes.py",
    "service/players/second_factor/routes.py",
    "service/oauth/routes.py",
    "service/proof/log_routes.py",
)
SCHEMAS = (
    *(f"service/{area}/schemas" for area in AREAS),
    "service/analyses/what_if_schemas.py",
    "service/guides/schemas.py",
    "service/moderation/hidden_texts/schemas.py",
    "service/moderation/reports/schemas.py",
    "service/players/export/schemas.py",
    "service/players/recovery_schemas.py",
    "service/players/email/schemas.py",
    "service/players/preferences/schemas.py",
    "service/notices/schemas.py",
    "service/players/results/schemas.py",
    "service/players/vacation/schemas.py",
    "service/oauth/schemas.py",
    "service/players/second_factor/schemas.py",
)
ROOMS: Mapping[str, tuple[str, ...]] = {  # library -> where it may be imported, besides the tests
    "flask": ("service/app.py", "service/web/", "service/pages/", *ROUTES, "deploy/bench/bare.py"),
    "flask_smorest": ("service/web/openapi/",),
    "marshmallow": ("service/web/", *ROUTES, *SCHEMAS),
    "markdown_it": (
        "service/rulebook/",
        "service/studies/markdown.py",
        "service/pages/docs/own_documents.py",
    ),
    "nh3": ("service/studies/markdown.py",),
    "pettingzoo": ("workers/rl/",),
    "gymnasium": ("workers/rl/",),
    "numpy": ("workers/rl/",),
    "rq": ("service/core/announce.py", "workers/"),
    "pyotp": ("service/players/second_factor/totp.py",),
    "segno": ("service/pages/games/invitations.py", "service/players/second_factor/totp.py"),
    "obstore": ("events/files/object_store.py",),
    "click": ("deploy/",),
    "rich": ("deploy/",),
}
GAMES = ("projections/rules/puerto_rico/", "projections/rules/spice_road/")
OUTSIDE = {
    "psycopg",
    "psycopg_pool",
    "redis",
    "flask",
    "httpx",
    "os",
    "time",
    "datetime",
    "secrets",
    "socket",
}
STANDALONE = "deploy/clients/python/cabildo_client/verify_standalone.py"
LONG_FOR_A_REASON = {
    STANDALONE: "one file on purpose: an auditor takes it away and reads it alone",
    "projections/rules/puerto_rico/state/position.py: clear": "a list: one line for each thing on the table",
}
PUERTO_RICO = "projections.rules.puerto_rico"
RANKS = {  # a module of Puerto Rico imports ranked modules of its own rank or below
    "kinds": 0, "facts": 0, "moves": 0, "plan": 0, "buildings.printed": 0,
    "state.position": 1, "changes": 1, "engine.apply": 1,
    "engine.effects": 2,
    "phases": 3,
    "buildings": 4,
    "buildings.table": 5,
    "game": 6,
}  # fmt: skip
WORDS = PROJECT / "projections/rules/puerto_rico/text/words/buildings.json"


def test_imports_point_one_way() -> None:
    wrong = []
    for module in modules():
        own = place(module).split("/")[0]
        allowed = (*LAYERS, "tests") if own == "tests" else LAYERS[: LAYERS.index(own) + 1]
        forbidden = {*LAYERS, "tests"} - {*allowed}
        wrong += [f"{place(module)} imports {name}" for name in imported(module) if name.split(".")[0] in forbidden]
    assert wrong == []


@pytest.mark.parametrize("library", ROOMS)
def test_a_library_stays_in_its_rooms(library: str) -> None:
    users = {place(module) for module in modules() if library in {name.split(".")[0] for name in imported(module)}}
    assert sorted(user for user in users if not user.startswith(("tests/", *ROOMS[library]))) == []


def test_a_game_depends_on_its_arguments_alone() -> None:
    wrong = [
        f"{place(module)} imports {name}"
        for module in modules()
        if place(module).startswith(GAMES)
        for name in imported(module)
        if name.split(".")[0] in OUTSIDE
    ]
    assert wrong == []


def rank(name: str) -> int | None:
    """The rank of a module of Puerto Rico, by the longest name in the table; None when it has none."""
    inside = name.removeprefix(f"{PUERTO_RICO}.")
    for known in sorted(RANKS, key=len, reverse=True):
        if inside == known or inside.startswith(f"{known}."):
            return RANKS[known]
    return None


def puerto_rico() -> Iterator[tuple[str, Path]]:
    for module in modules():
        name = ".".join(module.relative_to(PROJECT).with_suffix("").parts)
        if name.startswith(f"{PUERTO_RICO}."):
            yield name, module


def test_puerto_rico_is_built_in_storeys() -> None:
    wrong = []
    for name, module in puerto_rico():
        own = rank(name)
        for target in imported(module):
            above = rank(target) if target.startswith(f"{PUERTO_RICO}.") else None
            if own is not None and above is not None and above > own:
                wrong.append(f"{name} imports {target}")
    assert wrong == []


def test_a_phase_names_no_building() -> None:
    buildings = set(json.loads(WORDS.read_text()))
    constants = {building.upper() for building in buildings}
    wrong = []
    for name, module in puerto_rico():
        if ".phases." in name:
            for node in ast.walk(tree(module)):
                if isinstance(node, ast.Constant) and node.value in buildings:
                    wrong.append(f"{name} line {node.lineno}: {node.value!r}")
                if isinstance(node, ast.Name) and node.id in constants:
                    wrong.append(f"{name} line {node.lineno}: {node.id}")
    assert wrong == []


def test_every_module_says_why_it_exists() -> None:
    silent = [place(m) for m in modules() if tree(m).body and not (ast.get_docstring(tree(m)) or "").strip()]
    assert silent == []


def test_a_module_can_be_read_in_one_sitting() -> None:
    lengths = {place(module): len(module.read_text().splitlines()) for module in modules()}
    assert [module for module, length in lengths.items() if length > 400 and module not in LONG_FOR_A_REASON] == []


def test_the_standalone_verifier_needs_nothing_of_the_project() -> None:
    assert {name.split(".")[0] for name in imported(PROJECT / STANDALONE)} & {*LAYERS} == set()


def test_a_function_can_be_held_in_ones_head() -> None:
    long = {
        f"{place(module)}: {node.name}"
        for module in modules()
        for node in ast.walk(tree(module))
        if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.body[0].lineno >= 45
    }
    assert sorted(long - LONG_FOR_A_REASON.keys()) == []


def test_the_top_level_is_as_agreed() -> None:
    entries = [entry for entry in PROJECT.iterdir() if not entry.name.startswith(".")]
    shown = {entry.name for entry in entries if entry.suffix != ".egg-info"}
    assert shown - ARTEFACTS == TOP
