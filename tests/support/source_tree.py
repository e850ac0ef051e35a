"""The project's Python modules as syntax trees, parsed once: the tests of structure read them."""

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import chain
from pathlib import Path

PROJECT = Path(__file__).parents[2]
LAYERS = ("events", "projections", "service", "workers", "deploy")  # each may import those before it
CLIENT = "deploy/clients/python/"  # a distribution of its own, imported as cabildo_client


@cache
def modules() -> tuple[Path, ...]:
    """Returns the path of every module, tests included."""
    found = chain.from_iterable((PROJECT / top).rglob("*.py") for top in (*LAYERS, "tests"))
    return tuple(sorted(module for module in found if not place(module).startswith(f"{CLIENT}build/")))  # made by pip


@cache
def product() -> tuple[Path, ...]:
    """Returns the path of every module that is no test."""
    return tuple(module for module in modules() if not place(module).startswith(("tests/", f"{CLIENT}client_tests/")))


def place(module: Path) -> str:
    """Returns the path inside the project, with slashes."""
    return module.relative_to(PROJECT).as_posix()


def dotted(module: Path) -> str:
    """Returns the name by which other modules import it."""
    parts = Path(place(module).removeprefix(CLIENT)).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def tree(module: Path) -> ast.Module:
    """Returns the syntax tree of a module."""
    return ast.parse(module.read_text(), module.name)


@cache
def imported(module: Path) -> tuple[str, ...]:
    """Returns the dotted names that a module imports; for `from a import b` both a and a.b."""
    return tuple(_names_of_imports(module))


def _names_of_imports(module: Path) -> Iterator[str]:
    package = module.relative_to(PROJECT).with_suffix("").parts[:-1]
    for node in ast.walk(tree(module)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) + 1 - node.level] if node.level else ()
            name = ".".join((*base, *(node.module or "").split("."))).strip(".")
            yield name
            yield from (f"{name}.{alias.name}" for alias in node.names)


@cache
def imports_of_product() -> Mapping[str, frozenset[str]]:
    """Returns, for each module of the product, the modules of the product that it imports."""
    known = {dotted(module): module for module in product()}
    return {name: frozenset(imported(module)) & known.keys() - {name} for name, module in known.items()}
