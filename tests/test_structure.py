"""Measures of how easily a newcomer finds the way: names, lengths and imports of modules, typed signatures."""

import ast
import re
from collections import Counter, defaultdict
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.support.source_tree import LAYERS, dotted, imports_of_product, place, product, tree

LONGEST_MODULE = 300  # lines
MOST_IN_A_FOLDER = 20  # modules
LONGEST_CHAIN = 25  # modules, each of which imports the next
# an auditor takes it away and reads it alone
ONE_FILE_ON_PURPOSE = "deploy/clients/python/cabildo_client/verify_standalone.py"
ANY = 10  # % of the signatures of a package, through an alias or without
READS_CHECKED_EVENTS = {"projections"}  # its folds name the data of events, which schemas have checked, by an alias
SHARED_STEMS = 3  # modules of one name in different folders, before the name says nothing any more
ROOMS_OF_AN_AREA = {"__init__", "commands", "documents", "errors", "queries", "routes", "schemas"}
TWIN = re.compile("puerto_rico|spice_road")  # the folders of the two games may use the same names


def test_modules_are_short() -> None:
    lengths = {place(module): len(module.read_text().splitlines()) for module in product()}
    assert [name for name, lines in lengths.items() if lines > LONGEST_MODULE and name != ONE_FILE_ON_PURPOSE] == []


def test_folders_hold_few_modules() -> None:
    folders = Counter(place(module.parent) for module in product() if module.name != "__init__.py")
    assert {folder: count for folder, count in folders.items() if count > MOST_IN_A_FOLDER} == {}


def test_chains_of_imports_are_short() -> None:
    imports, longest = imports_of_product(), dict[str, list[str]]()
    for module in TopologicalSorter(imports).static_order():  # imported modules first; raises CycleError
        chains = [longest[name] for name in sorted(imports[module])]
        longest[module] = [module, *max(chains, key=len, default=[])]
    chain = max(longest.values(), key=len)
    assert len(chain) <= LONGEST_CHAIN, chain


def test_pages_import_no_routes() -> None:
    pages = {name: modules for name, modules in imports_of_product().items() if name.startswith("service.pages")}
    found = {name: [module for module in modules if "routes" in module] for name, modules in pages.items()}
    assert {name: modules for name, modules in found.items() if modules} == {}


def test_a_module_name_is_not_used_everywhere() -> None:
    places = defaultdict[str, set[str]](set)
    for module in product():
        if ROOMS_OF_AN_AREA.isdisjoint((module.stem, module.parent.name)):
            places[module.stem].add(TWIN.sub("*", place(module)))
    assert {name: sorted(where) for name, where in places.items() if len(where) > SHARED_STEMS} == {}


@pytest.mark.parametrize("package", LAYERS)
def test_few_signatures_say_any(package: str) -> None:
    signatures, untyped = 0, list[str]()
    for module in product():
        if dotted(module).split(".")[0] == package:
            loose = {"Any"} | (set() if package in READS_CHECKED_EVENTS else aliases_of_any(module))
            for node in ast.walk(tree(module)):
                if isinstance(node, ast.FunctionDef):
                    signatures += 1
                    untyped += [f"{place(module)}: {node.name}"] if loose & names_in_signature(node) else []
    assert len(untyped) <= ANY * signatures / 100, untyped


def aliases_of_any(module: Path) -> set[str]:
    """Returns the names in a module that stand for a type with Any, such as `Body = dict[str, Any]`."""
    own = {name for name, value in own_aliases(module) if "Any" in names(value)}
    imports = [node for node in tree(module).body if isinstance(node, ast.ImportFrom)]
    brought = {(node.module, alias.name): alias.asname or alias.name for node in imports for alias in node.names}
    return own | {brought[key] for key in brought.keys() & loose_aliases()}


@cache
def loose_aliases() -> frozenset[tuple[str | None, str]]:
    """Returns the modules and names of all aliases of a type with Any."""
    found = ((dotted(module), own_aliases(module)) for module in product())
    return frozenset((module, name) for module, aliases in found for name, value in aliases if "Any" in names(value))


def own_aliases(module: Path) -> list[tuple[str, ast.expr]]:
    """Returns the names that a module gives to types, with the types."""
    found = list[tuple[str, ast.expr]]()
    for node in tree(module).body:
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript | ast.BinOp):
            found += [(target.id, node.value) for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and "TypeAlias" in names(node.annotation) and node.value is not None:
            found += [(name, node.value) for name in names(node.target)]
    return [(name, value) for name, value in found if name[0].isupper() and not name.isupper()]


def names_in_signature(function: ast.FunctionDef) -> set[str]:
    arguments = function.args
    annotated = [one.annotation for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    return set().union(*(names(note) for note in (*annotated, function.returns) if note is not None))


def names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
